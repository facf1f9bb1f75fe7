// The text of a page in HTML.
#pragma once

#include <string>
#include <string_view>

#include "io/base/file/reading_budget.hpp"

namespace inkling {

struct HtmlText {
  std::string title;
  std::string text;  ///< one line a block (paragraph, heading, item, cell); no blanks around it
};

/// The text that a browser would show of a page: without scripts, styles, templates, comments and tags, and with entities
/// replaced. Refuses no page within the budget: everything that is not a tag is text. Requires: valid UTF-8.
[[nodiscard]] HtmlText html_text(std::string_view html, ReadingBudget& budget);

/// The encoding that a page names in the first bytes of its head; empty if it names none.
[[nodiscard]] std::string_view encoding_of_html(std::string_view bytes);

/// Whether a file begins as a page does: with a document type or a first tag of HTML.
[[nodiscard]] bool begins_as_html(std::string_view head);

}  // namespace inkling
