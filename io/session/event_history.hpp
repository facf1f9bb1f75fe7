// What a file of events has said so far: which documents it played and how many features it marked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "io/session/event.hpp"

namespace inkling {

class EventHistory {
 public:
  /// The line that played the document first, where one did.
  [[nodiscard]] std::optional<std::int64_t> line_of(std::int64_t document) const {
    const auto found = line_of_.find(document);
    if (found == line_of_.end()) return std::nullopt;
    return found->second;
  }

  /// How many different features are marked once these are, too.
  [[nodiscard]] std::size_t features_with(std::span<const FeatureId> marks) const {
    tsl::robin_set<FeatureId> fresh;
    for (const FeatureId feature : marks) {
      if (!features_.contains(feature)) fresh.insert(feature);
    }
    return features_.size() + fresh.size();
  }

  void add(const Event& event, std::int64_t line) {
    line_of_.insert({event.document, line});
    features_.insert(event.features.begin(), event.features.end());
  }

 private:
  tsl::robin_map<std::int64_t, std::int64_t> line_of_;
  tsl::robin_set<FeatureId> features_;
};

}  // namespace inkling
