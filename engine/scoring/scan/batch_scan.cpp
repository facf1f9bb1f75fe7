#include "engine/scoring/scan/batch_scan.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <type_traits>
#include <utility>

#include "engine/scoring/parallel_blocks.hpp"

namespace inkling {
namespace {

/// The order in which these features ascend.
std::vector<std::size_t> ascending_order(std::span<const FeatureId> features) {
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t position) { return features[position]; });
  return order;
}

std::vector<FeatureId> sorted(std::span<const FeatureId> features) {
  std::vector<FeatureId> ascending(features.begin(), features.end());
  std::ranges::sort(ascending);
  return ascending;
}

/// Theta and V^-1 as the kernel below reads them.
struct ModelArrays {
  const double* theta;
  const double* inverse;
  std::size_t size;
};

/// x'theta and x'V^-1 x of a document of `count` entries.
inline Prediction prediction_of(const ModelArrays& model, const std::int32_t* positions, const double* values,
                                std::size_t count) noexcept {
  double mean = 0.0;
  const double square = quadratic_form(
      count, [&](std::size_t n) { return positions[n]; }, [&](std::size_t n) { return values[n]; },
      [&](std::size_t a) { return model.inverse + a * model.size; },
      [&](std::size_t a, double value) { mean += value * model.theta[a]; });
  return {mean, square};
}

/// Rows in groups of equal counts of entries: the processor predicts where a group ends, but not where a row ends.
class RowsByCount {
 public:
  static constexpr std::size_t kMostRows = 512;
  /// Rows of this many entries or more are one group.
  static constexpr std::size_t kMany = 9;

  RowsByCount(const RestrictedRows& rows, std::size_t first, std::size_t end) {
    std::array<std::uint16_t, kMany + 2> next{};
    for (std::size_t row = first; row < end; ++row) ++next[group_of(rows, row) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    begins_ = next;
    for (std::size_t row = first; row < end; ++row) rows_[next[group_of(rows, row)]++] = static_cast<std::uint16_t>(row - first);
  }

  /// Counted from the first row.
  [[nodiscard]] std::span<const std::uint16_t> group(std::size_t count) const noexcept {
    return std::span(rows_).subspan(begins_[count], static_cast<std::size_t>(begins_[count + 1] - begins_[count]));
  }

 private:
  [[nodiscard]] static std::size_t group_of(const RestrictedRows& rows, std::size_t row) noexcept {
    return std::min(rows.ends[row] - rows.begin(row), kMany);
  }

  std::array<std::uint16_t, kMany + 2> begins_{};
  std::array<std::uint16_t, kMostRows> rows_{};
};

/// Calls work(std::integral_constant<count>) for each count below kMany.
template <std::size_t... counts, typename Work>
void for_each_count(std::index_sequence<counts...> /*counts*/, const Work& work) {
  (work(std::integral_constant<std::size_t, counts>{}), ...);
}

}  // namespace

/// With the base feature in it x'V^-1 x has the square of its own entry, and twice the product with each other one.
void BatchScan::add_base(RestrictedRow x, Prediction& prediction) const noexcept {
  prediction.mean += base_.mean;
  prediction.square += base_.square + 2.0 * dot(x, base_.cross);
}

BatchScan::BatchScan(std::span<const FeatureId> features, std::span<const double> theta, std::span<const double> inverse)
    : filter_(sorted(features)) {
  const std::vector<std::size_t> order = ascending_order(features);
  const std::size_t m = order.size();
  assert(theta.size() == m && inverse.size() == m * m);
  theta_.reserve(m);
  inverse_.reserve(m * m);
  for (const std::size_t a : order) {
    theta_.push_back(theta[a]);
    for (const std::size_t b : order) inverse_.push_back(inverse[a * m + b]);
  }
}

BatchScan::BatchScan(std::span<const FeatureId> features, std::span<const double> theta, std::span<const double> inverse,
                     ScanBase base)
    : BatchScan(features, theta, inverse) {
  assert(std::ranges::is_sorted(features) && (base.cross.empty() || base.cross.size() == features.size()));
  base_ = std::move(base);
}

Prediction BatchScan::predict(SparseRow row, RestrictedRows& buffer) const {
  const RestrictedRow x = filter_.restrict_row(row, buffer);
  Prediction prediction =
      prediction_of({theta_.data(), inverse_.data(), theta_.size()}, x.positions.data(), x.values.data(), x.size());
  if (base_.square != 0.0) add_base(x, prediction);
  return prediction;
}

std::vector<ScorePart> BatchScan::parts_of(SparseRow row) const {
  RestrictedRows buffer;
  const RestrictedRow x = filter_.restrict_row(row, buffer);
  std::vector<ScorePart> parts;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const auto a = static_cast<std::size_t>(x.positions[n]);
    const std::span<const double> inverse_row = inverse().subspan(a * theta_.size(), theta_.size());
    parts.push_back({.feature = features()[a],
                     .value = x.values[n],
                     .weight = theta_[a],
                     .variance = inverse_row[a],
                     .smoothed = dot(x, inverse_row) + (base_.cross.empty() ? 0.0 : base_.cross[a])});
  }
  return parts;
}

void BatchScan::predict(const RestrictedRows& rows, std::span<Prediction> predictions) const {
  assert(predictions.size() == rows.rows());
  const ModelArrays model{theta_.data(), inverse_.data(), theta_.size()};
  for (std::size_t first = 0; first < rows.rows(); first += RowsByCount::kMostRows) {
    const std::size_t end = std::min(first + RowsByCount::kMostRows, rows.rows());
    const RowsByCount by_count(rows, first, end);
    const auto predict_group = [&](std::size_t group, auto count) {
      for (const std::uint16_t index : by_count.group(group)) {
        const std::size_t row = first + index;
        const std::size_t begin = rows.begin(row);
        predictions[row] = prediction_of(model, rows.positions.data() + begin, rows.values.data() + begin, count(row, begin));
      }
    };
    for_each_count(std::make_index_sequence<RowsByCount::kMany>(), [&](auto constant) {
      predict_group(constant(), [](std::size_t, std::size_t) { return decltype(constant)::value; });
    });
    predict_group(RowsByCount::kMany, [&](std::size_t row, std::size_t begin) { return rows.ends[row] - begin; });
  }
  if (base_.square == 0.0) return;
  for (std::size_t row = 0; row < rows.rows(); ++row) add_base(rows.row(row), predictions[row]);
}

void BatchScan::for_each_block_predicted(CsrView documents,
                                         const std::function<void(RowBlock, std::span<const Prediction>)>& visit) const {
  const RowBlocks blocks(documents.rows(), kRowsPerBlock);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    const RowBlock rows = blocks[index];
    std::array<Prediction, kRowsPerBlock> predictions{};
    const auto of_rows = std::span(predictions).first(rows.size());
    RestrictedRows restricted;
    filter_.restrict_rows(documents, rows, restricted);
    predict(restricted, of_rows);
    visit(rows, of_rows);
  });
}

void BatchScan::score_all(CsrView documents, std::span<double> mean, std::span<double> square) const {
  assert(mean.size() == static_cast<std::size_t>(documents.rows()) && square.size() == mean.size());
  for_each(documents, [&](DocumentId i, const Prediction& prediction) {
    mean[static_cast<std::size_t>(i)] = prediction.mean;
    square[static_cast<std::size_t>(i)] = prediction.square;
  });
}

std::vector<Ranked> BatchScan::best(CsrView documents, double radius, std::int32_t count,
                                    const std::function<bool(DocumentId)>& remains) const {
  assert(count >= 0);
  const auto wanted = static_cast<std::size_t>(count);
  const RowBlocks blocks(documents.rows(), kRowsPerBlock);
  std::vector<std::vector<Ranked>> by_block(static_cast<std::size_t>(blocks.count()));
  for_each_block_predicted(documents, [&](RowBlock block, std::span<const Prediction> predictions) {
    std::vector<Ranked>& best = by_block[static_cast<std::size_t>(block.first / kRowsPerBlock)];
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      const DocumentId document = block.first + static_cast<DocumentId>(i);
      if (remains && !remains(document)) continue;
      keep_best(best, wanted, Ranked{document, optimism(predictions[i].mean, predictions[i].square, radius)});
    }
  });
  std::vector<Ranked> best;
  for (const std::vector<Ranked>& of_block : by_block)
    for (const Ranked& candidate : of_block) keep_best(best, wanted, candidate);
  std::ranges::sort(best, ranks_before);
  return best;
}

}  // namespace inkling
