// Rounds with both probabilities as CSV, for programs that keep their own logs.
#pragma once

#include <string>
#include <vector>

#include "io/search/evaluation/logged_rounds.hpp"

namespace inkling {

/// Reads a table whose first line names its columns: logged, target and reward, and perhaps predicted, expectation and square; other
/// columns are skipped. Cells have no quotes. Throws FormatError, which names the line; SystemError.
[[nodiscard]] std::vector<WeighedRound> read_rounds(const std::string& path);

/// Such a table of a search, also with the event, the document, how many it was chosen from, and how the policy would have chosen.
[[nodiscard]] std::string rounds_text(const LoggedRounds& found);

/// As JSON: what was estimated, and for a search how many rounds were left out, and why.
[[nodiscard]] std::string value_json(const PolicyValue& value, const RoundsLeftOut* left_out);

}  // namespace inkling
