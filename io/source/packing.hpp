// Tells by its first bytes how a file is packed.
#pragma once

#include <string_view>

namespace inkling {

enum class Packing {
  none,
  compressed,  ///< one stream of bytes: gzip, bzip2, xz, zstd or lz4
  archive,     ///< files by name: tar, zip or cpio
};

/// Of a file that begins with `head`. Text is not mistaken for an archive: a magic number alone is not
/// enough where it consists of letters. Requires: 512 bytes where the file has so many.
[[nodiscard]] Packing packing_of(std::string_view head);

}  // namespace inkling
