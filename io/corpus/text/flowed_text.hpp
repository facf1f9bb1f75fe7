// A text whose lines were wrapped by whoever wrote it, as one that flows again.
#pragma once

#include <string>
#include <string_view>

namespace inkling {

/// The text with a blank in place of each line end at which a line was only full: a wrapped line is at most 100 characters
/// long, and the first word of the next one would not have fit into the longest line of its paragraph. Paragraphs, lists, quotes
/// ("> "), heads ("From: "), indented lines, and lines that look like code or a table stay, and so does a text of short lines. It
/// is as long as before, byte for byte. Thread safety: pure.
[[nodiscard]] std::string flowed_text(std::string_view text);

}  // namespace inkling
