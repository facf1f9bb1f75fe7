#include "io/base/system/terminal.hpp"

#include <cstdio>

#include <stdio_ext.h>

namespace inkling {

void drop_unwritten_output() noexcept { __fpurge(stdout); }

}  // namespace inkling
