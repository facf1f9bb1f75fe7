#include "io/base/system/folder.hpp"

#include <cstdio>

#include "io/base/system/calls.hpp"

namespace inkling {

int exchange_paths(const char* one, const char* other) noexcept {
  return error_of(SystemCall::exchange, other, [&] { return ::renamex_np(one, other, RENAME_SWAP); });
}

}  // namespace inkling
