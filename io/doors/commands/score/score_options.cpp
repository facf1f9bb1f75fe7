#include "io/doors/commands/score/score_options.hpp"

#include <span>
#include <vector>

#include "io/doors/cli/learning_options.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/doors/commands/output_check.hpp"
#include "io/doors/commands/score/score_output_options.hpp"

namespace inkling {
namespace {

OptionGroup shard_options() {
  return {"One shard of a set",
          {{"model", Path{}, "MODEL", std::nullopt,
            "score POOL, a shard, with what `inkling learn` kept there, in place of --events; the best "
            "documents go to --out, for `inkling merge-scores`"},
           {"set", Path{}, "FILE", std::nullopt,
            "the set.json of which POOL is a shard; documents are numbered as in the set"}}};
}

OptionGroup all_output_options() {
  OptionGroup group = score_output_options();
  group.options.insert(group.options.begin() + 1,
                       {"all", Flag{}, "", std::nullopt, "every document in order of row, played ones too"});
  return group;
}

OptionGroup score_scan_options() {
  OptionGroup group = {"The scan", pool_access_options()};
  group.options.insert(
      group.options.begin() + 2,
      {"layout", Choice{names_of(kScanLayoutNames)}, "LAYOUT", "auto",
       "rows: read every row; postings: read the lists of documents of the features in use; auto: "
       "what is estimated to be faster; the output is the same"});
  group.options.push_back(
      {"measure-bandwidth", Flag{}, "", std::nullopt,
       "also measure how fast this machine reads the same rows, and say which share of that a scan of "
       "rows reaches"});
  group.options.push_back(threads_option());
  return group;
}

// A scan of one shard looks at none of these.
void refuse_without_events(const ParsedOptions& given) {
  std::vector<std::string> others = {"events", "with-replacement", "skip-bad", "any-pool",         "policy",
                                     "all",    "format",           "out-dir",  "measure-bandwidth"};
  for (const Option& option : learning_options()) others.push_back(option.name);
  for (const std::string& name : others)
    if (given.given(name)) throw UsageError::option(name, "expected without --model");
}

}  // namespace

OptionTable score_option_table() {
  OptionTable::Description description = {
      "inkling score",
      "Learns from events and scores every document of a pool, or of several pools or shards as one: mean, "
      "width and ucb = mean + radius x width.",
      "inkling score reviews --events me.jsonl --top 20 --explain --format table",
      {event_options(Option::Need::optional), model_options(), shard_options(), all_output_options(),
       score_scan_options()},
      {"POOL...",
       "one pool, or several with the same features, or a set (set.json); rows are counted through all of "
       "them",
       1, SIZE_MAX}};
  // Apart, because g++ 12 frees the positionals twice where memory ends within one larger list.
  description.common = {"events", "top", "explain", "format", "out", "policy"};
  return OptionTable(std::move(description));
}

ScoreOptions score_options_of(const ParsedOptions& given) {
  if (given.given("set")) throw UsageError::option("set", "expected with --model");
  if (!given.given("events"))
    throw UsageError::option("events", "is required: expected " + expectation(Paths{}) + ", or --model");
  ScoreOptions options;
  static_cast<TeachingOptions&>(options) = teaching_options_of(given);
  if (given.has("top") && given.flag("all")) throw UsageError::option("all", "expected without --top");
  if (given.flag("explain") && given.flag("all"))
    throw UsageError::option("explain", "expected with --top, as jsonl or table");
  if (!given.flag("all")) options.top = given.has("top") ? given.integer("top") : 10;
  options.layout = given.choice("layout", kScanLayoutNames);
  options.measure_bandwidth = given.flag("measure-bandwidth");
  if (options.measure_bandwidth && options.access == PoolAccess::read)
    throw UsageError::option("measure-bandwidth", "expected with --io map");
  options.output = score_output_options_of(given, options.event_files);
  if (given.has("out-dir")) options.out_folder = given.text("out-dir");
  std::vector<NamedFile> inputs;
  inputs.reserve(options.event_files.size());
  for (const std::string& path : options.event_files) inputs.push_back({"--events", path});
  check_score_outputs(options.output, options.out_folder.has_value(), inputs, options.pools);
  return options;
}

bool scores_a_shard(const ParsedOptions& given) { return given.given("model"); }

ShardOptions shard_options_of(const ParsedOptions& given) {
  refuse_without_events(given);
  if (given.positionals().size() != 1)
    throw UsageError::option("model", "expected with one POOL, which is scored alone");
  if (!given.given("out") || given.text("out") == "-")
    throw UsageError::option("out", "is required with --model: expected a folder to be made");
  ShardOptions options;
  static_cast<PoolReading&>(options) = pool_reading_of(given);
  options.shard = given.positionals().front();
  options.model = given.text("model");
  if (given.given("set")) options.set = given.text("set");
  options.out = given.text("out");
  options.top = given.has("top") ? given.integer("top") : 10;
  options.explain = given.flag("explain");
  options.layout = given.choice("layout", kScanLayoutNames);
  options.threads = threads_of(given);
  std::vector<NamedFile> inputs = {{"--model", options.model}};
  if (options.set) inputs.push_back({"--set", *options.set});
  const NamedFile output = {"--out", options.out};
  refuse_overwriting(std::span(&output, 1), inputs, given.positionals());
  return options;
}

}  // namespace inkling
