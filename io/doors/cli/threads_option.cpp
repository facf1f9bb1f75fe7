#include "io/doors/cli/threads_option.hpp"

#include "io/base/process/thread_limit.hpp"

namespace inkling {

Option threads_option() {
  return {.name = "threads",
          .kind = Integer{1, 1024},
          .value_name = "N",
          .help = "threads to use (default: all that this process may)"};
}

int threads_of(const ParsedOptions& options) {
  return options.has("threads") ? static_cast<int>(options.integer("threads")) : startable_threads(available_threads());
}

}  // namespace inkling
