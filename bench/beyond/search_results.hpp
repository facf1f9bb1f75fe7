// The results of the searches of a case: who played, who was the best rival, and the cells of tables.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/beyond/search_cases.hpp"
#include "bench/studies/figure.hpp"

namespace inkling::bench {

using TrialNumber = std::function<double(const TrialResult&)>;

/// Useless documents among the first N, and documents to read for a share of the wanted ones.
[[nodiscard]] TrialNumber useless(std::int64_t documents);
[[nodiscard]] TrialNumber reading_for(double share);

/// All entrants that played in the worlds of the case, in the order of the list of policies. They include those without marks
/// from the paired case without marks, if there is one. Lifetime: lends the results.
[[nodiscard]] std::vector<const EntrantResult*> players_in(const Results& results, const SearchCase& searched);

/// nullptr if it did not play.
[[nodiscard]] const EntrantResult* player_named(const std::vector<const EntrantResult*>& players, std::string_view name);

/// Of the named players, the one of least mean; nullptr if none of them played.
[[nodiscard]] const EntrantResult* best_of(const std::vector<const EntrantResult*>& players,
                                           std::span<const std::string_view> names, const TrialNumber& number);

/// The numbers of first documents that every trial of the case showed.
[[nodiscard]] std::vector<std::int64_t> first_documents(const Results& results, const SearchCase& searched);

/// The trials of one policy in several cases, one after the other; nothing if it did not play in all of them.
[[nodiscard]] std::optional<EntrantResult> over_cases(const Results& results, const std::vector<std::string_view>& cases,
                                                      std::string_view name);

/// "4.8 ± 0.6 (0 to 12)": mean, standard error, and the quantiles 10 % and 90 %.
[[nodiscard]] std::string spread_text(const EntrantResult& result, const TrialNumber& number);

/// The same for the documents to read until a share is found: "at least 812" if some trials ended earlier, "-" if all did.
[[nodiscard]] std::string reading_text(const EntrantResult& result, double share);

/// The rules for the tables of searches, in the order of the page.
[[nodiscard]] std::vector<TableRule> search_tables();
[[nodiscard]] std::vector<ChartRule> search_charts();
[[nodiscard]] std::vector<ClaimRule> search_claims();

}  // namespace inkling::bench
