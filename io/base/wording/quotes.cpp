#include "io/base/wording/quotes.hpp"

#include "io/base/file/utf8.hpp"

namespace inkling {

std::string in_quotes(std::string_view typed) {
  constexpr std::size_t longest = 60;
  return "'" + visible_text(utf8_shortened(typed, longest)) + "'";
}

}  // namespace inkling
