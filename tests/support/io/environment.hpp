// Variables of the environment of this process.
#pragma once

#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

namespace inkling::test {

inline void set_environment(const std::string& name, const std::string& value) {
#ifdef _WIN32
  REQUIRE(_putenv_s(name.c_str(), value.c_str()) == 0);
#else
  REQUIRE(setenv(name.c_str(), value.c_str(), 1) == 0);
#endif
}

}  // namespace inkling::test
