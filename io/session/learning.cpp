#include "io/session/learning.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "engine/core/errors.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"

namespace inkling {
namespace {

CsrMatrix gathered(std::span<const std::int64_t> documents, std::int32_t features,
                   const PlayedPool::RowOf& row_of) {
  CsrMatrix rows(features);
  for (const std::int64_t document : documents) {
    const CsrMatrix row = row_of(document);
    rows.append_row(row.view().row(0));
  }
  return rows;
}

/// Where all features are in use, the model keeps the smaller of two matrices.
void check_room_for(std::int64_t documents, const Preset& preset, std::int32_t features) {
  if (preset.scope != FeatureScope::Kind::all) return;
  if (std::min<std::int64_t>(documents, features) <= kLargestGram) return;
  throw FormatError("events", "expected at most " + std::to_string(kLargestGram) +
                                  " different documents where " + std::to_string(features) +
                                  " features are in use, found " + std::to_string(documents));
}

}  // namespace

std::vector<PlayCount> play_counts(std::span<const Event> events) {
  std::vector<PlayCount> counts;
  counts.reserve(events.size());
  for (const Event& event : events) counts.push_back({event.document, 1});
  std::ranges::sort(counts, {}, &PlayCount::document);
  std::size_t kept = 0;
  for (std::size_t n = 1; n < counts.size(); ++n) {
    if (counts[n].document == counts[kept].document)
      ++counts[kept].plays;
    else
      counts[++kept] = counts[n];
  }
  counts.resize(std::min(counts.size(), kept + 1));
  return counts;
}

std::vector<std::int64_t> played_documents(std::span<const EventLog> logs) {
  std::vector<std::int64_t> documents;
  for (const EventLog& log : logs) {
    for (const Event& event : log.events) documents.push_back(event.document);
  }
  std::ranges::sort(documents);
  const auto repeated = std::ranges::unique(documents);
  documents.erase(repeated.begin(), repeated.end());
  return documents;
}

PlayedPool::PlayedPool(std::vector<std::int64_t> documents, std::int32_t features, const RowOf& row_of)
    : documents_(std::move(documents)), matrix_(gathered(documents_, features, row_of)) {}

DocumentId PlayedPool::number_of(std::int64_t document) const {
  const auto found = std::ranges::lower_bound(documents_, document);
  assert(found != documents_.end() && *found == document);
  return static_cast<DocumentId>(found - documents_.begin());
}

bool learns_from_events(const Preset& preset) noexcept {
  using Scope = FeatureScope::Kind;
  return preset.uses.radius && (preset.scope == Scope::marked || preset.scope == Scope::all);
}

Policy taught_policy(std::span<const Event> events, const PlayedPool& played, const Preset& preset,
                     PolicyOptions options, const std::function<void()>& between_events) {
  assert(learns_from_events(preset));
  // The form of a user's model depends on the own events alone, not on what other users played.
  const auto documents = static_cast<std::int64_t>(play_counts(events).size());
  check_room_for(documents, preset, played.view().features());
  options.expected_rounds = std::max<std::int64_t>(documents, 1);
  options.scoring = Scoring::running;  // does nothing until the first choice
  std::vector<PastEvent> past;
  past.reserve(events.size());
  for (const Event& event : events) {
    past.push_back({played.number_of(event.document), event.reward, event.features, event.confidences});
  }
  Policy policy(played.view(), preset, options, RandomStream(0, 0, RandomRole::exploration),
                RandomStream(0, 0, RandomRole::sampling));
  policy.learn(past, between_events);
  return policy;
}

LearnedModel frozen(const Learner& learner) {
  const LinearModel& model = *learner.model();
  const double radius = learner.radius().value();
  if (const DualRidgeModel* dual = model.dual()) return {DualScan(*dual), radius};
  return {BatchScan(*model.primal()), radius};
}

}  // namespace inkling
