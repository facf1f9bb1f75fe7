#include "bench/studies/search_measures.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace inkling::bench {
namespace {

const Finds& finds_of(const TrialResult& trial) {
  assert(trial.finds);
  return *trial.finds;
}

double of_perfect_search(const TrialResult& trial, std::int64_t documents) {
  const auto perfect = static_cast<double>(std::min(documents, finds_of(trial).there));
  return perfect > 0.0 ? found_among(trial, documents) / perfect : 1.0;
}

}  // namespace

double found_among(const TrialResult& trial, std::int64_t documents) {
  const std::vector<std::int64_t>& at = finds_of(trial).at;
  return static_cast<double>(std::ranges::upper_bound(at, documents) - at.begin());
}

double recall_among(const TrialResult& trial, std::int64_t documents) {
  const auto there = static_cast<double>(finds_of(trial).there);
  return there > 0.0 ? found_among(trial, documents) / there : 0.0;
}

std::optional<std::int64_t> documents_until(const TrialResult& trial, double share) {
  assert(share >= 0.0 && share <= 1.0);
  const Finds& finds = finds_of(trial);
  constexpr double rounding = 1e-9;  // 0.95 * 20 is 19, also where it is computed as a little more
  const auto wanted = static_cast<std::size_t>(std::ceil(share * static_cast<double>(finds.there) - rounding));
  if (wanted == 0) return 0;
  if (finds.at.size() < wanted) return std::nullopt;
  return finds.at[wanted - 1];
}

double least_documents_until(const TrialResult& trial, double share) {
  return static_cast<double>(documents_until(trial, share).value_or(finds_of(trial).rounds + 1));
}

Estimate share_reaching(const EntrantResult& result, double share) {
  return estimate_over_trials(result, [share](const TrialResult& trial) { return documents_until(trial, share) ? 1.0 : 0.0; });
}

Estimate share_failed(const EntrantResult& result, std::int64_t documents, std::size_t kinds) {
  const std::vector<double> found =
      by_trial(result, [documents](const TrialResult& trial) { return of_perfect_search(trial, documents); });
  std::vector<double> failed(found.size(), 0.0);
  for (std::size_t kind = 0; kind < std::min(kinds, found.size()); ++kind) {
    std::vector<double> of_kind;
    of_kind.reserve(found.size() / kinds + 1);
    for (std::size_t trial = kind; trial < found.size(); trial += kinds) of_kind.push_back(found[trial]);
    const double half = 0.5 * quantile(std::move(of_kind), 0.5);
    for (std::size_t trial = kind; trial < found.size(); trial += kinds) failed[trial] = found[trial] < half ? 1.0 : 0.0;
  }
  return estimate_of(failed);
}

double quantile(std::vector<double> values, double share) {
  assert(!values.empty() && share >= 0.0 && share <= 1.0);
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
}

}  // namespace inkling::bench
