#include "io/doors/commands/score/teaching_options.hpp"

#include <algorithm>
#include <iterator>

#include "io/doors/cli/learning_options.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/doors/commands/pool_trust.hpp"
#include "io/search/events/learning.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kMemoryToRead = std::uint64_t{256} << 20U;
constexpr std::uint64_t kMemoryOfModels = std::uint64_t{4} << 30U;

constexpr EnumName<PoolAccess> kAccessNames[] = {{PoolAccess::map, "map"}, {PoolAccess::read, "read"}};

std::uint64_t memory_given(const ParsedOptions& given, PoolAccess access) {
  if (given.has("memory")) return static_cast<std::uint64_t>(given.integer("memory"));
  return access == PoolAccess::read ? kMemoryToRead : kMemoryOfModels;
}

}  // namespace

OptionGroup event_options() {
  return {
      "The events",
      {{"events", Paths{}, "FILE", std::nullopt,
        "one JSON object a line: {\"document\": ROW or \"ID\", \"reward\": NUMBER, \"features\": "
        "[\"word\" or FEATURE, ...]}; features may be absent, and {\"feature\": \"word\", "
        "\"confidence\": 0.5} is a mark that is not certain; {\"feature\": \"word\", \"reward\": 1} "
        "rates a word, among them or in a line of its own; - is standard input; given several times, "
        "each file is another person, and all are scored in one pass",
        Option::Need::required},
       {"with-replacement", Flag{}, "", std::nullopt,
        "events may rate documents more than once, and rated ones stay in the ranking"},
       {"skip-bad", Flag{}, "", std::nullopt, "leave out bad events and count them, instead of stopping at the first"},
       {"any-pool", Flag{}, "", std::nullopt, "use events also where their first line names another pool by its fingerprint"}}};
}

OptionGroup model_options() {
  OptionGroup group = {
      "The model",
      {{"policy", Choice{names_of_policies(learns_from_events)}, "NAME", kDefaultPolicy, help_on_policies(learns_from_events)}}};
  const std::vector<Option> learning = learning_options();
  group.options.insert(group.options.end(), learning.begin(), learning.end());
  return group;
}

std::vector<Option> pool_access_options() {
  std::vector<Option> options = {
      {"io", Choice{names_of(kAccessNames)}, "HOW", "map",
       "map: the pool's files are mapped into memory; read: they are read through buffers of bounded "
       "size; the output is the same"},
      {"memory", Size{64 * kMebibyte}, "SIZE", std::nullopt,
       "memory to use with --io read (default: 256M), and for the models with --io map (default: 4G)"}};
  std::ranges::copy(pool_trust_options(), std::back_inserter(options));
  return options;
}

PoolReading pool_reading_of(const ParsedOptions& given) {
  const PoolAccess access = given.choice("io", kAccessNames);
  return {.access = access, .trust = pool_trust_of(given), .memory = memory_given(given, access)};
}

TeachingOptions teaching_options_of(const ParsedOptions& given) {
  TeachingOptions options;
  static_cast<PoolReading&>(options) = pool_reading_of(given);
  options.pools = given.positionals();
  options.event_files = given.paths("events");
  options.rules.replays = given.flag("with-replacement") ? Replays::allowed : Replays::refused;
  options.rules.skip_bad = given.flag("skip-bad");
  options.rules.other_pools = given.flag("any-pool") ? OtherPools::allowed : OtherPools::refused;
  if (std::ranges::count(options.event_files, "-") > 1) throw UsageError::option("events", "expected standard input (-) once");
  options.policy = *find_preset(given.text("policy"));
  options.learning = learning_options_of(given, options.policy, learns_from_events);
  options.rules.room.most_bytes = options.memory;
  options.threads = threads_of(given);
  return options;
}

}  // namespace inkling
