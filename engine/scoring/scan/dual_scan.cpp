#include "engine/scoring/scan/dual_scan.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "engine/model/dense_kernels.hpp"
#include "engine/scoring/parallel_blocks.hpp"

namespace inkling {
namespace {

std::size_t at(FeatureId feature) { return static_cast<std::size_t>(feature); }

}  // namespace

// Sums in the order of DualRidgeModel::solve_theta, so that the bits are the same.
std::vector<double> weights_of_rows(std::span<const double> alpha, CsrView rows, std::span<const double> variance) {
  assert(std::cmp_equal(alpha.size(), rows.rows()) && std::cmp_equal(variance.size(), rows.columns()));
  std::vector<double> weights(variance.size(), 0.0);
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    if (alpha[i] == 0.0) continue;
    const SparseRow row = rows.row(static_cast<DocumentId>(i));
    for (std::size_t n = 0; n < row.size(); ++n) weights[at(row.features[n])] += alpha[i] * static_cast<double>(row.values[n]);
  }
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] *= variance[j];
  return weights;
}

DualScan::DualScan(DualScanParts parts)
    : features_in_use_(parts.features_in_use),
      theta_(std::move(parts.theta)),
      variance_(std::move(parts.variance)),
      columns_(transposed(parts.played.view())),
      factor_(std::move(parts.factor)),
      base_mean_(parts.base_mean),
      base_square_(parts.base_square),
      document_weights_(std::move(parts.document_weights)),
      base_kernel_(std::move(parts.base_kernel)) {
  assert(theta_.size() == variance_.size() && std::cmp_equal(columns_.view().rows(), theta_.size()));
  assert(base_kernel_.empty() || base_kernel_.size() == played());
}

Prediction DualScan::spread(SparseRow row, double* kernel, std::size_t stride) const noexcept {
  Prediction prior{base_mean_, base_square_};
  for (std::size_t p = 0; p < base_kernel_.size(); ++p) kernel[p * stride] += base_kernel_[p];
  for (std::size_t n = 0; n < row.size(); ++n) {
    const FeatureId feature = row.features[n];
    const auto value = static_cast<double>(row.values[n]);
    const double share = variance_[at(feature)] * value;
    prior.mean += value * theta_[at(feature)];
    prior.square += share * value;
    const SparseRow column = columns_.view().row(feature);
    for (std::size_t p = 0; p < column.size(); ++p)
      kernel[static_cast<std::size_t>(column.features[p]) * stride] += share * static_cast<double>(column.values[p]);
  }
  return prior;
}

template <typename RowOf>
void DualScan::score_each(const RowOf& row_of, DualScanBuffer& buffer, std::span<Prediction> predictions) const {
  for (std::size_t first = 0; first < predictions.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, predictions.size() - first);
    const std::span<Prediction> group = predictions.subspan(first, count);
    buffer.kernels.assign(played() * kTogether, 0.0);
    for (std::size_t side = 0; side < count; ++side) {
      double* const kernel = played() == 0 ? nullptr : buffer.kernels.data() + side;
      group[side] = spread(row_of(first + side), kernel, kTogether);
    }
    std::array<double, kTogether> explained{};
    factor_.quadratic_forms(buffer.kernels, explained);
    for (std::size_t side = 0; side < count; ++side) group[side].square = std::max(group[side].square - explained[side], 0.0);
  }
}

SparseRow DualScan::whole_row(const CsrView& documents, DocumentId document, DualScanBuffer& buffer) const {
  return buffer.row.of(documents, document, static_cast<std::int32_t>(theta_.size()));
}

void DualScan::score_rows(CsrView documents, RowBlock rows, DualScanBuffer& buffer, std::span<Prediction> predictions) const {
  assert(predictions.size() == rows.size());
  const auto row_of = [&](std::size_t i) { return whole_row(documents, rows.first + static_cast<DocumentId>(i), buffer); };
  score_each(row_of, buffer, predictions);
}

void DualScan::score_rows(CsrView documents, std::span<const DocumentId> chosen, DualScanBuffer& buffer,
                          std::span<Prediction> predictions) const {
  assert(predictions.size() == chosen.size());
  score_each([&](std::size_t i) { return whole_row(documents, chosen[i], buffer); }, buffer, predictions);
}

void DualScan::for_each_block_predicted(CsrView documents,
                                        const std::function<void(RowBlock, std::span<const Prediction>)>& visit) const {
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
  const SparseRow column = columns_.view().row(feature);
  if (column.empty()) return prior;
  std::ranges::fill(buffer, 0.0);
  for (std::size_t p = 0; p < column.size(); ++p)
    buffer[static_cast<std::size_t>(column.features[p])] = static_cast<double>(column.values[p]);
  const auto first = static_cast<std::size_t>(column.features.front());
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
    const double learned = dot(columns_.view().row(feature), solved);
    parts.push_back({.feature = feature,
                     .value = value,
                     .weight = theta_[at(feature)],
                     .variance = variance_of(feature, buffer),
                     .smoothed = variance_[at(feature)] * (value - learned)});
  }
  return parts;
}

}  // namespace inkling
