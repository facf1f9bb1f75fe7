#include "io/doors/commands/score/score_options.hpp"

#include "io/doors/cli/learning_options.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/doors/commands/output_check.hpp"
#include "io/doors/commands/score/score_output_options.hpp"

namespace inkling {
namespace {

OptionGroup all_output_options() {
  OptionGroup group = score_output_options();
  group.options.insert(group.options.begin() + 1,
                       {"all", Flag{}, "", std::nullopt, "every document in order of row, rated ones too"});
  return group;
}

OptionGroup score_scan_options() {
  OptionGroup group = {"The scan", pool_access_options()};
  group.options.insert(group.options.begin() + 2, layout_option());
  group.options.push_back({"measure-bandwidth", Flag{}, "", std::nullopt,
                           "also measure how fast this machine reads the same rows, and say which share of that a scan of "
                           "rows reaches"});
  group.options.push_back(threads_option());
  return group;
}

}  // namespace

Option layout_option() {
  return {"layout", Choice{names_of(kScanLayoutNames)}, "LAYOUT", "auto",
          "rows: read every row; postings: read the lists of documents of the features in use; auto: "
          "what is estimated to be faster; the output is the same"};
}

OptionTable score_option_table() {
  OptionTable::Description description = {
      "inkling score",
      "Learns from a file of ratings, and ranks all documents. Several pools or shards are scored as one, "
      "each document by mean, width and ucb = mean + radius x width.",
      "inkling score reviews --events me.jsonl --top 20 --explain --format table",
      {event_options(), model_options(), all_output_options(), score_scan_options()},
      {"POOL...",
       "one pool, or several with the same features, or a set (set.json); rows are counted through all of "
       "them",
       1, SIZE_MAX}};
  // Set separately: as a part of the list above, g++ 12 would free the positionals twice if memory ran out.
  description.common = {"events", "top", "explain", "format", "out", "policy"};
  return OptionTable(std::move(description));
}

ScoreOptions score_options_of(const ParsedOptions& given) {
  ScoreOptions options;
  static_cast<TeachingOptions&>(options) = teaching_options_of(given);
  if (given.has("top") && given.flag("all")) throw UsageError::option("all", "expected without --top");
  if (given.flag("explain") && given.flag("all")) throw UsageError::option("explain", "expected with --top, as jsonl or table");
  if (!given.flag("all")) options.top = given.has("top") ? given.integer("top") : 10;
  options.layout = given.choice("layout", kScanLayoutNames);
  options.measure_bandwidth = given.flag("measure-bandwidth");
  if (options.measure_bandwidth && options.access == PoolAccess::read)
    throw UsageError::option("measure-bandwidth", "expected with --io map");
  options.output = score_output_options_of(given, options.event_files);
  if (given.flag("split")) options.out_folder = given.text("out");
  check_score_outputs(options.output, options.out_folder.has_value(), files_called("--events", options.event_files),
                      options.pools);
  return options;
}

}  // namespace inkling
