#include "tests/support/engine/reference_inkling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "engine/policy/graded_learner.hpp"
#include "engine/scoring/survey/average_document.hpp"
#include "tests/support/engine/reference_beliefs.hpp"
#include "tests/support/engine/reference_ridge.hpp"

namespace inkling::test {
namespace {

struct Scale {
  double low = 0.0;
  double high = 1.0;

  [[nodiscard]] double target(double grade) const { return (grade - 0.5 * (low + high)) / (0.5 * (high - low)); }
};

Scale scale_of(const std::vector<double>& grades) {
  double lowest = 0.0;
  double highest = 0.0;
  for (const double grade : grades) {
    lowest = std::min(lowest, grade);
    highest = std::max(highest, grade);
  }
  const double largest = std::max(highest, -lowest);
  if (lowest < 0.0) return {-largest, largest};
  return {0.0, std::max(1.0, highest)};
}

struct Balance {
  double good = 1.0;
  double bad = 1.0;
  double average = 0.0;
};

bool are_far(double one, double two) { return one > 1.25 * two || two > 1.25 * one; }

/// The weights after these grades. After each grade all weights are computed from the grades so far; they replace those in use if
/// at least one differs by more than a quarter.
Balance balance_of(const std::vector<double>& grades) {
  Balance balance;
  for (std::size_t n = 1; n <= grades.size(); ++n) {
    const std::vector<double> so_far(grades.begin(), grades.begin() + static_cast<std::ptrdiff_t>(n));
    const Scale scale = scale_of(so_far);
    double good = 0.0;
    for (const double grade : so_far) good += scale.target(grade) > 0.0 ? 1.0 : 0.0;
    const double bad = static_cast<double>(n) - good;
    double less = 1.0;
    if (good > 0.0 && bad > 0.0) less = std::clamp(0.3 * good / bad, 0.05, 1.0);
    const Balance due{1.0 / less, less, 0.1 * less * static_cast<double>(n)};
    if (n == 1 || are_far(due.good, balance.good) || are_far(due.bad, balance.bad) || are_far(due.average, balance.average))
      balance = due;
  }
  return balance;
}

std::vector<double> values_of(SparseRow row, std::int32_t features) {
  std::vector<double> values(static_cast<std::size_t>(features));
  for (std::size_t n = 0; n < row.size(); ++n) values[static_cast<std::size_t>(row.features[n])] = row.values[n];
  return values;
}

/// How much of what was marked is said by all words together.
double together_of(const std::vector<SaidWord>& marks) {
  return marks.size() > 4 ? 1.0 - std::pow(4.0 / static_cast<double>(marks.size()), 2) : 0.0;
}

/// What was marked in a document, as a row of length 1.
struct Part {
  std::vector<FeatureId> features = {};
  std::vector<float> values = {};
  double weight = 0.0;
};

Part part_of(std::vector<SaidWord> marks, const std::vector<double>& document) {
  std::ranges::sort(marks, {}, &SaidWord::feature);
  Real squares = 0.0L;
  for (const SaidWord& mark : marks)
    squares += std::pow(mark.confidence * Real(document[static_cast<std::size_t>(mark.feature)]), 2);
  Part part;
  for (const SaidWord& mark : marks) {
    const Real value = mark.confidence * Real(document[static_cast<std::size_t>(mark.feature)]);
    if (value == 0.0L) continue;
    part.features.push_back(mark.feature);
    part.values.push_back(static_cast<float>(value / std::sqrt(squares)));
    part.weight = std::max(part.weight, mark.confidence * together_of(marks));
  }
  return part;
}

}  // namespace

std::vector<double> ReferenceInkling::said_grades() const {
  std::vector<double> grades;
  for (const Said& said : said_)
    if (said.document >= 0) grades.push_back(said.reward);
  return grades;
}

void ReferenceInkling::observe(DocumentId document, double reward, std::span<const SaidWord> marks) {
  said_.push_back({.document = document, .reward = reward, .marks = {marks.begin(), marks.end()}});
}

void ReferenceInkling::rate_words(std::span<const SaidWord> ratings) {
  said_.push_back({.words = {ratings.begin(), ratings.end()}});
}

bool ReferenceInkling::measured() const {
  std::set<double> values;
  std::size_t rewards = 0;
  for (const Said& one : said_) {
    if (one.document < 0) continue;
    ++rewards;
    values.insert(one.reward);
  }
  return rewards >= 3 && 4 * values.size() > 3 * rewards;
}

bool ReferenceInkling::explores_anyway() const {
  std::vector<double> grades;
  std::vector<bool> good;
  bool any_word = false;
  for (const Said& one : said_) {
    any_word = any_word || !one.words.empty();
    if (one.document < 0) continue;
    grades.push_back(one.reward);
    good.push_back(scale_of(grades).target(one.reward) > 0.0);
  }
  if (grades.empty()) return !any_word;
  if (measured()) return false;
  std::size_t bad = 0;
  while (bad < good.size() && !good[good.size() - 1 - bad]) ++bad;
  return std::count(good.begin() + 1, good.end(), true) < 2 && bad >= 8 && bad / 2 * 2 == bad;
}

std::vector<Real> ReferenceInkling::scores() const {
  if (measured()) return measured_scores();
  std::vector<Real> scores = graded_scores();
  const std::vector<double> grades = said_grades();
  const bool any_good = std::ranges::any_of(grades, [&](double grade) { return scale_of(grades).target(grade) > 0.0; });
  std::map<FeatureId, double> ratings;
  for (const Said& one : said_)
    for (const SaidWord& rating : one.words) ratings[rating.feature] = *rating.reward;
  if (any_good || std::ranges::none_of(ratings, [](const auto& one) { return one.second > 0.0; })) return scores;
  for (DocumentId i = 0; i < pool_.documents(); ++i) {
    Real& score = scores[static_cast<std::size_t>(i)];
    score = score / (2.0L * (1.0L + std::fabs(score)));
    for (const FeatureId feature : pool_.by_document.row(i).features)
      if (const auto said = ratings.find(feature); said != ratings.end())
        score += said->second > 0.0 ? 1.0L : said->second < 0.0 ? -1.0L : 0.0L;
  }
  return scores;
}

std::vector<Real> ReferenceInkling::graded_scores() const {
  constexpr float one = 1.0F;
  const AverageDocument average = average_document(pool_.by_feature);
  ReferenceRidge ridge(whole_, 1.0, 1.0);
  std::vector<FeatureId> all;
  for (FeatureId feature = 0; feature < whole_.features(); ++feature) {
    ridge.adopt(feature);
    if (feature >= pool_.features()) ridge.reweigh(feature, 1.0 / 0.05);
    all.push_back(feature);
  }
  const Balance balance = balance_of(said_grades());
  if (balance.average > 0.0)
    ridge.observe({.key = -1, .row = {average.features, average.values}, .reward = -1.0, .base = 1.0, .weight = balance.average});
  struct Word {
    double target, weight;
  };
  std::map<FeatureId, Word> words;
  std::map<DocumentId, Part> parts;
  const std::vector<double> mean = values_of(average.row(), pool_.features());
  std::vector<double> grades;
  for (const Said& said : said_) {
    for (const SaidWord& rating : said.words)
      words[rating.feature] = {std::clamp(*rating.reward, -1.0, 1.0), 3.0 * rating.confidence};
    if (said.document < 0) continue;
    grades.push_back(said.reward);
    if (scale_of(grades).target(said.reward) <= 0.0) continue;
    double fresh = 0.0;
    for (const SaidWord& mark : said.marks) fresh += words.contains(mark.feature) ? 0.0 : 1.0;
    const double share = fresh > 4.0 ? 4.0 / fresh : 1.0;
    const std::vector<double> values = values_of(pool_.by_document.row(said.document), pool_.features());
    for (const SaidWord& mark : said.marks) {
      const auto at = static_cast<std::size_t>(mark.feature);
      const double tells = values[at] == 0.0 ? 1.0 : 1.0 - 5.0 * std::fabs(mean[at]) / std::fabs(values[at]);
      const double together = together_of(said.marks);
      words.insert({mark.feature, {1.0, mark.confidence * share * (1.0 - together * (1.0 - std::max(0.0, tells)))}});
    }
    if (!said.marks.empty()) parts[said.document] = part_of(said.marks, values);
  }
  const Scale scale = scale_of(grades);
  for (const Said& said : said_) {
    if (said.document < 0) continue;
    const double target = scale.target(said.reward);
    ridge.observe({.key = said.document,
                   .row = whole_.by_document.row(said.document),
                   .reward = target,
                   .base = 1.0,
                   .weight = target > 0.0 ? balance.good : balance.bad});
  }
  for (const auto& [feature, word] : words) {
    const FeatureId* const id = &all[static_cast<std::size_t>(feature)];
    ridge.observe(
        {.key = 1'000'000 + feature, .row = {{id, 1}, {&one, 1}}, .reward = word.target, .base = 0.0, .weight = word.weight});
  }
  for (const auto& [document, part] : parts)
    if (part.weight > 0.0)
      ridge.observe(
          {.key = 2'000'000 + document, .row = {part.features, part.values}, .reward = 1.0, .base = 0.0, .weight = part.weight});
  const SolvedRidge solved = ridge.solved();
  std::vector<Real> scores;
  for (DocumentId i = 0; i < pool_.documents(); ++i) scores.push_back(solved.mean(whole_.by_document.row(i), 1.0));
  return scores;
}

std::vector<double> ReferenceInkling::precisions(std::size_t said, double scale) const {
  ReferenceBeliefs beliefs(pool_.features(), {.noise = std::sqrt(scale / pool_.features()), .norm_bound = 1.0}, {});
  for (std::size_t n = 0; n < said; ++n) {
    const Said& one = said_[n];
    std::vector<SaidWord> marks = one.marks;
    for (const SaidWord& rating : one.words)
      if (rating.reward > 0.0) marks.push_back({.feature = rating.feature, .confidence = rating.confidence});
    if (one.document >= 0)
      beliefs.observe_marks(pool_.by_document.row(one.document), marks);
    else if (!one.words.empty())
      beliefs.observe_marks({}, marks);
  }
  std::vector<double> precisions;
  for (FeatureId feature = 0; feature < pool_.features(); ++feature) precisions.push_back(beliefs.precision(feature));
  return precisions;
}

Real ReferenceInkling::evidence(std::size_t said, const std::vector<double>& precisions, Real& noise) const {
  ReferenceRidge ridge(pool_, 1.0);
  for (FeatureId feature = 0; feature < pool_.features(); ++feature) {
    ridge.adopt(feature);
    ridge.reweigh(feature, precisions[static_cast<std::size_t>(feature)]);
  }
  Real squares = 0.0L;
  Real rewards = 1.0L;
  for (std::size_t n = 0; n < said; ++n) {
    const Said& one = said_[n];
    if (one.document < 0) continue;
    ridge.observe(one.document, one.reward);
    squares += static_cast<Real>(one.reward) * static_cast<Real>(one.reward);
    rewards += 1.0L;
  }
  const SolvedRidge solved = ridge.solved();
  Real left = squares + 0.01L;
  for (std::size_t n = 0; n < said; ++n) {
    const Said& one = said_[n];
    if (one.document >= 0) left -= static_cast<Real>(one.reward) * solved.mean(pool_.by_document.row(one.document), 0.0);
  }
  noise = std::sqrt(left / rewards);
  return -0.5L * rewards * std::log(left) - 0.5L * solved.log_det_ratio;
}

std::vector<Real> ReferenceInkling::measured_scores() const {
  double scale = 1.0;
  Real noise = 0.5L;
  double next = 2.0;
  double rewards = 0.0;
  for (std::size_t n = 0; n < said_.size(); ++n) {
    if (said_[n].document < 0) continue;
    rewards += 1.0;
    if (rewards < next) continue;
    next = std::max(rewards + 1.0, 1.26 * rewards);
    Real best = -std::numeric_limits<Real>::infinity();
    for (int power = -5; power <= 8; ++power) {
      const double tried = std::pow(2.0, power);
      Real estimated = 0.0L;
      Real found = evidence(n + 1, precisions(n + 1, tried), estimated);
      const Real log_norm = std::log(estimated * estimated * pool_.features() / static_cast<Real>(tried));
      found -= 8.0L * log_norm * log_norm;
      if (found <= best + 1e-9L) continue;  // of equal ones the first counts
      best = found;
      scale = tried;
      noise = estimated;
    }
  }
  ReferenceRidge ridge(pool_, 1.0);
  const std::vector<double> now = precisions(said_.size(), scale);
  for (FeatureId feature = 0; feature < pool_.features(); ++feature) {
    ridge.adopt(feature);
    ridge.reweigh(feature, now[static_cast<std::size_t>(feature)]);
  }
  for (const Said& one : said_)
    if (one.document >= 0) ridge.observe(one.document, one.reward);
  const SolvedRidge solved = ridge.solved();
  const Real radius = noise * std::sqrt(std::log(static_cast<Real>(rewards) + 2.0L));
  std::vector<Real> scores;
  for (DocumentId i = 0; i < pool_.documents(); ++i) {
    const SparseRow row = pool_.by_document.row(i);
    scores.push_back(solved.mean(row, 0.0) + radius * std::sqrt(std::max(solved.square(row, 0.0), 0.0L)));
  }
  return scores;
}

}  // namespace inkling::test
