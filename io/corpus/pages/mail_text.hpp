// The text of a letter: RFC 5322 with MIME (RFC 2045, 2046, 2047).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/reading_budget.hpp"
#include "io/corpus/pages/named_encoding.hpp"

namespace inkling {

struct MailHeader {
  std::string name;   ///< as written
  std::string value;  ///< in one line, with its encoded words decoded
};

struct MailText {
  std::vector<MailHeader> headers;
  std::string text;  ///< of all parts but attachments; each from its plain form if it has one, else from HTML

  std::int64_t replaced = 0;  ///< bytes that were no characters and became U+FFFD

  /// The value of the first header of that name, in any letter case; empty if there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

/// Refuses no letter within the budget: the first line that is not a header begins the text, and what cannot be decoded stays as it
/// is.
/// `otherwise`: the encoding of bytes that are not UTF-8 and whose encoding is not named.
[[nodiscard]] MailText mail_text(std::string_view message, UnnamedEncoding& otherwise, ReadingBudget& budget);

}  // namespace inkling
