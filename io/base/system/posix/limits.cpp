#include "io/base/system/limits.hpp"

#include <algorithm>
#include <climits>

#include <sys/resource.h>

namespace inkling {

bool raise_limit_of_open_files() noexcept {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  rlim_t most = limit.rlim_max;
#ifdef OPEN_MAX  // of macOS, which refuses more even where no limit is set
  most = std::min<rlim_t>(most, OPEN_MAX);
#endif
  if (limit.rlim_cur >= most) return false;
  limit.rlim_cur = most;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

}  // namespace inkling
