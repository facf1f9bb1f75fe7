// What requests about a search are answered with, as openapi.json says.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/doors/serve/session_table.hpp"

namespace inkling {

/// The document on offer with why it is. Nothing where every document is rated. May append the event that shows it.
[[nodiscard]] std::optional<std::string> next_answer(ServedSearch& search);

/// What an answer of a person comes to: the event that it made, and what is on offer now.
struct AnsweredWith {
  std::int64_t sequence = 0;              ///< of its first event
  std::vector<std::int64_t> undone = {};  ///< answers that were taken back or brought back
  bool is_undo = false;                   ///< undo or redo
};
[[nodiscard]] std::string answered_answer(ServedSearch& search, const AnsweredWith& answered);

[[nodiscard]] std::string session_answer(ServedSearch& search);
[[nodiscard]] std::string session_list_answer(std::span<const SessionTable::Line> lines);
[[nodiscard]] std::string why_answer(ServedSearch& search, DocumentId document);
[[nodiscard]] std::string words_answer(ServedSearch& search, std::size_t limit);
[[nodiscard]] std::string ranking_answer(ServedSearch& search, std::size_t count);
[[nodiscard]] std::string progress_answer(ServedSearch& search);
[[nodiscard]] std::string found_answer(ServedSearch& search);
/// One good document a line.
[[nodiscard]] std::string found_lines(ServedSearch& search);
[[nodiscard]] std::string events_answer(ServedSearch& search, std::int64_t after, std::int64_t limit);

}  // namespace inkling
