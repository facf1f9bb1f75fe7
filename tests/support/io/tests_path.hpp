// Where the files lie that tests read.
#pragma once

#include <string>
#include <string_view>

namespace inkling::test {

/// tests/PATH of the sources; "../datasets/tiny/..." is legal.
[[nodiscard]] std::string tests_path(std::string_view path);

}  // namespace inkling::test
