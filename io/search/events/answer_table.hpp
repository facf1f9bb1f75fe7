// A table of answers, as a search exports it (io/search/service/EXPORTS.md), as lines of events.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/source/record_parser.hpp"

namespace inkling {

/// Reads one record of CSV after another. It reads only the columns that a policy learns from: id or document, separated,
/// rating, words_for, words_against and looked_for.
class AnswerTable {
 public:
  /// Whether a file that begins with this text may be such a table: the text is not JSON.
  [[nodiscard]] static bool may_begin_with(std::string_view text);

  /// Writes the record as a JSON object into `line`, or says what is wrong with it. `line` is empty for the first record, which
  /// names the columns, and for a document that was not rated. Thread safety: one thread.
  [[nodiscard]] RecordVerdict take(std::string_view record, std::string& line);

 private:
  [[nodiscard]] RecordVerdict take_columns(const std::vector<std::string>& names);
  [[nodiscard]] std::string_view cell(const std::vector<std::string>& fields, std::string_view name) const;

  std::optional<std::vector<std::string>> columns_;
};

}  // namespace inkling
