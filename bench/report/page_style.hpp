// How every page looks: light, dark, on a phone and on paper.
#pragma once

#include <string>

namespace inkling::bench {

/// The style sheet of a page, without its tags.
[[nodiscard]] std::string page_style();

}  // namespace inkling::bench
