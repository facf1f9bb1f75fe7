// Archives and compressed files for tests, made by libarchive.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/corpus/unpack/archive_reader.hpp"

namespace inkling::test {

/// Path and content of each file.
using ArchivedFiles = std::vector<std::pair<std::string, std::string>>;

/// `format` is "tar", "zip", "cpio" or "raw" (one file, its name unused); `filter` "none", "gzip", "bzip2",
/// "xz", "zstd" or "lz4". The links come after the files.
void write_archive(const std::string& path, std::string_view format, std::string_view filter, const ArchivedFiles& files,
                   const std::vector<ArchivedLink>& links = {});

/// The bytes of such a file.
[[nodiscard]] std::string packed(std::string_view format, std::string_view filter, const ArchivedFiles& files,
                                 const std::vector<ArchivedLink>& links = {});

}  // namespace inkling::test
