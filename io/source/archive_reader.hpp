// Unpacks compressed files and archives as a stream, with limits on what comes out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/source/byte_stream.hpp"
#include "io/source/gzip_check.hpp"

struct archive;

namespace inkling {

enum class Packing {
  none,
  compressed,  ///< one stream of bytes: gzip, bzip2, xz, zstd or lz4
  archive,     ///< files by name: tar, zip or cpio
};

/// Of a file that begins with `head`. Text is not mistaken for an archive: a magic number alone is not
/// enough where it consists of letters. Requires: 512 bytes, or all of a shorter file.
[[nodiscard]] Packing packing_of(std::string_view head);

struct UnpackingLimits {
  double most_expansion = 200.0;  ///< unpacked bytes per packed byte, beyond the free ones
  std::uint64_t most_unpacked_bytes = std::uint64_t{1} << 40U;
  std::uint64_t free_bytes = std::uint64_t{64} << 20U;  ///< what any file may unpack to
};

/// How much of one file was unpacked, compared with how much was read.
class UnpackingMeter {
 public:
  /// Lifetime: the file outlives it; `total` adds up what all files unpack to.
  UnpackingMeter(UnpackingLimits limits, const FileStream& file, std::uint64_t& total)
      : limits_(limits), file_(&file), total_(&total) {}

  /// Throws FormatError, naming the limit and its option, once a limit is passed.
  void count(std::size_t unpacked);

 private:
  UnpackingLimits limits_;
  const FileStream* file_;
  std::uint64_t* total_;
  std::uint64_t unpacked_ = 0;
};

/// Reads through libarchive. Damage throws FormatError naming the file.
/// Thread safety: one thread at a time. Lifetime: what it reads from outlives it.
class ArchiveReader final : public InputStream {
 public:
  /// A compressed stream is read as one file without a name. Requires: packing is not none.
  /// `packed` is `file` itself, which is then also sought in, or what another reader unpacks from it.
  ArchiveReader(Packing packing, InputStream& packed, FileStream& file, UnpackingMeter meter);
  ~ArchiveReader() override;
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  /// Goes to the next regular file, whose path is put into `path`; false at the end. Links and folders are
  /// passed over, and so is what was not read of the file before.
  [[nodiscard]] bool next_file(std::string& path);

  /// Of the file that `next_file` went to.
  [[nodiscard]] std::size_t read(std::span<char> to) override;

 private:
  struct Callbacks;

  /// Throws where a whole gzip file came out and is not what went in.
  void check_gzip() const;
  /// Checks the answer of a call of libarchive; rethrows an exception of ours that a callback kept.
  void check(std::ptrdiff_t answer);

  InputStream* packed_;
  FileStream* file_;
  UnpackingMeter meter_;
  std::vector<char> block_;
  std::optional<GzipCheck> gzip_;
  std::exception_ptr failure_;  // of a callback; it must not pass through C code
  std::unique_ptr<archive, void (*)(archive*)> archive_;
};

}  // namespace inkling
