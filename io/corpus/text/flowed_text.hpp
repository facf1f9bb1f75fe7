// Removes the line ends by which the writer of a text wrapped its lines.
#pragma once

#include <string>
#include <string_view>

namespace inkling {

/// Replaces each line end by a blank where a line was wrapped: such a line has at most 100 characters, and the first
/// word of the next line would make it longer than the longest line of the paragraph. Other line ends stay: those
/// between paragraphs, in lists, quotes ("> "), heads ("From: "), indented lines, code, tables, and paragraphs of
/// short lines. The text keeps its length in bytes. Thread safety: pure.
[[nodiscard]] std::string flowed_text(std::string_view text);

}  // namespace inkling
