// The tables and charts of the searches.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "bench/beyond/search_results.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/search_measures.hpp"

namespace inkling::bench {
namespace {

/// Milliseconds of choosing and learning, in the mean of all rounds and in the slowest of them.
std::string mean_milliseconds(const EntrantResult& result) {
  double seconds = 0.0;
  double rounds = 0.0;
  for (const TrialResult& trial : result.trials) {
    seconds += trial.decision_seconds;
    rounds += static_cast<double>(trial.finds->rounds);
  }
  return rounds > 0.0 ? fmt::format("{:.2f}", 1e3 * seconds / rounds) : "-";
}

std::string worst_milliseconds(const EntrantResult& result) {
  const std::vector<double> slowest = by_trial(result, [](const TrialResult& trial) { return trial.slowest_seconds; });
  return fmt::format("{:.1f}", 1e3 * std::ranges::max(slowest));
}

std::string percent(const Estimate& share) { return fmt::format("{:.1f} %", 100.0 * share.mean); }

std::string found_text(const EntrantResult& result, std::int64_t documents) {
  return estimate_text(
      estimate_over_trials(result, [documents](const TrialResult& trial) { return found_among(trial, documents); }));
}

std::vector<std::string> search_row(const EntrantResult& player, const std::vector<std::int64_t>& firsts, std::size_t topics) {
  std::vector<std::string> row = {player.entrant.name};
  for (const std::int64_t documents : firsts) row.push_back(spread_text(player, useless(documents)));
  row.insert(row.end(),
             {found_text(player, firsts.back()), reading_text(player, 0.8), reading_text(player, 0.95),
              percent(share_failed(player, firsts.back(), topics)), mean_milliseconds(player), worst_milliseconds(player)});
  return row;
}

/// How common topics are and in how many trials, for the line above a table.
std::string line_of(const SearchCase& searched, const StudyResult& result) {
  std::string topics;
  for (const auto& [name, value] : result.study.settings)
    if (name == "documents of a topic") topics = value;
  return fmt::format("{}: {} trials; {} wanted documents", searched.title, result.study.trials, topics);
}

FigureTable search_table(const Results& results, const SearchCase& searched) {
  const std::vector<std::int64_t> firsts = first_documents(results, searched);
  FigureTable table{.line = line_of(searched, results.study(searched.name)) +
                            ". Useless among the first (and quantiles 10 to 90 %), and what it takes",
                    .head = {"policy"},
                    .view = searched.name.starts_with("p-") ? TableView::folded : TableView::open};
  for (const std::int64_t documents : firsts) table.head.push_back(fmt::format("first {}", documents));
  table.head.insert(table.head.end(), {fmt::format("found in {}", firsts.back()), "to read for 80 %", "to read for 95 %",
                                       "failed", "ms a choice", "slowest ms"});
  for (const EntrantResult* player : players_in(results, searched))
    table.rows.push_back(search_row(*player, firsts, topics_in(results.context(), searched)));
  return table;
}

/// A column of the table: what is compared, and whether a policy has such a number.
struct ComparedNumber {
  std::string name;
  TrialNumber number;
  std::function<bool(const EntrantResult&)> measured = [](const EntrantResult&) { return true; };
};

std::vector<ComparedNumber> compared_numbers(const std::vector<std::int64_t>& firsts) {
  std::vector<ComparedNumber> columns;
  columns.reserve(firsts.size() + 1);
  for (const std::int64_t documents : firsts) columns.push_back({fmt::format("first {}", documents), useless(documents)});
  constexpr double share = 0.95;
  columns.push_back({"to read for 95 %", reading_for(share),
                     [](const EntrantResult& result) { return share_reaching(result, share).mean > 0.0; }});
  return columns;
}

/// "-2.1 ± 0.4", or "-" for the rival itself and where there is nothing to compare.
std::string difference_cell(const EntrantResult& player, const EntrantResult* rival, const ComparedNumber& column) {
  if (rival == nullptr || rival == &player || !column.measured(player) || !column.measured(*rival)) return "-";
  return estimate_text(paired_difference(player, *rival, column.number));
}

FigureTable difference_table(const Results& results, const SearchCase& searched) {
  const std::vector<const EntrantResult*> players = players_in(results, searched);
  const std::vector<ComparedNumber> columns = compared_numbers(first_documents(results, searched));
  FigureTable table{.line = fmt::format("{}: minus the best rival, trial by trial", searched.title),
                    .head = {"policy"},
                    .rows = {{"best rival"}}};
  for (const ComparedNumber& column : columns) {
    table.head.push_back(column.name);
    const EntrantResult* rival = best_of(players, search_rivals(), column.number);
    const bool there = rival != nullptr && column.measured(*rival);
    table.rows.front().push_back(there ? rival->entrant.name : "-");
  }
  for (const EntrantResult* player : players) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(player->entrant.name);
    for (const ComparedNumber& column : columns)
      row.push_back(difference_cell(*player, best_of(players, search_rivals(), column.number), column));
  }
  return table;
}

// Charts.

LineChart useless_chart(const Results& results, const SearchCase& searched) {
  LineChart chart{.title = std::string(searched.title),
                  .x_label = "documents shown",
                  .y_label = "useless documents",
                  .x_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  const std::int64_t most = first_documents(results, searched).back();
  for (const EntrantResult* player : players_in(results, searched)) {
    Series& series = chart.series.emplace_back(Series{.name = player->entrant.name});
    for (const std::int64_t documents : {10, 25, 50, 100, 200, 400, 768}) {
      if (documents > most) continue;
      add_point(series, static_cast<double>(documents), estimate_over_trials(*player, useless(documents)));
    }
  }
  return chart;
}

/// A number of several cases, each at an x.
LineChart chart_over_cases(const Results& results, LineChart chart, const std::vector<std::pair<double, std::string_view>>& cases,
                           const TrialNumber& number) {
  for (const auto& [x, name] : cases) {
    if (!results.has(name)) continue;
    for (const EntrantResult* player : players_in(results, search_case(name))) {
      auto series = std::ranges::find(chart.series, player->entrant.name, &Series::name);
      if (series == chart.series.end()) series = chart.series.insert(chart.series.end(), Series{.name = player->entrant.name});
      add_point(*series, x, estimate_over_trials(*player, number));
    }
  }
  return chart;
}

LineChart share_chart(const Results& results, std::string_view suffix, std::string title) {
  const std::string names[] = {fmt::format("rare-0.3{}", suffix), fmt::format("rare-1{}", suffix),
                               fmt::format("rare-5{}", suffix)};
  return chart_over_cases(results,
                          {.title = std::move(title),
                           .x_label = "share of the pool that is wanted, %",
                           .y_label = "useless among the first 25",
                           .x_scale = AxisScale::logarithmic,
                           .points = PointMarks::dots},
                          {{0.3, names[0]}, {1.0, names[1]}, {5.0, names[2]}}, useless(25));
}

LineChart probability_chart(const Results& results, int words) {
  const auto name = [words](std::string_view p) { return fmt::format("p-{}-{}", p, words); };
  const std::string names[] = {words == 20 ? name("0") : "p-0-20", name("0.1"), name("0.3"), name("1")};
  return chart_over_cases(results,
                          {.title = fmt::format("Common topics, a list of {} words", words),
                           .x_label = "probability that a word of the list is marked",
                           .y_label = "useless among the first 100",
                           .points = PointMarks::dots},
                          {{0.0, names[0]}, {0.1, names[1]}, {0.3, names[2]}, {1.0, names[3]}}, useless(100));
}

ChartRule chart_of_case(std::string suffix, std::string_view name) {
  return {std::move(suffix), [name](const Results& results) { return useless_chart(results, search_case(name)); },
          std::string(name)};
}

}  // namespace

std::vector<TableRule> search_tables() {
  std::vector<TableRule> tables;
  for (const SearchCase& searched : search_cases()) {
    tables.push_back(
        {[&searched](const Results& results) { return search_table(results, searched); }, std::string(searched.name)});
  }
  for (const SearchCase& searched : search_cases()) {
    tables.push_back(
        {[&searched](const Results& results) { return difference_table(results, searched); }, std::string(searched.name)});
  }
  return tables;
}

std::vector<ChartRule> search_charts() {
  return {chart_of_case("", "topics"),
          chart_of_case("marks", "topics-20-words"),
          {"share", [](const Results& results) { return share_chart(results, "", "Rare topics, no marks"); }, "rare-5"},
          {"share-marks",
           [](const Results& results) { return share_chart(results, "-20-words", "Rare topics, 20 words marked with p = 0.3"); },
           "rare-5-20-words"},
          chart_of_case("reviews", "reviews"),
          chart_of_case("mistakes", "mistakes"),
          {"probability", [](const Results& results) { return probability_chart(results, 20); }, "p-1-20"},
          {"probability-150", [](const Results& results) { return probability_chart(results, 150); }, "p-1-150"}};
}

}  // namespace inkling::bench
