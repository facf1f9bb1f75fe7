// The users of a scoring run: the events of each one, and the model that they teach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/scoring/scan/joint_scan.hpp"
#include "io/pool/set/pool_set.hpp"
#include "io/session/events.hpp"
#include "io/session/learning.hpp"

namespace inkling {

/// One user for each file of events, in the order given. Each is taught from an empty start.
struct ScoreUsers {
  std::vector<EventLog> logs;
  std::vector<std::vector<PlayCount>> plays;
  std::vector<double> radii;
  JointScan models;
  std::int64_t features_in_use = 0;  ///< by any of them

  [[nodiscard]] std::size_t count() const { return logs.size(); }
  [[nodiscard]] std::int64_t skipped() const;
};

/// Reads every file before it learns from any, so that a bad event is found early.
[[nodiscard]] ScoreUsers learn_users(const PoolSet& pools, const std::vector<std::string>& event_files,
                                     const EventRules& rules, const Preset& policy,
                                     const PolicyOptions& options);

}  // namespace inkling
