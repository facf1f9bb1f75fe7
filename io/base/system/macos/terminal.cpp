#include "io/base/system/terminal.hpp"

#include <cstdio>

namespace inkling {

void drop_unwritten_output() noexcept { ::fpurge(stdout); }

}  // namespace inkling
