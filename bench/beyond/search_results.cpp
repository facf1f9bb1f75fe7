#include "bench/beyond/search_results.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/studies/figure_parts.hpp"
#include "bench/studies/search_measures.hpp"

namespace inkling::bench {
namespace {

constexpr double kLowQuantile = 0.1;
constexpr double kHighQuantile = 0.9;

bool sees_marks(const Results& results, const SearchCase& searched, std::string_view name) {
  return std::ranges::any_of(results.study(searched.name).entrants,
                             [&](const EntrantResult& own) { return own.entrant.name == name; });
}

/// Whole numbers as they are, others to one decimal.
std::string short_number(double number) {
  return number == std::round(number) ? fmt::format("{:.0f}", number) : fmt::format("{:.1f}", number);
}

}  // namespace

TrialNumber useless(std::int64_t documents) {
  return [documents](const TrialResult& trial) { return useless_among(trial, documents); };
}

TrialNumber reading_for(double share) {
  return [share](const TrialResult& trial) { return least_documents_until(trial, share); };
}

std::vector<const EntrantResult*> players_in(const Results& results, const SearchCase& searched) {
  std::vector<const EntrantResult*> players;
  const auto add = [&](const EntrantResult& result) { players.push_back(&result); };
  for (const EntrantResult& own : results.study(searched.name).entrants) add(own);
  if (searched.unmarked.empty() || !results.has(searched.unmarked)) return players;
  for (const EntrantResult& other : results.study(searched.unmarked).entrants)
    if (!sees_marks(results, searched, other.entrant.name)) add(other);
  return players;
}

const EntrantResult* player_named(const std::vector<const EntrantResult*>& players, std::string_view name) {
  const auto found = std::ranges::find_if(players, [name](const EntrantResult* player) { return player->entrant.name == name; });
  return found == players.end() ? nullptr : *found;
}

const EntrantResult* best_of(const std::vector<const EntrantResult*>& players, std::span<const std::string_view> names,
                             const TrialNumber& number) {
  const EntrantResult* best = nullptr;
  double least = 0.0;
  for (const EntrantResult* player : players) {
    if (std::ranges::find(names, player->entrant.name) == names.end()) continue;
    const double mean = estimate_over_trials(*player, number).mean;
    if (best == nullptr || mean < least) {
      best = player;
      least = mean;
    }
  }
  return best;
}

std::vector<std::int64_t> first_documents(const Results& results, const SearchCase& searched) {
  const Entrant& entrant = results.study(searched.name).entrants.front().entrant;
  const std::int64_t shown = entrant.end ? entrant.end->least_rounds : entrant.rounds;
  std::vector<std::int64_t> firsts;
  for (const std::int64_t documents : kFirstDocuments)
    if (documents <= shown) firsts.push_back(documents);
  if (firsts.empty()) firsts.push_back(shown);
  return firsts;
}

std::optional<EntrantResult> over_cases(const Results& results, const std::vector<std::string_view>& cases,
                                        std::string_view name) {
  std::optional<EntrantResult> all;
  for (const std::string_view study : cases) {
    const EntrantResult* player = player_named(players_in(results, search_case(study)), name);
    if (player == nullptr) return std::nullopt;
    if (!all) all = EntrantResult{player->entrant, player->tuning, {}};
    all->trials.insert(all->trials.end(), player->trials.begin(), player->trials.end());
  }
  return all;
}

std::string spread_text(const EntrantResult& result, const TrialNumber& number) {
  const std::vector<double> values = by_trial(result, number);
  return fmt::format("{} ({} to {})", estimate_text(estimate_of(values)), short_number(quantile(values, kLowQuantile)),
                     short_number(quantile(values, kHighQuantile)));
}

std::string reading_text(const EntrantResult& result, double share) {
  const double reached = share_reaching(result, share).mean;
  if (reached <= 0.0) return "-";
  const std::string text = spread_text(result, reading_for(share));
  return reached < 1.0 ? "at least " + text : text;
}

}  // namespace inkling::bench
