// The files of the page and of the description of the interface, which are part of the program.
#pragma once

#include <span>
#include <string_view>

namespace inkling {

struct PageFile {
  std::string_view name;  ///< "index.html", "language/de.js"
  std::string_view text;
};

/// All files of `page/`, by name. Made by CMake. Lifetime: that of the program.
[[nodiscard]] std::span<const PageFile> page_files();

/// openapi.json as it is written; openapi.hpp writes it out.
[[nodiscard]] std::string_view openapi_frame();

}  // namespace inkling
