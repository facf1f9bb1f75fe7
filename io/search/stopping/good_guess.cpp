#include "io/search/stopping/good_guess.hpp"

#include <algorithm>
#include <cmath>

namespace inkling {
namespace {

constexpr double kHalvings = 4.0;    // how often the weight is halved from the last rating to the first
constexpr double kSlopePrice = 0.1;  // the penalty is this times half the squared slope

struct Weighted {
  double score;
  double weight;
  double target;
};

/// Ratings with weights; scores minus their mean, in units of their deviation.
struct Standardised {
  std::vector<Weighted> ratings;
  double mean = 0.0;
  double deviation = 0.0;
};

Standardised standardised(std::span<const ScoredRating> ratings) {
  Standardised all;
  const auto count = static_cast<double>(ratings.size());
  double age = count;
  double weights = 0.0;
  for (const auto& [score, is_good] : ratings) {
    age -= 1.0;
    const double weight = std::exp2(-kHalvings * age / count);
    all.ratings.push_back({score, weight, is_good ? 1.0 : 0.0});
    all.mean += weight * score;
    weights += weight;
  }
  all.mean /= weights;
  for (const Weighted& one : all.ratings) all.deviation += one.weight * (one.score - all.mean) * (one.score - all.mean);
  all.deviation = std::sqrt(all.deviation / weights);
  if (!(all.deviation > 0.0)) return all;
  for (Weighted& one : all.ratings) one.score = (one.score - all.mean) / all.deviation;
  return all;
}

/// The function to minimise. It is convex, and has a minimum if there are good and bad ratings.
double loss(const Standardised& all, const ChanceByScore& chance) {
  double sum = 0.5 * kSlopePrice * chance.slope * chance.slope;
  for (const Weighted& one : all.ratings) {
    const double logit = chance.level + chance.slope * one.score;
    sum += one.weight * (std::max(logit, 0.0) - one.target * logit + std::log1p(std::exp(-std::fabs(logit))));
  }
  return sum;
}

/// Minimises the loss by Newton's method; a step that does not lower the loss is halved.
ChanceByScore fit(const Standardised& all) {
  constexpr int most_steps = 100;
  constexpr double small_step = 1e-9;
  ChanceByScore chance;
  double least = loss(all, chance);
  for (int step = 0; step < most_steps; ++step) {
    double level_pull = 0.0;
    double slope_pull = -kSlopePrice * chance.slope;
    double level_bend = 0.0;
    double mixed_bend = 0.0;
    double slope_bend = kSlopePrice;
    for (const Weighted& one : all.ratings) {
      const double good = chance.of(one.score);
      const double bend = one.weight * good * (1.0 - good);
      level_pull += one.weight * (one.target - good);
      slope_pull += one.weight * (one.target - good) * one.score;
      level_bend += bend;
      mixed_bend += bend * one.score;
      slope_bend += bend * one.score * one.score;
    }
    const double determinant = level_bend * slope_bend - mixed_bend * mixed_bend;
    if (!(determinant > 0.0)) return chance;
    double level = (slope_bend * level_pull - mixed_bend * slope_pull) / determinant;
    double slope = (level_bend * slope_pull - mixed_bend * level_pull) / determinant;
    ChanceByScore next = {chance.level + level, chance.slope + slope};
    while (loss(all, next) > least && std::fabs(level) + std::fabs(slope) > small_step) {
      level *= 0.5;
      slope *= 0.5;
      next = {chance.level + level, chance.slope + slope};
    }
    if (std::fabs(level) + std::fabs(slope) <= small_step) return chance;
    chance = next;
    least = loss(all, chance);
  }
  return chance;
}

std::int64_t good_of(std::span<const ScoredRating> ratings) { return std::ranges::count(ratings, true, &ScoredRating::is_good); }

}  // namespace

double ChanceByScore::of(double score) const noexcept { return 1.0 / (1.0 + std::exp(-(level + slope * score))); }

std::optional<ChanceByScore> fitted_chance(std::span<const ScoredRating> ratings) {
  const std::int64_t good = good_of(ratings);
  if (good == 0 || good == std::ssize(ratings)) return std::nullopt;
  const Standardised all = standardised(ratings);
  if (!(all.deviation > 0.0)) return std::nullopt;
  const ChanceByScore chance = fit(all);
  if (!(chance.slope > 0.0)) return std::nullopt;
  const double slope = chance.slope / all.deviation;
  return ChanceByScore{chance.level - slope * all.mean, slope};
}

std::optional<double> chance_by_score(std::span<const ScoredRating> ratings, double score) {
  if (std::ssize(ratings) < kLeastRatings) return std::nullopt;
  const std::optional<ChanceByScore> chance = fitted_chance(ratings);
  return chance ? std::optional(chance->of(score)) : std::nullopt;
}

std::optional<GoodGuess> guess_good_left(std::span<const ScoredRating> ratings,
                                         const std::function<std::vector<double>()>& unread_scores) {
  if (std::ssize(ratings) < kLately || good_of(ratings) < kLeastGood || good_of(ratings.last(kLately)) > kGoodLately)
    return std::nullopt;
  const std::optional<ChanceByScore> chance = fitted_chance(ratings);
  if (!chance) return std::nullopt;
  GoodGuess guess = {.ratings = std::ssize(ratings)};
  for (const double score : unread_scores()) guess.about += chance->of(score);
  return guess;
}

}  // namespace inkling
