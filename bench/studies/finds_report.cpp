#include "bench/studies/finds_report.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "bench/studies/search_measures.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling::bench {
namespace {

constexpr double kSharesToFind[] = {0.8, 0.95};
constexpr std::size_t kSomeFinds = 10;

bool has_finds(const EntrantResult& result) {
  return std::ranges::all_of(result.trials, [](const TrialResult& trial) { return trial.finds.has_value(); });
}

std::vector<double> found_in_trials(const EntrantResult& result) {
  return by_trial(result, [rounds = result.entrant.rounds](const TrialResult& trial) { return found_among(trial, rounds); });
}

Estimate recall_of(const EntrantResult& result) {
  return estimate_over_trials(result,
                              [rounds = result.entrant.rounds](const TrialResult& trial) { return recall_among(trial, rounds); });
}

double documents_to_read(const EntrantResult& result, double share) {
  const auto read = [share](const TrialResult& trial) { return least_documents_until(trial, share); };
  return estimate_over_trials(result, read).mean;
}

/// "812", ">= 900" where some trials ended before, or "-" where all did.
std::string reading_cell(const EntrantResult& result, double share) {
  const double reached = share_reaching(result, share).mean;
  if (reached <= 0.0) return "-";
  return fmt::format("{}{:.0f}", reached < 1.0 ? ">= " : "", documents_to_read(result, share));
}

/// The mean round of the k-th find, over the trials that had k finds.
std::string find_cell(const EntrantResult& result, std::size_t k) {
  std::vector<double> rounds;
  rounds.reserve(result.trials.size());
  for (const TrialResult& trial : result.trials)
    if (trial.finds->at.size() >= k) rounds.push_back(static_cast<double>(trial.finds->at[k - 1]));
  if (rounds.empty()) return "-";
  return fmt::format("{}{:.0f}", rounds.size() < result.trials.size() ? ">= " : "", estimate_of(rounds).mean);
}

/// Pads by the width that a terminal shows.
std::string to_the_right(const std::string& text, std::size_t width) {
  const std::size_t shown = utf8_count(text);
  return std::string(shown < width ? width - shown : 0, ' ') + text;
}

std::string finds_row(const EntrantResult& result) {
  const std::vector<double> found = found_in_trials(result);
  const std::string spread = fmt::format("{:.0f} to {:.0f}", quantile(found, 0.1), quantile(found, 0.9));
  return fmt::format("  {}  {:>5.0f} %  {:>14}  {:>11}  {:>8}  {:>8}  {:>5.0f} %\n",
                     to_the_right(estimate_text(estimate_of(found)), 14), 100.0 * recall_of(result).mean, spread,
                     find_cell(result, kSomeFinds), reading_cell(result, kSharesToFind[0]),
                     reading_cell(result, kSharesToFind[1]), 100.0 * share_failed(result, result.entrant.rounds).mean);
}

void write_estimate_of(JsonWriter& json, std::string_view name, const Estimate& estimate) {
  json.key(name).begin_object();
  json.member("mean", estimate.mean).member("stderr", estimate.standard_error).end_object();
}

void write_reading(JsonWriter& json, const EntrantResult& result, double share) {
  json.key(fmt::format("documents_to_{:.0f}_percent", 100.0 * share)).begin_object();
  json.member("at_least", documents_to_read(result, share));
  json.member("share_of_trials", share_reaching(result, share).mean).end_object();
}

void write_rounds(JsonWriter& json, const EntrantResult& result) {
  json.key("rounds_of_finds").begin_array();
  for (const TrialResult& trial : result.trials) {
    json.begin_array();
    for (const std::int64_t round : trial.finds->at) json.value(round);
    json.end_array();
  }
  json.end_array();
}

}  // namespace

std::string finds_table(std::span<const EntrantResult> results, Colour colour) {
  if (!std::ranges::all_of(results, has_finds)) return "";
  const Style style(colour);
  std::size_t name_width = std::string_view("policy").size();
  for (const EntrantResult& result : results) name_width = std::max(name_width, result.entrant.name.size());
  std::string table = style.bold(fmt::format("{:<{}}  {:>14}  {:>7}  {:>14}  {:>11}  {:>8}  {:>8}  {:>7}", "policy", name_width,
                                             "found", "recall", "10 to 90 %", "to the 10th", "to 80 %", "to 95 %", "failed")) +
                      "\n";
  for (std::size_t n = 0; n < results.size(); ++n)
    table += style.series(fmt::format("{:<{}}", results[n].entrant.name, name_width), n) + finds_row(results[n]);
  return table;
}

void write_finds(const EntrantResult& result, JsonWriter& json) {
  if (!has_finds(result)) return;
  const std::vector<double> found = found_in_trials(result);
  json.key("finds").begin_object();
  write_estimate_of(json, "found", estimate_of(found));
  write_estimate_of(json, "recall", recall_of(result));
  json.key("found_quantiles").begin_object();
  json.member("0.1", quantile(found, 0.1)).member("0.5", quantile(found, 0.5));
  json.member("0.9", quantile(found, 0.9)).end_object();
  json.member("share_failed", share_failed(result, result.entrant.rounds).mean);
  for (const double share : kSharesToFind) write_reading(json, result, share);
  write_rounds(json, result);
  json.end_object();
}

}  // namespace inkling::bench
