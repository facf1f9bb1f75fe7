// What the folders of single systems take from this one, and what they give to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/resource.h>

#include "io/base/system/file.hpp"
#include "io/base/system/process.hpp"

namespace inkling {

/// A new file that is called `name` for an instant, for `File::nameless`.
[[nodiscard]] File unlinked_file(const std::string& name) noexcept;

/// Pointers to these texts, and nullptr after them, as the system takes arguments. Lifetime: of the texts.
[[nodiscard]] std::vector<char*> pointers_to(std::vector<std::string>& texts);

/// Each system has its own: starts a program with these streams and no other file of this process, within the limits. Returns 0
/// or errno.
[[nodiscard]] int start_child(pid_t& process, std::vector<std::string>& arguments, std::vector<std::string>& variables,
                              posix_spawn_file_actions_t& streams, const std::optional<ChildLimits>& limits);

/// Each system counts it in a unit of its own: peak resident memory, in bytes.
[[nodiscard]] std::uint64_t most_memory_of(const rusage& use) noexcept;

}  // namespace inkling
