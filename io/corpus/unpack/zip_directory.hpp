// The list of files at the end of a zip file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

/// Where the list of files at the end of a zip file is.
struct ZipDirectory {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;
};

/// The list of files of a file that ends as a zip file does, whatever it begins with; nothing for all others. `comment`:
/// how long the comment at its end may be. Requires: file.can_seek().
[[nodiscard]] std::optional<ZipDirectory> find_zip_directory(const FileStream& file, std::size_t comment);
inline constexpr std::size_t kLongestZipComment = 0xFFFF;

/// What a zip file's list of files holds.
struct ZipFiles {
  std::uint64_t files = 0;
  std::uint64_t checksums = 0;  ///< the sum of the checksums of all files
  std::string first_link;       ///< the name of the first symbolic link; empty where there is none
};

/// Reads the list from its first byte to the record that ends it, and checks that it is complete. Throws FormatError.
[[nodiscard]] ZipFiles read_zip_directory(InputStream& directory, const std::string& name);

/// How much memory libarchive needs for a list of `files` files.
[[nodiscard]] std::uint64_t zip_directory_memory(std::uint64_t files);

}  // namespace inkling
