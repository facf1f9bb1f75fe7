#include "engine/scoring/scan/dual_scan.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

#include "engine/model/dense_kernels.hpp"
#include "engine/scoring/parallel_blocks.hpp"

namespace inkling {
namespace {

std::size_t at(FeatureId feature) { return static_cast<std::size_t>(feature); }

std::vector<double> copy_of(std::span<const double> numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

DualScan::DualScan(const DualRidgeModel& model)
    : features_in_use_(model.features_in_use()),
      theta_(copy_of(model.theta())),
      variance_(copy_of(model.variances())),
      begins_(theta_.size() + 1, 0),
      factor_(model.factor()) {
  for (std::size_t place = 0; place < factor_.size(); ++place) {
    for (const FeatureId feature : model.played_row(place).features) ++begins_[at(feature) + 1];
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  places_.resize(begins_.back());
  values_.resize(begins_.back());
  std::vector<std::size_t> next(begins_);
  for (std::size_t place = 0; place < factor_.size(); ++place) {
    const SparseRow row = model.played_row(place);
    for (std::size_t n = 0; n < row.size(); ++n) {
      const std::size_t to = next[at(row.features[n])]++;
      places_[to] = static_cast<std::int32_t>(place);
      values_[to] = row.values[n];
    }
  }
}

DualScan::Column DualScan::column(FeatureId feature) const noexcept {
  const std::size_t begin = begins_[at(feature)];
  const std::size_t count = begins_[at(feature) + 1] - begin;
  return {std::span(places_).subspan(begin, count), std::span(values_).subspan(begin, count)};
}

Prediction DualScan::spread(SparseRow row, double* kernel, std::size_t stride) const noexcept {
  Prediction prior{0.0, 0.0};
  for (std::size_t n = 0; n < row.size(); ++n) {
    const FeatureId feature = row.features[n];
    const auto value = static_cast<double>(row.values[n]);
    const double share = variance_[at(feature)] * value;
    prior.mean += value * theta_[at(feature)];
    prior.square += share * value;
    const Column played = column(feature);
    for (std::size_t p = 0; p < played.places.size(); ++p) {
      kernel[static_cast<std::size_t>(played.places[p]) * stride] +=
          share * static_cast<double>(played.values[p]);
    }
  }
  return prior;
}

void DualScan::score_rows(CsrView documents, RowBlock rows, DualScanBuffer& buffer,
                          std::span<Prediction> predictions) const {
  assert(predictions.size() == rows.size());
  for (std::size_t first = 0; first < rows.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, rows.size() - first);
    const std::span<Prediction> group = predictions.subspan(first, count);
    buffer.kernels.assign(played() * kTogether, 0.0);
    for (std::size_t side = 0; side < count; ++side) {
      const DocumentId document = rows.first + static_cast<DocumentId>(first + side);
      group[side] = spread(documents.row(document), buffer.kernels.data() + side, kTogether);
    }
    std::array<double, kTogether> explained{};
    factor_.quadratic_forms(buffer.kernels, explained);
    for (std::size_t side = 0; side < count; ++side) {
      group[side].square = std::max(group[side].square - explained[side], 0.0);
    }
  }
}

void DualScan::for_each_block_predicted(
    CsrView documents, const std::function<void(RowBlock, std::span<const Prediction>)>& visit) const {
  const RowBlocks blocks(documents.rows(), kRowsPerBlock);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    const RowBlock rows = blocks[index];
    std::array<Prediction, kRowsPerBlock> predictions{};
    const auto of_rows = std::span(predictions).first(rows.size());
    DualScanBuffer buffer;
    score_rows(documents, rows, buffer, of_rows);
    visit(rows, of_rows);
  });
}

/// gamma_j - gamma_j^2 x_j' K^-1 x_j, with x_j the feature's column of X.
double DualScan::variance_of(FeatureId feature, std::span<double> buffer) const noexcept {
  const double prior = variance_[at(feature)];
  const Column played = column(feature);
  if (played.places.empty()) return prior;
  std::ranges::fill(buffer, 0.0);
  for (std::size_t p = 0; p < played.places.size(); ++p) {
    buffer[static_cast<std::size_t>(played.places[p])] = static_cast<double>(played.values[p]);
  }
  const auto first = static_cast<std::size_t>(played.places.front());
  factor_.solve_lower(buffer, first);
  const double explained = form_over_pivots(buffer, factor_.pivots(), first);
  return std::max(prior - prior * prior * explained, 0.0);
}

std::vector<ScorePart> DualScan::parts_of(SparseRow row) const {
  std::vector<double> solved(played(), 0.0);
  spread(row, solved.data(), 1);
  factor_.solve_lower(solved, 0);
  factor_.finish_solve(solved);  // K^-1 k

  std::vector<ScorePart> parts;
  std::vector<double> buffer(played());
  for (std::size_t n = 0; n < row.size(); ++n) {
    const FeatureId feature = row.features[n];
    if (variance_[at(feature)] == 0.0) continue;
    const auto value = static_cast<double>(row.values[n]);
    const Column held = column(feature);
    double learned = 0.0;
    for (std::size_t p = 0; p < held.places.size(); ++p) {
      learned += static_cast<double>(held.values[p]) * solved[static_cast<std::size_t>(held.places[p])];
    }
    parts.push_back({.feature = feature,
                     .value = value,
                     .weight = theta_[at(feature)],
                     .variance = variance_of(feature, buffer),
                     .smoothed = variance_[at(feature)] * (value - learned)});
  }
  return parts;
}

}  // namespace inkling
