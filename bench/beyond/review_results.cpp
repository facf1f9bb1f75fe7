#include "bench/beyond/review_results.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

constexpr ReviewMethod kMethods[] = {kUnmarked, kThreeMarks, kTwentyWords, kAutotar, kElas};
constexpr std::size_t kQuickReviews = 3;

std::string study_name(const ScreenedReview& review, const ReviewMethod& method) {
  return fmt::format("{}{}", review.name, method.study);
}

Estimate mean_of_reviews(const Results& results, const ReviewMethod& method, const ScreeningMeasure& measure) {
  return estimate_of(by_review(results, method, measure));
}

std::string milliseconds_a_choice(std::span<const EntrantResult* const> of_reviews) {
  double seconds = 0.0;
  double rounds = 0.0;
  for (const EntrantResult* result : of_reviews) {
    for (const TrialResult& trial : result->trials) {
      seconds += trial.decision_seconds;
      rounds += static_cast<double>(trial.finds->rounds);
    }
  }
  return fmt::format("{:.2f}", 1e3 * seconds / rounds);
}

std::vector<std::string> head_of_measures(std::vector<std::string> first) {
  for (const ScreeningMeasure& measure : screening_measures()) first.emplace_back(measure.name);
  return first;
}

/// Adds to the line why the row of elas_u4 is missing, if it is.
std::string line_with_missing(const Results& results, std::string line) {
  if (has_played(results, kElas)) return line;
  return fmt::format("{} ({}; its row is missing)", line, results.context().reviews->asreview.missing);
}

FigureTable means_table(const Results& results) {
  FigureTable table{.line = line_with_missing(results, "Means over reviews of means over beginnings; less is better"),
                    .head = head_of_measures({"method"}),
                    .view = TableView::open};
  table.head.emplace_back("ms a choice");
  for (const ReviewMethod& method : methods_that_played(results)) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.emplace_back(method.name);
    for (const ScreeningMeasure& measure : screening_measures())
      row.push_back(estimate_text(mean_of_reviews(results, method, measure)));
    std::vector<const EntrantResult*> of_reviews;
    for (const ScreenedReview* review : reviews_of_run(results.context()))
      of_reviews.push_back(&result_of(results, *review, method));
    row.push_back(milliseconds_a_choice(of_reviews));
  }
  return table;
}

/// A row for each method except the reference: elas_u4, or AutoTAR if elas_u4 did not play.
FigureTable compared_table(const Results& results, std::string_view what,
                           Estimate (*compare)(std::span<const double>, std::span<const double>)) {
  const ReviewMethod& rival = has_played(results, kElas) ? kElas : kAutotar;
  FigureTable table{.line = fmt::format("{} {}, review by review, with standard errors over reviews", what, rival.name),
                    .head = head_of_measures({"method"}),
                    .view = TableView::open};
  for (const ReviewMethod& method : methods_that_played(results)) {
    if (method.name == rival.name) continue;
    std::vector<std::string>& row = table.rows.emplace_back();
    row.emplace_back(method.name);
    for (const ScreeningMeasure& measure : screening_measures())
      row.push_back(estimate_text(compare(by_review(results, method, measure), by_review(results, rival, measure))));
  }
  return table;
}

FigureTable table_by_review(const Results& results) {
  FigureTable table{.line = "Each review, with standard errors over its beginnings",
                    .head = head_of_measures({"review", "method"}),
                    .first_number = 2};
  for (const ScreenedReview* review : reviews_of_run(results.context())) {
    for (const ReviewMethod& method : methods_that_played(results)) {
      std::vector<std::string>& row = table.rows.emplace_back();
      row = {review->name, std::string(method.name)};
      for (const ScreeningMeasure& measure : screening_measures())
        row.push_back(estimate_text(estimate_of(by_beginning(results, *review, method, measure))));
    }
  }
  return table;
}

/// Percent of the relevant records among this percentage of the records, the mean over reviews.
double mean_recall(const Results& results, const ReviewMethod& method, double percent) {
  std::vector<double> recalls;
  for (const ScreenedReview* review : reviews_of_run(results.context())) {
    const auto shown = std::llround(0.01 * percent * static_cast<double>(documents_to_show(*review)));
    recalls.push_back(estimate_over_trials(result_of(results, *review, method), [shown](const TrialResult& trial) {
                        return 100.0 * recall_among(trial, shown);
                      }).mean);
  }
  return estimate_of(recalls).mean;
}

LineChart recall_chart(const Results& results) {
  LineChart chart{.title = "Relevant records found",
                  .x_label = "records read, % of those of a review",
                  .y_label = "relevant records found, %",
                  .x_scale = AxisScale::logarithmic};
  constexpr int steps = 60;
  constexpr double first_percent = 0.5;
  for (const ReviewMethod& method : methods_that_played(results)) {
    Series& series = chart.series.emplace_back(Series{.name = std::string(method.name)});
    for (int step = 0; step <= steps; ++step) {
      const double percent = first_percent * std::pow(100.0 / first_percent, static_cast<double>(step) / steps);
      series.x.push_back(percent);
      series.y.push_back(mean_recall(results, method, percent));
    }
  }
  return chart;
}

// Claims.

enum Measured : std::size_t { kTime, kLoss, kUseless, kMost, kAll };

/// Adds both means and their ratio; fails if ours is more than `factor` times the other.
void compare_with(Decision& decision, const Results& results, const ReviewMethod& ours, const ReviewMethod& other,
                  const ScreeningMeasure& measure, double factor) {
  const std::vector<double> one = by_review(results, ours, measure);
  const std::vector<double> rival = by_review(results, other, measure);
  const Estimate ratio = ratio_of(one, rival);
  decision.numbers.push_back({fmt::format("{}, {}", measure.name, ours.name), estimate_of(one)});
  decision.numbers.push_back({fmt::format("{}, {}", measure.name, other.name), estimate_of(rival)});
  decision.numbers.push_back({fmt::format("{}, ratio", measure.name), ratio});
  if (!(ratio.mean <= factor)) decision.verdict = Verdict::fails;
}

/// Our number is at most `factor` times that of elas_u4; not comparable if elas_u4 did not play.
ClaimRule at_most(std::string id, std::string sentence, const ReviewMethod& ours, Measured measured, double factor) {
  return {std::move(id), ClaimBy::ours, std::move(sentence), [=](const Results& results) {
            if (!has_played(results, kElas)) return Decision{};
            Decision decision{Verdict::holds, {}};
            compare_with(decision, results, ours, kElas, screening_measures()[measured], factor);
            return decision;
          }};
}

Decision against_autotar(const Results& results) {
  Decision decision{Verdict::holds, {}};
  for (const ScreeningMeasure& measure : screening_measures()) compare_with(decision, results, kUnmarked, kAutotar, measure, 1.0);
  return decision;
}

}  // namespace

std::vector<const ScreenedReview*> reviews_of_run(const PaperContext& context) {
  assert(context.reviews != nullptr);
  std::vector<const ScreenedReview*> reviews;
  reviews.reserve(context.reviews->reviews.size());
  for (const ScreenedReview& review : context.reviews->reviews) reviews.push_back(&review);
  if (context.settings.effort == PaperEffort::quick) {
    std::ranges::stable_sort(reviews, {}, [](const ScreenedReview* review) { return documents_to_show(*review); });
    reviews.resize(std::min(reviews.size(), kQuickReviews));
  }
  return reviews;
}

std::int64_t documents_to_show(const ScreenedReview& review) { return review.pool.view().documents() - 2; }

bool has_played(const Results& results, const ReviewMethod& method) {
  const std::vector<const ScreenedReview*> reviews = reviews_of_run(results.context());
  return !reviews.empty() && results.has(study_name(*reviews.front(), method));
}

std::vector<ReviewMethod> methods_that_played(const Results& results) {
  std::vector<ReviewMethod> methods;
  std::ranges::copy_if(kMethods, std::back_inserter(methods),
                       [&](const ReviewMethod& method) { return has_played(results, method); });
  return methods;
}

const EntrantResult& result_of(const Results& results, const ScreenedReview& review, const ReviewMethod& method) {
  return results.study(study_name(review, method)).of(method.entrant);
}

std::vector<double> by_beginning(const Results& results, const ScreenedReview& review, const ReviewMethod& method,
                                 const ScreeningMeasure& measure) {
  return by_trial(result_of(results, review, method),
                  [&](const TrialResult& trial) { return measure.of(trial, documents_to_show(review)); });
}

std::vector<double> by_review(const Results& results, const ReviewMethod& method, const ScreeningMeasure& measure) {
  std::vector<double> means;
  for (const ScreenedReview* review : reviews_of_run(results.context()))
    means.push_back(estimate_of(by_beginning(results, *review, method, measure)).mean);
  return means;
}

std::vector<TableRule> review_tables() {
  return {{means_table},
          {[](const Results& results) { return compared_table(results, "Minus", difference_of); }},
          {[](const Results& results) { return compared_table(results, "As a share of", ratio_of); }},
          {table_by_review}};
}

std::vector<ChartRule> review_charts() { return {{"", recall_chart}}; }

std::vector<ClaimRule> review_claims() {
  return {
      at_most("reviews-loss", "Without marks, the loss is at most that of ASReview's elas_u4.", kUnmarked, kLoss, 1.0),
      at_most("reviews-95", "Without marks, 95 % of the relevant records are found as early as by elas_u4.", kUnmarked, kMost,
              1.0),
      at_most("reviews-all", "Without marks, all relevant records are found as early as by elas_u4.", kUnmarked, kAll, 1.0),
      at_most("reviews-useless", "Without marks, at most 1.05 times as many of the first 25 records are useless as with elas_u4.",
              kUnmarked, kUseless, 1.05),
      {"reviews-autotar", ClaimBy::ours, "Without marks, AutoTAR is beaten in every measure.", against_autotar},
      at_most("reviews-marks-loss", "With 3 words marked in each relevant record, the loss is at most 0.82 times elas_u4's.",
              kThreeMarks, kLoss, 0.82),
      at_most("reviews-marks-useless", "With these marks, at most 0.87 times as many of the first 25 are useless.", kThreeMarks,
              kUseless, 0.87),
      at_most("reviews-marks-95", "With these marks, 95 % are found as early as by elas_u4.", kThreeMarks, kMost, 1.0),
      at_most("reviews-marks-all", "With these marks, all are found after at most 1.03 times as many records.", kThreeMarks, kAll,
              1.03),
      at_most("reviews-words-loss", "With 20 words rated at the start, the loss is at most 0.76 times elas_u4's.", kTwentyWords,
              kLoss, 0.76),
      at_most("reviews-words-useless", "With these words, at most 0.68 times as many of the first 25 are useless.", kTwentyWords,
              kUseless, 0.68)};
}

}  // namespace inkling::bench
