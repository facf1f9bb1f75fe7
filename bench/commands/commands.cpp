#include "bench/commands/commands.hpp"

#include <cerrno>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/cli/terminal.hpp"

namespace inkling::bench {

void warn(std::string_view command, std::string_view text) {
  tell(fmt::format("inkling-bench {}: {}\n", command, visible_text(text)));
}

WriterLock held_folder(const std::string& folder) {
  make_folder(folder);
  try {
    return WriterLock(folder + "/run");
  } catch (const FormatError& error) {
    throw SystemError(folder, EBUSY, error.expectation());
  }
}

}  // namespace inkling::bench
