#include "io/base/system/folder.hpp"

#include <cstdio>

#include <fcntl.h>

#include "io/base/system/calls.hpp"

namespace inkling {

int exchange_paths(const char* one, const char* other) noexcept {
  return error_of(SystemCall::exchange, other, [&] { return ::renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE); });
}

}  // namespace inkling
