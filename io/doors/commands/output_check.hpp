// Refuses outputs that would destroy what a command reads.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "io/doors/cli/option_table.hpp"

namespace inkling {

/// A file of a command line, and what the command line calls it: "--out", "the pool".
struct NamedFile {
  std::string role;
  std::string path;
};

/// Throws UsageError, naming both, if an output is the same file as an input or as another output under any name (links are
/// followed), or is one of the files of a pool, or would lie inside a pool. Call it before anything is opened for writing. A path
/// that is no file, such as a terminal or "-", is never the same. Throws SystemError if a path cannot be followed.
void refuse_overwriting(std::span<const NamedFile> outputs, std::span<const NamedFile> inputs,
                        std::span<const std::string> pools);

/// Files of one role.
[[nodiscard]] std::vector<NamedFile> files_called(const std::string& role, std::span<const std::string> paths);
/// The files that these options name, where they are given.
[[nodiscard]] std::vector<NamedFile> files_of(const ParsedOptions& options, std::initializer_list<const char*> names);

}  // namespace inkling
