// Unpacks compressed files and archives as a stream, with limits on what comes out.
#pragma once

#include <array>
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

/// Told of everything that goes into an unpacker and comes out of it. A gzip file ends in the CRC-32 and the
/// length of its last part; where it has only one part, they are those of all that came out.
class GzipCheck {
 public:
  void note_packed(std::span<const char> bytes);
  void note_unpacked(std::span<const char> bytes);

  /// After the end: checksum or length are not those of what came out. Where something that could begin
  /// another part went in, a length that differs proves nothing, and then the checksum proves nothing too;
  /// nor does an end of zeros, with which files are filled up.
  [[nodiscard]] bool is_broken() const;

 private:
  [[nodiscard]] std::uint32_t number_at(std::size_t position) const;

  std::array<char, 8> last_bytes_ = {};
  int beginnings_ = 0;  // of parts, or what looks like them
  unsigned long crc_ = 0;
  std::uint64_t unpacked_ = 0;
};

/// Reads through libarchive. Damage throws FormatError naming the file, and so does what passes a limit, naming
/// the limit and its option.
/// Thread safety: one thread at a time. Lifetime: what it reads from outlives it.
class ArchiveReader final : public InputStream {
 public:
  /// A compressed stream is read as one file without a name. Requires: packing is not none.
  /// `packed` is `file` itself, which is then also sought in, or what another reader unpacks from it.
  /// `total` adds up what all files unpack to.
  ArchiveReader(Packing packing, InputStream& packed, FileStream& file, UnpackingLimits limits,
                std::uint64_t& total);

  /// Goes to the next regular file, whose path is put into `path`; false at the end. Links and folders are
  /// passed over, and so is what was not read of the file before.
  [[nodiscard]] bool next_file(std::string& path);

  /// Of the file that `next_file` went to.
  [[nodiscard]] std::size_t read(std::span<char> to) override;

 private:
  struct Callbacks;

  void count(std::size_t unpacked);
  /// Throws where a whole gzip file came out and is not what went in.
  void check_gzip() const;
  /// Checks the answer of a call of libarchive; rethrows an exception of ours that a callback kept.
  void check(std::ptrdiff_t answer);

  InputStream* packed_;
  FileStream* file_;
  UnpackingLimits limits_;
  std::uint64_t* total_;
  std::uint64_t unpacked_ = 0;
  std::vector<char> block_;
  std::optional<GzipCheck> gzip_;
  std::exception_ptr failure_;  // of a callback; it must not pass through C code
  std::unique_ptr<archive, void (*)(archive*)> archive_;
};

}  // namespace inkling
