#include "io/score/score_users.hpp"

#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "io/cli/interruption.hpp"

namespace inkling {
namespace {

EventScope scope_of(const PoolSet& pools) {
  EventScope scope = {.documents = pools.documents(), .features = pools.features(), .feature_of = {}};
  if (pools.has_words())
    scope.feature_of = [&pools](std::string_view word) { return pools.feature_of(word); };
  return scope;
}

// The rows that any user played are read once.
PlayedPool played_pool(const PoolSet& pools, const std::vector<EventLog>& logs) {
  return {played_documents(logs), pools.features(),
          [&pools](std::int64_t document) { return pools.row(document); }};
}

}  // namespace

std::int64_t ScoreUsers::skipped() const {
  return std::accumulate(logs.begin(), logs.end(), std::int64_t{0},
                         [](std::int64_t sum, const EventLog& log) { return sum + log.skipped; });
}

ScoreUsers learn_users(const PoolSet& pools, const std::vector<std::string>& event_files,
                       const EventRules& rules, const Preset& policy, const PolicyOptions& options) {
  const EventScope scope = scope_of(pools);
  std::vector<EventLog> logs;
  logs.reserve(event_files.size());
  for (const std::string& path : event_files) logs.push_back(read_events(path, scope, rules));

  const PlayedPool played = played_pool(pools, logs);
  std::vector<std::vector<PlayCount>> plays;
  std::vector<double> radii;
  std::vector<FrozenModel> models;
  for (const EventLog& log : logs) {
    throw_if_interrupted();
    const Policy taught = taught_policy(log.events, played, policy, options, throw_if_interrupted);
    LearnedModel learned = frozen(*taught.learner());
    plays.push_back(play_counts(log.events));
    radii.push_back(learned.radius);
    models.push_back(std::move(learned.scan));
  }
  JointScan joint(std::move(models));
  const bool all_in_use = policy.scope == FeatureScope::Kind::all;
  const std::int64_t in_use = all_in_use ? pools.features() : std::ssize(joint.features());
  return {std::move(logs), std::move(plays), std::move(radii), std::move(joint), in_use};
}

}  // namespace inkling
