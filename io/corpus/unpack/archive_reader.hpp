// Unpacks what libarchive can read, as a stream, with limits on what comes out and checks of what it does not look at.
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

#include "io/corpus/unpack/archive_headers.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/corpus/unpack/packing.hpp"
#include "io/corpus/unpack/zip_directory.hpp"

struct archive;
struct archive_entry;

namespace inkling {

/// A symbolic or a hard link within an archive, with the paths as the archive has them.
struct ArchivedLink {
  std::string path;
  std::string target;
  bool symbolic = false;  ///< then a target that is not absolute counts from the folder that the link is in
};

/// Reads bzip2, xz, zstd and lz4, tar, zip and cpio. Damage throws FormatError naming the file, and so does what
/// passes a limit, naming the limit and its option. What an archive has no checksum for is not noticed: the content of
/// the files in tar and cpio.
/// Thread safety: one thread at a time. Lifetime: what it reads from outlives it.
class ArchiveReader final : public InputStream {
 public:
  /// A compressed stream is read as one file without a name. `packed` is `file` itself, which is then also sought in,
  /// or what another reader unpacks from it; `name` is for messages.
  /// Requires: a kind that is not none and not gzip.
  ArchiveReader(PackingKind kind, InputStream& packed, FileStream& file, std::string name,
                UnpackingMeter& meter);
  /// Of a file that begins as an archive does. `total` adds up what all files unpack to.
  ArchiveReader(Packing packing, FileStream& packed, FileStream& file, UnpackingLimits limits,
                std::uint64_t& total);

  /// Goes to the next regular file, whose path is put into `path`; false at the end. Folders are passed over, links
  /// are put aside for `take_links`, and what was not read of the file before is left out.
  [[nodiscard]] bool next_file(std::string& path);

  /// Of the file that `next_file` went to.
  [[nodiscard]] std::size_t read(std::span<char> to) override;

  /// The links that were passed over so far.
  [[nodiscard]] std::vector<ArchivedLink> take_links() { return std::exchange(links_, {}); }

 private:
  struct Callbacks;

  void open();
  void check_directory();
  /// Whether the file is a document; a link is put aside.
  [[nodiscard]] bool takes(archive_entry* entry);
  void put_aside(archive_entry* entry);
  [[nodiscard]] std::string path_of(archive_entry* entry);
  /// The name of a file of a zip, as it stands before the file's content; empty where that cannot be looked at.
  [[nodiscard]] std::string raw_name() const;
  /// What stood in the stream before the position that libarchive is at, as far as it can still be looked at.
  [[nodiscard]] std::string bytes_before(std::size_t count) const;
  void note(std::span<const char> bytes);
  /// Throws where the stream goes on after its end, or lacks what belongs to it.
  void check_end();
  void check_end_of_streamed_zip();
  [[nodiscard]] bool is_streamed_zip() const { return kind_ == PackingKind::zip && !can_seek_; }
  void finish_file();
  void read_rest();
  /// Checks the answer of a call of libarchive; rethrows an exception of ours that a callback kept.
  void check(std::ptrdiff_t answer);

  PackingKind kind_;
  InputStream* packed_;
  FileStream* file_;
  std::string name_;
  std::optional<UnpackingMeter> own_meter_;
  UnpackingMeter* meter_;
  std::vector<char> block_;
  std::uint64_t fed_ = 0;        // where in the stream the last block ends
  std::size_t last_block_ = 0;   // how long it is
  std::uint64_t text_end_ = 0;   // the place after the last byte so far that is not 0
  std::uint64_t files_ = 0;      // seen so far, with folders and all
  ZipFiles listed_;              // of a zip that is sought in
  std::uint64_t checksums_ = 0;  // of the files of a streamed zip
  unsigned long checksum_ = 0;   // of the file that is read
  std::unique_ptr<HeaderWatch> watch_;
  std::vector<ArchivedLink> links_;
  std::size_t link_bytes_ = 0;
  bool can_seek_ = false;
  bool at_end_ = false;
  std::exception_ptr failure_;  // of a callback; it must not pass through C code
  std::unique_ptr<archive, void (*)(archive*)> archive_;
};

}  // namespace inkling
