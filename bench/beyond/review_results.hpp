// The searches of systematic reviews: who plays, and the results over reviews.
#pragma once

#include <string_view>
#include <vector>

#include "bench/paper/data/screened_reviews.hpp"
#include "bench/studies/figure.hpp"
#include "bench/studies/search_measures.hpp"

namespace inkling::bench {

/// A row of the tables. Each review has one study for each kind of help from the reader, all with the same beginnings.
struct ReviewMethod {
  std::string_view name;
  std::string_view study;    ///< the end of the study's name, after the review's name
  std::string_view entrant;  ///< its name in that study
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

/// One value for each beginning of a review.
[[nodiscard]] std::vector<double> by_beginning(const Results& results, const ScreenedReview& review, const ReviewMethod& method,
                                               const ScreeningMeasure& measure);

/// One value for each review: the mean over its beginnings.
[[nodiscard]] std::vector<double> by_review(const Results& results, const ReviewMethod& method, const ScreeningMeasure& measure);

/// The rules for the tables of reviews, in the order of the page.
[[nodiscard]] std::vector<TableRule> review_tables();
[[nodiscard]] std::vector<ChartRule> review_charts();
[[nodiscard]] std::vector<ClaimRule> review_claims();

}  // namespace inkling::bench
