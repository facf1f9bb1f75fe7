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
  bool symbolic = false;  ///< then a relative target begins at the folder of the link
};

/// Reads bzip2, xz, zstd and lz4, tar, zip and cpio. Throws FormatError for damage, naming the file, and for what exceeds
/// a limit, naming the limit and its option. Damage to the content of files in tar and cpio is not noticed, because they
/// have no checksums. Thread safety: one thread at a time. Lifetime: what it reads from outlives it.
class ArchiveReader final : public InputStream {
 public:
  /// Reads a compressed stream as one file without a name. `packed` is `file` itself, in which the reader then also
  /// seeks, or a stream that another reader unpacks from it; `name` is for messages. Requires: a kind other than none and
  /// gzip.
  ArchiveReader(PackingKind kind, InputStream& packed, FileStream& file, std::string name, UnpackingMeter& meter);
  /// Requires: `packed` begins as an archive does. `total`: the unpacked bytes of all files are added to it.
  ArchiveReader(Packing packing, FileStream& packed, FileStream& file, UnpackingLimits limits, std::uint64_t& total);

  /// Goes to the next regular file and puts its path into `path`; false at the end. Skips folders and what was not read
  /// of the file before; keeps links for `take_links`.
  [[nodiscard]] bool next_file(std::string& path);

  /// Reads from the file that `next_file` went to.
  [[nodiscard]] std::size_t read(std::span<char> to) override;

  /// The links that were passed over so far.
  [[nodiscard]] std::vector<ArchivedLink> take_links() { return std::exchange(links_, {}); }

 private:
  struct Callbacks;

  void open();
  void check_directory();
  /// Whether the file is a document; keeps a link for `take_links`.
  [[nodiscard]] bool takes(archive_entry* entry);
  void put_aside(archive_entry* entry);
  [[nodiscard]] std::string path_of(archive_entry* entry);
  /// The name of a file in a zip, from the header before its content; empty if that header is no longer in memory.
  [[nodiscard]] std::string raw_name() const;
  /// The bytes of the stream before libarchive's position, as far as they are still in memory.
  [[nodiscard]] std::string bytes_before(std::size_t count) const;
  void note(std::span<const char> bytes);
  /// Throws if the stream continues after its end, or its end is incomplete.
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
  ReadingBudget links_budget_;
  bool can_seek_ = false;
  bool at_end_ = false;
  std::exception_ptr failure_;  // of a callback; it must not pass through C code
  std::unique_ptr<archive, void (*)(archive*)> archive_;
};

}  // namespace inkling
