// The searches of systematic reviews: who plays, and the results over reviews.
#pragma once

#include <string_view>
#include <vector>

#include "bench/paper/data/screened_reviews.hpp"
#include "bench/studies/figure.hpp"
#include "bench/studies/search_measures.hpp"

namespace inkling::bench {

/// A row of the tables. Each review has a study for each help that a reader gives, all with the same beginnings.
struct ReviewMethod {
  std::string_view name;
  std::string_view study;    ///< what follows the review's name in the name of the study
  std::string_view entrant;  ///< of that study
};

inline constexpr std::string_view kMarkedStudy = "-marks";
inline constexpr std::string_view kRatedStudy = "-words";
inline constexpr std::string_view kAsreviewStudy = "-asreview";

inline constexpr ReviewMethod kUnmarked = {"inkling", "", "inkling"};
inline constexpr ReviewMethod kThreeMarks = {"inkling, 3 marks", kMarkedStudy, "inkling"};
inline constexpr ReviewMethod kTwentyWords = {"inkling, 20 words", kRatedStudy, "inkling"};
inline constexpr ReviewMethod kAutotar = {"autotar", "", "autotar"};
inline constexpr ReviewMethod kElas = {"asreview elas_u4", kAsreviewStudy, "asreview elas_u4"};

/// The reviews of a run: all, or the three of fewest records in a quick run. Lifetime: lends the context's.
[[nodiscard]] std::vector<const ScreenedReview*> reviews_of_run(const PaperContext& context);

/// Documents that can be shown: all but the two that are given.
[[nodiscard]] std::int64_t documents_to_show(const ScreenedReview& review);

/// The methods that played, in the order of the tables.
[[nodiscard]] std::vector<ReviewMethod> methods_that_played(const Results& results);
[[nodiscard]] bool has_played(const Results& results, const ReviewMethod& method);

/// Requires: the method played.
[[nodiscard]] const EntrantResult& result_of(const Results& results, const ScreenedReview& review, const ReviewMethod& method);

/// By beginning, of one review.
[[nodiscard]] std::vector<double> by_beginning(const Results& results, const ScreenedReview& review, const ReviewMethod& method,
                                               const ScreeningMeasure& measure);

/// By review, the mean over its beginnings.
[[nodiscard]] std::vector<double> by_review(const Results& results, const ReviewMethod& method, const ScreeningMeasure& measure);

/// All rules that draw and fill these, in the order of the page.
[[nodiscard]] std::vector<TableRule> review_tables();
[[nodiscard]] std::vector<ChartRule> review_charts();
[[nodiscard]] std::vector<ClaimRule> review_claims();

}  // namespace inkling::bench
