#include "engine/scoring/live/near_means.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "engine/scoring/parallel_blocks.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/sparse/add_scaled.hpp"

namespace inkling {
namespace {

/// Products of this many documents fit in a second-level cache.
constexpr std::int32_t kProductsTogether = 32'768;
static_assert(kProductsTogether % NearMeans::kGrouped == 0);
/// For shorter postings, searching for the beginning of each block does not pay.
constexpr std::int32_t kShortPostings = 1024;
/// Postings are prefetched this many features ahead.
constexpr std::size_t kListsAhead = 8;
/// Mantissa bits of a double; the exponent is above them.
constexpr int kMantissaBits = std::numeric_limits<double>::digits - 1;
/// With more coordinates than this, only kLookedAt in each run of kRun are sampled to decide which changes to apply.
constexpr std::size_t kFewCoordinates = 8192;
constexpr std::size_t kRun = 512;
constexpr std::size_t kLookedAt = 64;
/// The weight of a fall relative to a rise. A fall that is not applied makes means too high, which costs far less than its length
/// suggests, and almost nothing while no weight is positive, because then the highest documents hold few of the words.
constexpr double kWorthOfFall = 0.03;
constexpr double kWorthOfEarlyFall = 1e-5;
/// The cost of an entry in a pass over all rows, relative to a posting, for which a document's mean is read and written.
constexpr double kPassCost = 0.5;
/// The rows checked because of rounding are fewer than the estimate by about this factor.
constexpr double kPassesOfRounding = 16.0;
/// The cost of a word of the average document, in postings: the median of all of them is computed.
constexpr double kAverageWordCost = 16.0;
/// Weights are scaled only if the rest is then less than this part of what it would be without scaling.
constexpr double kWorthScaling = 0.25;
constexpr int kScalingSteps = 8;
constexpr double kSmallestScale = 1e-9;
/// The change along the average document is applied only if it costs less than this part of a pass.
constexpr double kShareOfPass = 0.25;
constexpr double kUnit = std::numeric_limits<double>::epsilon();
constexpr double kUnitOfProducts = std::numeric_limits<float>::epsilon();
constexpr double kSmallestProduct = std::numeric_limits<float>::denorm_min();
/// A margin far above the rounding of sums of squares and their roots.
constexpr double kSlackMargin = 1.0 + 1e-9;
/// The largest rounding error in a pass over a row, relative to the largest possible product.
constexpr double kPassRounding = 1e-11;

/// The postings of the documents of a block.
SparseRow within(SparseRow postings, RowBlock block) noexcept {
  const auto first = std::ranges::lower_bound(postings.features, block.first);
  const auto end = std::lower_bound(first, postings.features.end(), block.end);
  const auto begin = static_cast<std::size_t>(first - postings.features.begin());
  const auto count = static_cast<std::size_t>(end - first);
  return {postings.features.subspan(begin, count), postings.values.subspan(begin, count)};
}

/// The benefit of applying this move of a weight.
double worth(double by, double of_fall) noexcept {
  const double square = by * by;
  return by < 0.0 ? of_fall * square : square;
}

/// Calls `look_at` with the index of each coordinate, or with some of them if they are many. Returns how many
/// coordinates there are for each of those.
template <typename LookAt>
double for_a_sample(std::size_t coordinates, const LookAt& look_at) {
  const std::size_t looked_at = coordinates > kFewCoordinates ? kLookedAt : kRun;
  for (std::size_t first = 0; first < coordinates; first += kRun)
    for (std::size_t a = first; a < std::min(first + looked_at, coordinates); ++a) look_at(a);
  return static_cast<double>(kRun) / static_cast<double>(looked_at);
}

double sum_of(std::span<const double> numbers) noexcept {
  double sum = 0.0;
  for (const double number : numbers) sum += number;
  return sum;
}

/// The largest of some products, and of their sizes. Both are infinite if one product is not finite.
struct Extremes {
  float highest;
  float largest;
};

/// Not inlined, because that makes the loops of its callers slower.
[[gnu::noinline]] Extremes extremes_of(std::span<const float> products) noexcept {
  constexpr std::size_t lanes = 32;  // enough for the compiler to vectorise
  constexpr float infinite = std::numeric_limits<float>::infinity();
  std::array<float, lanes> highest{};
  std::array<float, lanes> lowest{};
  std::array<float, lanes> zero{};
  highest.fill(-infinite);
  lowest.fill(infinite);
  const auto include = [&](std::size_t lane, float product) {
    highest[lane] = product > highest[lane] ? product : highest[lane];
    lowest[lane] = product < lowest[lane] ? product : lowest[lane];
    zero[lane] += 0.0F * product;
  };
  std::size_t n = 0;
  for (; n + lanes <= products.size(); n += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) include(lane, products[n + lane]);
  for (; n < products.size(); ++n) include(0, products[n]);
  // NaN and infinity may rank anywhere.
  if (!std::ranges::all_of(zero, [](float sum) { return sum == 0.0F; })) return {infinite, infinite};
  const float most = std::ranges::max(highest);
  return {most, std::max(most, -std::ranges::min(lowest))};
}

}  // namespace

void NearMeans::release() noexcept {
  // Assigning {} would not free the memory.
  weights_ = std::vector<double>();
  holders_ = std::vector<std::int32_t>();
  products_ = std::vector<float>();
  highest_ = std::vector<float>();
  largest_ = std::vector<float>();
  by_feature_ = std::vector<double>();
  by_feature_known_ = false;
  average_at_ = std::vector<AverageAt>();
  average_square_ = 0.0;
  rounding_ = 0.0;
  cost_of_rounding_ = 0.0;
  slack_ = 0.0;
  exact_ = false;
  scale_ = 1.0;
}

std::span<const double> NearMeans::weights_of_features(const ModelWeights& model) {
  if (std::exchange(by_feature_known_, true)) return by_feature_;
  by_feature_.resize(static_cast<std::size_t>(pool_.features()));
  const std::span<const FeatureId> features = model.coordinates;
  const std::span<const double> theta = model.theta;
  for (std::size_t a = 0; a < theta.size(); ++a) by_feature_[static_cast<std::size_t>(features[a])] = theta[a];
  return by_feature_;
}

void NearMeans::take(const ModelWeights& model) {
  by_feature_known_ = false;
  see(model.coordinates);
  weights_.assign(model.theta.begin(), model.theta.end());
  const std::span<const double> by_feature = weights_of_features(model);
  base_mean_ = model.base_mean;
  scale_ = 1.0;
  make_room();
  // Full rows are long, so a group of them is enough work for a thread.
  const RowBlocks groups(pool_.documents(), kGrouped);
  find_lengths();
  std::vector<RowLengths> lengths(lengths_ ? 0 : static_cast<std::size_t>(groups.count()));
  for_each_block(groups.count(), [&](std::int32_t index) {
    // While its rows are in the cache.
    for (DocumentId i = groups[index].first; !lengths.empty() && i < groups[index].end; ++i)
      lengths[static_cast<std::size_t>(index)].include(pool_.by_document.row(i));
    for (DocumentId i = groups[index].first; i < groups[index].end; ++i)
      products_[static_cast<std::size_t>(i)] = static_cast<float>(dot_in_any_order(pool_.by_document.row(i), by_feature));
    measure_groups(groups[index]);
  });
  if (!lengths_) lengths_.emplace();
  for (const RowLengths& part : lengths) lengths_->include(part);
  theta_square_ = 0.0;
  for (const double weight : weights_) theta_square_ += weight * weight;
  rounding_ = kPassRounding * std::sqrt(lengths_->largest_norm_square * theta_square_) + kUnitOfProducts * largest_product() +
              kSmallestProduct;
  slack_ = rounding_;
  cost_of_rounding_ = 0.0;
  exact_ = true;
}

void NearMeans::find_lengths() {
  if (!lengths_ && survey_ != nullptr) lengths_ = survey_->rows().lengths;
}

void NearMeans::make_room() {
  products_.resize(static_cast<std::size_t>(pool_.documents()));
  highest_.resize(static_cast<std::size_t>(RowBlocks(pool_.documents(), kGrouped).count()));
  largest_.resize(highest_.size());
}

void NearMeans::see(std::span<const FeatureId> coordinates) {
  for (std::size_t a = holders_.size(); a < coordinates.size(); ++a) {
    const std::size_t holders = pool_.by_feature.row(coordinates[a]).size();
    holders_.push_back(static_cast<std::int32_t>(std::max<std::size_t>(holders, 1)));
  }
  weights_.resize(coordinates.size());
}

std::vector<NearMeans::Level> NearMeans::estimated_levels(std::span<const double> theta, double of_fall) const {
  std::vector<Level> levels(kLevels);
  const double each_is = for_a_sample(theta.size(), [&](std::size_t a) {
    const double energy = worth(theta[a] - weights_[a], of_fall);
    const double square_each = energy / holders_[a];
    if (square_each == 0.0) return;
    // The exponent of a NaN may come with a sign bit.
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(square_each) >> kMantissaBits;
    Level& level = levels[exponent % kLevels];
    level.postings += holders_[a];
    level.energy += energy;
  });
  for (Level& level : levels) level = {each_is * level.postings, each_is * level.energy};
  return levels;
}

/// Finds the factor that leaves least, with rises weighted 1 and falls `of_fall`: by iterated least squares, with the weights
/// that the last factor gave.
void NearMeans::take_scale(std::span<const double> theta, double of_fall) {
  double by = 1.0;
  double without = 0.0;
  for (int step = 0; step < kScalingSteps; ++step) {
    double left = 0.0;
    double along = 0.0;
    double square = 0.0;
    for_a_sample(theta.size(), [&](std::size_t a) {
      const double move = theta[a] - by * weights_[a];
      const double each = move < 0.0 ? of_fall : 1.0;
      left += each * move * move;
      along += each * theta[a] * weights_[a];
      square += each * weights_[a] * weights_[a];
    });
    if (step == 0) without = left;
    if (step == 1 && !(left < kWorthScaling * without)) return;
    const double before = std::exchange(by, along / square);
    if (!(scale_ * by > kSmallestScale) || !std::isfinite(by)) return;
    if (by == before) break;
  }
  scale_ *= by;
  for (double& weight : weights_) weight *= by;
  constexpr std::size_t sums = 2;
  count_rounding((by - 1.0) * (by - 1.0) * theta_square_, sums);
}

std::optional<double> NearMeans::cheapest(const std::vector<Level>& levels, const std::function<double(double)>& cost_of_rows,
                                          double most) const {
  double postings = 0.0;
  for (const Level& level : levels) postings += level.postings;
  const double largest = std::sqrt(lengths_->largest_norm_square);
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
  if (least > most) return std::nullopt;
  return std::bit_cast<double>(best << kMantissaBits);
}

void NearMeans::follow(const ModelWeights& model, const std::function<double(double)>& cost_of_rows) {
  by_feature_known_ = false;
  const std::span<const FeatureId> features = model.coordinates;
  const std::span<const double> theta = model.theta;
  base_mean_ = model.base_mean;
  const double pass = kPassCost * static_cast<double>(pool_.by_document.nonzeros());
  find_lengths();
  if (!lengths_) return take(model);
  see(features);
  make_room();
  const bool is_good_known = std::ranges::any_of(theta, [](double weight) { return weight > 0.0; });
  double of_fall = is_good_known ? kWorthOfFall : kWorthOfEarlyFall;  // relative to a rise
  if (lengths_->has_negative) of_fall = 1.0;
  if (!is_good_known) take_scale(theta, of_fall);
  std::optional<double> least_each = cheapest(estimated_levels(theta, of_fall), cost_of_rows, pass);
  if (!least_each && cost_of_average() < kShareOfPass * pass && take_average(model))
    least_each = cheapest(estimated_levels(theta, of_fall), cost_of_rows, pass - cost_of_average());
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
    // Which of them moved, without a branch on each.
    std::array<std::uint8_t, lanes> which{};
    std::size_t those = 0;
    for (std::size_t n = 0; n < count; ++n) {
      which[those] = static_cast<std::uint8_t>(n);
      those += static_cast<std::size_t>(moved[n] != 0.0);
    }
    for (std::size_t k = 0; k < those; ++k) {
      const std::size_t a = first + which[k];
      const double by = theta[a] - weights_[a];
      (holders_[a] > kShortPostings ? long_moves : moves).push_back({features[a], by});
      weights_[a] += by;
    }
  }
  theta_square_ = sum_of(squares.theta);
  const double left_square = sum_of(squares.left);
  const std::size_t sums = std::min(moves.size() + long_moves.size(), lengths_->longest_row);
  count_rounding(moved_square + left_square, sums);
  count_rounding_of_products(moved_square, sums);
  add(moves, long_moves);
  const double largest = std::sqrt(lengths_->largest_norm_square);
  slack_ = (largest * std::sqrt(of_fall < 1.0 ? sum_of(squares.rose) : left_square) + rounding_) * kSlackMargin;
  exact_ = left_square == 0.0;
  cost_of_rounding_ += cost_of_rows(slack_) - cost_of_rows(slack_ - rounding_ * kSlackMargin);
  if (!(cost_of_rounding_ <= kPassesOfRounding * pass)) take(model);
}

/// Returns whether each of its features is a coordinate of the model.
bool NearMeans::find_average(std::span<const FeatureId> coordinates) {
  if (!average_at_.empty()) return true;
  const SparseRow average = survey_->average().row();
  std::vector<float> value_of(static_cast<std::size_t>(pool_.features()));
  for (std::size_t n = 0; n < average.size(); ++n) value_of[static_cast<std::size_t>(average.features[n])] = average.values[n];
  std::vector<AverageAt> found;
  average_square_ = 0.0;
  for (std::size_t a = 0; a < coordinates.size(); ++a) {
    const auto value = static_cast<double>(value_of[static_cast<std::size_t>(coordinates[a])]);
    if (value != 0.0) found.push_back({a, value});
    average_square_ += value * value;
  }
  if (std::ssize(found) < std::ranges::count_if(average.values, [](float value) { return value != 0.0F; })) return false;
  average_at_ = std::move(found);
  return !average_at_.empty();
}

double NearMeans::cost_of_average() const noexcept {
  if (!is_average_learned_) return std::numeric_limits<double>::infinity();
  return pool_.documents() + kAverageWordCost * static_cast<double>(survey_->average().features.size());
}

bool NearMeans::take_average(const ModelWeights& model) {
  if (!find_average(model.coordinates)) return false;
  // The words that no played document holds all moved by the same part of it, and they are the most.
  const std::span<const double> theta = model.theta;
  std::vector<double> parts;
  parts.reserve(average_at_.size());
  for (const auto& [a, value] : average_at_) parts.push_back(sort_key((theta[a] - weights_[a]) / value));
  const auto middle = parts.begin() + std::ssize(parts) / 2;
  std::ranges::nth_element(parts, middle);
  const double part = *middle;
  if (part == 0.0 || !std::isfinite(part)) return false;
  const std::span<const double> along = survey_->rows().along;
  count_rounding_of_products(part * part * average_square_, 1);
  const RowBlocks blocks(pool_.documents(), kProductsTogether);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    const auto end = static_cast<std::size_t>(blocks[index].end);
    for (auto i = static_cast<std::size_t>(blocks[index].first); i < end; ++i)
      products_[i] = static_cast<float>(static_cast<double>(products_[i]) + part / scale_ * along[i]);
    measure_groups(blocks[index]);
  });
  // A weight needs no further change if it differs from the model's only by rounding.
  for (const auto& [a, value] : average_at_) {
    const double taken = weights_[a] + part * value;
    const double rounding = 4.0 * kUnit * (std::fabs(weights_[a]) + std::fabs(theta[a]));
    weights_[a] = std::fabs(theta[a] - taken) <= rounding ? theta[a] : taken;
  }
  constexpr std::size_t sums = 16;
  count_rounding(part * part * average_square_, sums);
  rounding_ += kPassRounding * std::fabs(part) * std::sqrt(lengths_->largest_norm_square * average_square_);
  return true;
}

void NearMeans::add(std::span<const Move> moves, std::span<const Move> long_moves) {
  const RowBlocks blocks(pool_.documents(), kProductsTogether);
  const auto by = [this](const Move& move) { return static_cast<float>(move.by / scale_); };
  // Most of the time is spent waiting for short postings, so they are prefetched.
  for (std::size_t m = 0; m < moves.size(); ++m) {
    if (m + 2 * kListsAhead < moves.size()) pool_.by_feature.prefetch_place(moves[m + 2 * kListsAhead].feature);
    if (m + kListsAhead < moves.size()) pool_.by_feature.row(moves[m + kListsAhead].feature).prefetch();
    add_scaled(std::span(products_), pool_.by_feature.row(moves[m].feature), by(moves[m]));
  }
  for_each_block(blocks.count(), [&](std::int32_t index) {
    for (const Move& move : long_moves)
      add_scaled(std::span(products_), within(pool_.by_feature.row(move.feature), blocks[index]), by(move));
    measure_groups(blocks[index]);  // while they are in the cache
  });
}

/// Measures the groups of the block. Requires: it begins and ends at borders of groups.
void NearMeans::measure_groups(RowBlock block) {
  const RowBlocks groups(pool_.documents(), kGrouped);
  for (std::int32_t group = block.first / kGrouped; group <= (block.end - 1) / kGrouped; ++group) {
    const auto first = static_cast<std::size_t>(groups[group].first);
    const Extremes found = extremes_of(std::span(products_).subspan(first, groups[group].size()));
    highest_[static_cast<std::size_t>(group)] = found.highest;
    largest_[static_cast<std::size_t>(group)] = found.largest;
  }
}

double NearMeans::largest_product() const noexcept {
  return scale_ * static_cast<double>(largest_.empty() ? 0.0F : std::ranges::max(largest_));
}

/// Each move has the rounding of a difference and of a sum. Each product accumulates the rounding of at most `sums`
/// updates.
void NearMeans::count_rounding(double moved_square, std::size_t sums) {
  const double norm = std::sqrt(lengths_->largest_norm_square);
  const double largest_weight = std::sqrt(theta_square_) + 2.0 * std::sqrt(moved_square);
  rounding_ += kUnit * norm * largest_weight * (static_cast<double>(sums) + 4.0);
}

/// No sum differs from the earlier product by more than the document's length times that of the moves. The terms are rounded as
/// well: the move, and its product with the document's value.
void NearMeans::count_rounding_of_products(double moved_square, std::size_t sums) {
  const double norm = std::sqrt(lengths_->largest_norm_square);
  const double moved = norm * std::sqrt(moved_square);
  rounding_ += kUnitOfProducts * moved + static_cast<double>(sums) * (kUnitOfProducts * (largest_product() + moved) +
                                                                      scale_ * kSmallestProduct * (norm + 1.0));
}

}  // namespace inkling
