#include "io/events/learning.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

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

std::vector<std::int64_t> played_documents(std::span<const std::span<const Event>> logs) {
  std::vector<std::int64_t> documents;
  for (const std::span<const Event> log : logs) {
    for (const Event& event : log) documents.push_back(event.document);
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

RidgeModel learn_events(std::span<const Event> events, const PlayedPool& played,
                        const RidgeOptions& options) {
  RidgeModel model(played.view(), options);
  for (const Event& event : events) {
    model.observe(played.number_of(event.document), event.reward);
    for (const FeatureId feature : event.features) {
      if (!model.features().contains(feature)) model.adopt(feature);
    }
  }
  model.refine();
  return model;
}

LearnedModel frozen(const RidgeModel& model, const ConfidenceOptions& confidence) {
  return {BatchScan(model), confidence_radius(model.log_det_ratio(), model.ridge(), confidence)};
}

}  // namespace inkling
