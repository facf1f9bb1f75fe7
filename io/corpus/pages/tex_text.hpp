// Text as TeX writes it in BibTeX, with its accents, as Unicode.
#pragma once

#include <string>
#include <string_view>

#include "io/base/file/reading_budget.hpp"

namespace inkling {

enum class TexText {
  prose,    ///< "~" is a blank
  address,  ///< of a page or a file, in which "~" is kept
};

/// Appends the text without braces that only group, with one blank for each run of blanks and line ends, and with
/// letters for accents ("{\"o}", "\'e", "\ss"). A command that is not known stays as it is.
void append_tex(std::string_view tex, TexText kind, std::string& out, ReadingBudget& budget);

}  // namespace inkling
