#include "engine/scoring/live/near_means.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "engine/scoring/parallel_blocks.hpp"
#include "engine/sparse/add_scaled.hpp"

namespace inkling {
namespace {

/// Products of so many documents stay in a second-level cache.
constexpr std::int32_t kProductsTogether = 32'768;
static_assert(kProductsTogether % NearMeans::kGrouped == 0);
/// Postings so short are not worth a search for where each block begins.
constexpr std::int32_t kShortPostings = 1024;
/// Of a double; above them is its exponent.
constexpr int kMantissaBits = std::numeric_limits<double>::digits - 1;
/// With more coordinates than this, only kLookedAt in each run of kRun tell what is worth taking in.
constexpr std::size_t kFewCoordinates = 8192;
constexpr std::size_t kRun = 512;
constexpr std::size_t kLookedAt = 64;
/// A fall that is left out makes means too high, which costs far less than its length suggests.
constexpr double kWorthOfFall = 0.03;
/// An entry in a pass over all rows costs this part of a posting, whose document's mean is read and written.
constexpr double kPassCost = 0.5;
/// A margin far above the rounding of sums of squares and their roots.
constexpr double kSlackMargin = 1.0 + 1e-9;
/// As parts of the largest product possible: the most that rounding does in a pass over a row, and the rounding at
/// which everything is taken in anew.
constexpr double kPassRounding = 1e-11;
constexpr double kMostRounding = 1e-9;

/// The postings of the documents of a block.
SparseRow within(SparseRow postings, RowBlock block) noexcept {
  const auto first = std::ranges::lower_bound(postings.features, block.first);
  const auto end = std::lower_bound(first, postings.features.end(), block.end);
  const auto begin = static_cast<std::size_t>(first - postings.features.begin());
  const auto count = static_cast<std::size_t>(end - first);
  return {postings.features.subspan(begin, count), postings.values.subspan(begin, count)};
}

/// What it is worth to take in this move of a weight.
double worth(double by, double of_fall) noexcept {
  const double square = by * by;
  return by < 0.0 ? of_fall * square : square;
}

double sum_of(std::span<const double> numbers) noexcept {
  double sum = 0.0;
  for (const double number : numbers) sum += number;
  return sum;
}

}  // namespace

NearMeans::NearMeans(PoolView pool) : pool_(pool) {
  const RowBlocks blocks(pool_.documents(), kGrouped);
  struct Largest {
    double norm_square = 0.0;
    std::size_t size = 0;
    bool has_negative = false;
  };
  std::vector<Largest> by_block(static_cast<std::size_t>(blocks.count()));
  for_each_block(blocks.count(), [&](std::int32_t index) {
    Largest& largest = by_block[static_cast<std::size_t>(index)];
    for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i) {
      const SparseRow row = pool_.by_document.row(i);
      largest.norm_square = std::max(largest.norm_square, squared_norm(row));
      largest.size = std::max(largest.size, row.size());
      for (const float value : row.values) largest.has_negative |= value < 0.0F;
    }
  });
  bool has_negative = false;
  for (const Largest& largest : by_block) {
    largest_norm_square_ = std::max(largest_norm_square_, largest.norm_square);
    longest_row_ = std::max(longest_row_, largest.size);
    has_negative |= largest.has_negative;
  }
  worth_of_fall_ = has_negative ? 1.0 : kWorthOfFall;
}

void NearMeans::release() noexcept {
  // An empty list, {}, would leave them their memory.
  weights_ = std::vector<double>();
  holders_ = std::vector<std::int32_t>();
  products_ = std::vector<double>();
  highest_ = std::vector<double>();
  by_feature_ = std::vector<double>();
  rounding_ = 0.0;
  slack_ = 0.0;
  exact_ = false;
}

std::span<const double> NearMeans::weights_of_features(const DualRidgeModel& model) {
  by_feature_.resize(static_cast<std::size_t>(pool_.features()));
  const std::span<const FeatureId> features = model.coordinates();
  const std::span<const double> theta = model.theta();
  for (std::size_t a = 0; a < theta.size(); ++a)
    by_feature_[static_cast<std::size_t>(features[a])] = theta[a];
  return by_feature_;
}

void NearMeans::take(const DualRidgeModel& model) {
  see(model.coordinates());
  weights_.assign(model.theta().begin(), model.theta().end());
  const std::span<const double> by_feature = weights_of_features(model);
  base_mean_ = model.base_mean();
  make_room();
  // Rows in full are long: those of a group are enough work for a thread.
  const RowBlocks groups(pool_.documents(), kGrouped);
  for_each_block(groups.count(), [&](std::int32_t index) {
    for (DocumentId i = groups[index].first; i < groups[index].end; ++i)
      products_[static_cast<std::size_t>(i)] = dot_in_any_order(pool_.by_document.row(i), by_feature);
    measure_groups(groups[index]);
  });
  theta_square_ = 0.0;
  for (const double weight : weights_) theta_square_ += weight * weight;
  rounding_ = kPassRounding * std::sqrt(largest_norm_square_ * theta_square_);
  slack_ = rounding_;
  exact_ = true;
}

void NearMeans::make_room() {
  products_.resize(static_cast<std::size_t>(pool_.documents()));
  highest_.resize(static_cast<std::size_t>(RowBlocks(pool_.documents(), kGrouped).count()));
}

void NearMeans::see(std::span<const FeatureId> coordinates) {
  for (std::size_t a = holders_.size(); a < coordinates.size(); ++a) {
    const std::size_t holders = pool_.by_feature.row(coordinates[a]).size();
    holders_.push_back(static_cast<std::int32_t>(std::max<std::size_t>(holders, 1)));
  }
  weights_.resize(coordinates.size());
}

std::vector<NearMeans::Level> NearMeans::estimated_levels(std::span<const double> theta) const {
  const std::size_t looked_at = theta.size() > kFewCoordinates ? kLookedAt : kRun;
  const double each_is = static_cast<double>(kRun) / static_cast<double>(looked_at);
  std::vector<Level> levels(kLevels);
  for (std::size_t first = 0; first < theta.size(); first += kRun) {
    const std::size_t end = std::min(first + looked_at, theta.size());
    for (std::size_t a = first; a < end; ++a) {
      const double energy = worth(theta[a] - weights_[a], worth_of_fall_);
      const double square_each = energy / holders_[a];
      if (square_each == 0.0) continue;
      // The exponent of a NaN may come with a sign bit.
      const std::uint64_t exponent = std::bit_cast<std::uint64_t>(square_each) >> kMantissaBits;
      Level& level = levels[exponent % kLevels];
      level.postings += each_is * holders_[a];
      level.energy += each_is * energy;
    }
  }
  return levels;
}

std::optional<double> NearMeans::cheapest(const std::vector<Level>& levels,
                                          const std::function<double(double)>& cost_of_rows) const {
  double postings = 0.0;
  for (const Level& level : levels) postings += level.postings;
  const double largest = std::sqrt(largest_norm_square_);
  double left_square = 0.0;
  std::uint64_t best = 0;
  double least = postings + cost_of_rows(0.0);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    if (levels[level].energy == 0.0) continue;
    left_square += levels[level].energy;
    postings -= levels[level].postings;
    const double cost = postings + cost_of_rows(largest * std::sqrt(left_square));
    if (cost < least) {
      least = cost;
      best = level + 1;
    }
  }
  const double pass = kPassCost * static_cast<double>(pool_.by_document.nonzeros());
  if (least > pass) return std::nullopt;
  return std::bit_cast<double>(best << kMantissaBits);
}

void NearMeans::follow(const DualRidgeModel& model, const std::function<double(double)>& cost_of_rows) {
  const std::span<const FeatureId> features = model.coordinates();
  const std::span<const double> theta = model.theta();
  base_mean_ = model.base_mean();
  see(features);
  make_room();
  const std::optional<double> least_each = cheapest(estimated_levels(theta), cost_of_rows);
  if (!least_each) return take(model);
  // Lanes without a branch, so that the compiler vectorises.
  constexpr std::size_t lanes = 32;
  struct Sums {
    std::array<double, lanes> theta{}, left{}, rose{};
  };
  Sums squares;
  std::array<double, lanes> moved{};
  double moved_square = 0.0;
  std::vector<Move> moves;
  std::vector<Move> long_moves;
  const double limit = *least_each;
  const double of_fall = worth_of_fall_;
  for (std::size_t first = 0; first < theta.size(); first += lanes) {
    const std::size_t count = std::min(lanes, theta.size() - first);
    const double* const now = theta.data() + first;
    const double* const before = weights_.data() + first;
    const std::int32_t* const holders = holders_.data() + first;
    const auto look_at = [&](std::size_t n) {
      const double by = now[n] - before[n];
      const double square = by * by;
      const double left = worth(by, of_fall) <= limit * holders[n] ? square : 0.0;
      moved[n] = square - left;
      squares.theta[n] += now[n] * now[n];
      squares.left[n] += left;
      squares.rose[n] += by < 0.0 ? 0.0 : left;
    };
    if (count == lanes)
      for (std::size_t n = 0; n < lanes; ++n) look_at(n);
    else
      for (std::size_t n = 0; n < count; ++n) look_at(n);
    const double moved_here = sum_of(std::span(moved).first(count));
    if (moved_here == 0.0) continue;
    moved_square += moved_here;
    for (std::size_t a = first; a < first + count; ++a) {
      const double by = theta[a] - weights_[a];
      if (worth(by, of_fall) <= limit * holders_[a]) continue;
      (holders_[a] > kShortPostings ? long_moves : moves).push_back({features[a], by});
      weights_[a] += by;
    }
  }
  theta_square_ = sum_of(squares.theta);
  const double left_square = sum_of(squares.left);
  add(moves, long_moves);
  count_rounding(moved_square + left_square, moves.size() + long_moves.size());
  const double largest = std::sqrt(largest_norm_square_);
  slack_ = (largest * std::sqrt(worth_of_fall_ < 1.0 ? sum_of(squares.rose) : left_square) + rounding_) *
           kSlackMargin;
  exact_ = left_square == 0.0;
  if (rounding_ > kMostRounding * largest * std::sqrt(theta_square_)) take(model);
}

void NearMeans::add(std::span<const Move> moves, std::span<const Move> long_moves) {
  const RowBlocks blocks(pool_.documents(), kProductsTogether);
  for (const Move& move : moves) add_scaled(products_, pool_.by_feature.row(move.feature), move.by);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    for (const Move& move : long_moves)
      add_scaled(products_, within(pool_.by_feature.row(move.feature), blocks[index]), move.by);
    measure_groups(blocks[index]);  // as long as they are in the cache
  });
}

/// Those of the block. Requires: it begins and ends as groups do.
void NearMeans::measure_groups(RowBlock block) {
  constexpr std::size_t lanes = 8;  // so that the compiler vectorises
  const RowBlocks groups(pool_.documents(), kGrouped);
  for (std::int32_t group = block.first / kGrouped; group <= (block.end - 1) / kGrouped; ++group) {
    const std::size_t count = groups[group].size();
    const double* const products = products_.data() + groups[group].first;
    std::array<double, lanes> highest{};
    std::array<double, lanes> zero{};
    highest.fill(-std::numeric_limits<double>::infinity());
    const auto include = [&](std::size_t lane, double product) {
      highest[lane] = product > highest[lane] ? product : highest[lane];
      zero[lane] += 0.0 * product;
    };
    std::size_t n = 0;
    for (; n + lanes <= count; n += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) include(lane, products[n + lane]);
    for (; n < count; ++n) include(0, products[n]);
    // NaN and infinity may rank anywhere.
    const bool finite = std::ranges::all_of(zero, [](double sum) { return sum == 0.0; });
    highest_[static_cast<std::size_t>(group)] =
        finite ? std::ranges::max(highest) : std::numeric_limits<double>::infinity();
  }
}

/// A move carries the rounding of its difference and of its sum with the weight. A document's product carries its own
/// rounding and that of one sum for each move that the document holds.
void NearMeans::count_rounding(double moved_square, std::size_t moves) {
  constexpr double unit = std::numeric_limits<double>::epsilon();
  const double norm = std::sqrt(largest_norm_square_);
  const double largest_weight = std::sqrt(theta_square_) + 2.0 * std::sqrt(moved_square);
  const auto sums = static_cast<double>(std::min(moves, longest_row_));
  rounding_ += unit * norm * largest_weight * (sums + 4.0);
}

}  // namespace inkling
