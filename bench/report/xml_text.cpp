#include "bench/report/xml_text.hpp"

#include <algorithm>
#include <cstddef>

#include "io/file/utf8.hpp"

namespace inkling {

std::string xml_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(character.size());
    const auto byte = static_cast<unsigned char>(character.front());
    const bool not_in_xml = character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
    if (character == "&")
      out += "&amp;";
    else if (character == "<")
      out += "&lt;";
    else if (character == ">")
      out += "&gt;";
    else if (character == "\"")
      out += "&quot;";
    else if (character == "\n" || character == "\t")
      out += ' ';
    else if (length == 0 || byte < 0x20 || not_in_xml)
      out += kReplacementCharacter;
    else
      out += character;
  }
  return out;
}

}  // namespace inkling
