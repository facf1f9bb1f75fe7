// How a file is packed, by its content and by its name; the limits of unpacking.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

enum class PackingKind { none, utf16, gzip, bzip2, xz, zstd, lz4, tar, zip, cpio };

enum class Packing {
  none,
  compressed,  ///< one stream of bytes: gzip, bzip2, xz, zstd, lz4, or text in UTF-16 with its mark
  archive,     ///< files by name: tar, zip or cpio
};

/// How a file that begins with `head` is packed. Text is not mistaken for an archive: if a magic number consists of
/// letters, more than it is checked. Requires: 512 bytes, or all of a shorter file.
[[nodiscard]] PackingKind packing_kind_of(std::string_view head);
[[nodiscard]] Packing packing_of(PackingKind kind);
[[nodiscard]] inline Packing packing_of(std::string_view head) { return packing_of(packing_kind_of(head)); }

/// What the ending of a file's name says about its content; empty if it says nothing.
struct NamePromise {
  std::string_view compressed;  ///< ".gz" of "a.tar.gz"
  std::string_view archive;     ///< ".tar" of "a.tar.gz"

  bool operator==(const NamePromise&) const = default;
};
[[nodiscard]] NamePromise promise_of_name(std::string_view name);

/// Whether this could be the beginning of a tar file that holds no files: a block of zeros.
[[nodiscard]] bool is_empty_tar(std::string_view head);

/// The limits of a walk over sources.
struct UnpackingLimits {
  double most_expansion = 200.0;  ///< unpacked bytes per packed byte, not counting the free bytes
  std::uint64_t most_unpacked_bytes = std::uint64_t{1} << 40U;
  std::uint64_t free_bytes = std::uint64_t{64} << 20U;  ///< any file may unpack to so many bytes
  /// The most memory for unpacking itself: for the window of a compressed file, or the list of files of a zip.
  std::uint64_t most_memory = std::uint64_t{256} << 20U;
  /// Whether symbolic links in folders are followed. They may lead anywhere on the machine.
  bool follow_links = false;
  /// Receives the most memory that any file needed, unless null.
  std::atomic<std::uint64_t>* needed_memory = nullptr;
};

/// Counts the bytes unpacked from one file, and throws FormatError, naming the limit and its option, if they are too
/// many. Lifetime: lends the file and the total.
class UnpackingMeter {
 public:
  /// `total`: the unpacked bytes of all files are added to it.
  UnpackingMeter(const FileStream& file, const UnpackingLimits& limits, std::uint64_t& total)
      : file_(&file), limits_(limits), total_(&total) {}

  void add(std::uint64_t unpacked);
  [[nodiscard]] const UnpackingLimits& limits() const { return limits_; }

 private:
  const FileStream* file_;
  UnpackingLimits limits_;
  std::uint64_t* total_;
  std::uint64_t unpacked_ = 0;
};

/// "expected an intact compressed file or archive, found: ..."
[[noreturn]] void refuse_packed(const std::string& name, std::string_view found);

}  // namespace inkling
