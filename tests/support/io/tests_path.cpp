#include "tests/support/io/tests_path.hpp"

namespace inkling::test {

std::string tests_path(std::string_view path) { return std::string(INKLING_TESTS_DIR "/").append(path); }

}  // namespace inkling::test
