// Text inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace inkling {

/// The text as it may stand between tags and in quoted attributes: markup escaped, line breaks and tabs as
/// spaces, U+FFFD for what is no character of XML.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace inkling
