// Cells of CSV that programs for tables show as text, and never run as a formula.
#pragma once

#include <string>
#include <string_view>

namespace inkling {

/// Appends a field as in RFC 4180. It is in quotes also if it holds a semicolon or a tab, which divide fields for some programs,
/// or begins or ends with a blank.
void append_csv_field(std::string_view text, std::string& out);

/// The text with an apostrophe before each piece that a program could run: a piece ends at a semicolon, tab or line end, because
/// where these divide cells, quotes in the middle of a line do not protect it. EXPORTS.md says which pieces get one.
[[nodiscard]] std::string guarded_text(std::string_view text);

/// The inverse: every text t equals unguarded_text(guarded_text(t)). A cell that `guarded_text` does not write is given back as it is.
[[nodiscard]] std::string unguarded_text(std::string_view cell);

/// A guarded text as a field. Every writer of CSV takes this for texts that it did not make itself.
[[nodiscard]] std::string csv_cell(std::string_view text);

/// Whether a table with this column has guarded cells: those that we export have it, and others that have it are read alike.
[[nodiscard]] constexpr bool marks_guarded_table(std::string_view column) noexcept { return column == "rating"; }

}  // namespace inkling
