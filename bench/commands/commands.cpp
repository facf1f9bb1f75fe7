#include "bench/commands/commands.hpp"

#include <fmt/format.h>

#include "io/cli/terminal.hpp"
#include "io/file/output_file.hpp"
#include "io/file/utf8.hpp"

namespace inkling::bench {

void warn(std::string_view command, std::string_view text) {
  tell(fmt::format("inkling-bench {}: {}\n", command, visible_text(text)));
}

FolderLock held_folder(std::string_view command, const std::string& folder) {
  make_folder(folder);
  FolderLock lock(folder);
  if (!lock.is_held())
    warn(command, fmt::format("{}: this file system has no locks; let no other run write there", folder));
  return lock;
}

}  // namespace inkling::bench
