#include "engine/scoring/joint_scan.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace inkling {
namespace {

/// Their restricted entries stay in the first-level cache.
constexpr std::int32_t kRowsAtATime = 512;

std::vector<FeatureId> union_of(std::span<const BatchScan> models) {
  std::vector<FeatureId> features;
  for (const BatchScan& model : models) {
    features.insert(features.end(), model.features().begin(), model.features().end());
  }
  std::ranges::sort(features);
  const auto repeated = std::ranges::unique(features);
  features.erase(repeated.begin(), repeated.end());
  return features;
}

}  // namespace

JointScan::JointScan(std::vector<BatchScan> models)
    : models_(std::move(models)),
      filter_(union_of(models_)),
      owners_begin_(filter_.features().size() + 1, 0) {
  assert(!models_.empty());
  const std::span<const FeatureId> features = filter_.features();
  const auto place_of = [&](FeatureId feature) {
    return static_cast<std::size_t>(std::ranges::lower_bound(features, feature) - features.begin());
  };
  for (const BatchScan& model : models_) {
    for (const FeatureId feature : model.features()) ++owners_begin_[place_of(feature) + 1];
  }
  std::partial_sum(owners_begin_.begin(), owners_begin_.end(), owners_begin_.begin());
  owners_.resize(owners_begin_.back());
  std::vector<std::uint32_t> next(owners_begin_);
  for (std::size_t model = 0; model < models_.size(); ++model) {
    const std::span<const FeatureId> own = models_[model].features();
    for (std::size_t position = 0; position < own.size(); ++position) {
      owners_[next[place_of(own[position])]++] = {static_cast<std::uint32_t>(model),
                                                  static_cast<std::int32_t>(position)};
    }
  }
}

void JointScan::score_rows(CsrView documents, RowBlock rows, ScanWorkspace& workspace,
                           std::span<Prediction> predictions) const {
  assert(predictions.size() == models_.size() * rows.size());
  for (DocumentId first = rows.first; first < rows.end;) {
    const DocumentId end = first + std::min(kRowsAtATime, rows.end - first);
    filter_.restrict_rows(documents, {first, end}, workspace.rows);
    predict(workspace, static_cast<std::size_t>(first - rows.first), rows.size(), predictions);
    first = end;
  }
}

void JointScan::score_postings(std::span<const SparseRow> postings, RowBlock rows, ScanWorkspace& workspace,
                               std::span<Prediction> predictions) const {
  assert(predictions.size() == models_.size() * rows.size() && postings.size() == features().size());
  RestrictedRows& restricted = workspace.rows;
  std::vector<std::uint32_t>& next = workspace.next;
  next.assign(rows.size() + 1, 0);
  // Counting comes first, so that each row's entries can be put where they belong, feature by feature.
  for (const SparseRow& list : postings) {
    for (const DocumentId document : list.features)
      ++next[static_cast<std::size_t>(document - rows.first) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  restricted.make_room(0, next.back());
  for (std::size_t position = 0; position < postings.size(); ++position) {
    const SparseRow list = postings[position];
    for (std::size_t n = 0; n < list.size(); ++n) {
      const std::uint32_t to = next[static_cast<std::size_t>(list.features[n] - rows.first)]++;
      restricted.positions[to] = static_cast<std::int32_t>(position);
      restricted.values[to] = static_cast<double>(list.values[n]);
    }
  }
  restricted.ends.assign(next.begin(), next.end() - 1);
  predict(workspace, 0, rows.size(), predictions);
}

void JointScan::predict(ScanWorkspace& workspace, std::size_t first, std::size_t block_rows,
                        std::span<Prediction> predictions) const {
  const std::size_t count = workspace.rows.rows();
  if (models_.size() == 1) return models_.front().predict(workspace.rows, predictions.subspan(first, count));
  share_out(workspace);
  for (std::size_t model = 0; model < models_.size(); ++model) {
    models_[model].predict(workspace.parts[model].rows,
                           predictions.subspan(model * block_rows + first, count));
  }
}

void JointScan::share_out(ScanWorkspace& workspace) const {
  const RestrictedRows& from = workspace.rows;
  workspace.parts.resize(models_.size());
  for (ScanWorkspace::Part& part : workspace.parts) {
    part.rows.make_room(0, from.entries());
    part.rows.ends.resize(from.rows());
    part.used = 0;
  }
  ScanWorkspace::Part* const parts = workspace.parts.data();
  std::size_t entry = 0;
  for (std::size_t row = 0; row < from.rows(); ++row) {
    for (; entry < from.ends[row]; ++entry) {
      const auto position = static_cast<std::size_t>(from.positions[entry]);
      for (std::uint32_t owner = owners_begin_[position]; owner < owners_begin_[position + 1]; ++owner) {
        ScanWorkspace::Part& part = parts[owners_[owner].model];
        part.rows.positions[part.used] = owners_[owner].position;
        part.rows.values[part.used] = from.values[entry];
        ++part.used;
      }
    }
    for (ScanWorkspace::Part& part : workspace.parts) part.rows.ends[row] = part.used;
  }
}

SparseRow postings_within(SparseRow postings, RowBlock rows) {
  const auto first = std::ranges::lower_bound(postings.features, rows.first);
  const auto end = std::lower_bound(first, postings.features.end(), rows.end);
  const auto begin = static_cast<std::size_t>(first - postings.features.begin());
  const auto count = static_cast<std::size_t>(end - first);
  return {postings.features.subspan(begin, count), postings.values.subspan(begin, count)};
}

}  // namespace inkling
