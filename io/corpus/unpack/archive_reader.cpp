#include "io/corpus/unpack/archive_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <zlib.h>

#include "engine/core/errors.hpp"
#include "io/base/system/locale.hpp"

namespace inkling {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;
constexpr std::size_t kTarBlockBytes = 512;
constexpr ReadingBudget::Limits kLinks = {
    .bytes = std::uint64_t{16} << 20U, .option = "for the links in it", .otherwise = "unpack it and name the folder"};

int support_compressed(archive* reader, int filter) {
  archive_read_support_format_raw(reader);
  archive_read_support_format_empty(reader);
  return archive_read_append_filter(reader, filter);
}

// Enables only the kind that was recognised. By itself libarchive would remove all nested filters that it finds, or none
// if it recognises none.
int support(archive* reader, PackingKind kind, bool can_seek) {
  switch (kind) {
    case PackingKind::tar: return archive_read_support_format_tar(reader);
    case PackingKind::zip:
      return can_seek ? archive_read_support_format_zip_seekable(reader) : archive_read_support_format_zip_streamable(reader);
    case PackingKind::cpio: return archive_read_support_format_cpio(reader);
    case PackingKind::bzip2: return support_compressed(reader, ARCHIVE_FILTER_BZIP2);
    case PackingKind::xz: return support_compressed(reader, ARCHIVE_FILTER_XZ);
    case PackingKind::zstd: return support_compressed(reader, ARCHIVE_FILTER_ZSTD);
    case PackingKind::lz4: return support_compressed(reader, ARCHIVE_FILTER_LZ4);
    case PackingKind::none:
    case PackingKind::utf16:
    case PackingKind::gzip: break;
  }
  return ARCHIVE_FATAL;  // these are read without libarchive
}

}  // namespace

struct ArchiveReader::Callbacks {
  template <typename Result, typename Work>
  static Result guarded(void* self, Result failed, const Work& work) {
    ArchiveReader& reader = *static_cast<ArchiveReader*>(self);
    try {
      return work(reader);
    } catch (...) {
      reader.failure_ = std::current_exception();
      archive_set_error(reader.archive_.get(), EIO, "%s", "cannot be read");
      return failed;
    }
  }

  static la_ssize_t read(archive* /*reader*/, void* self, const void** block) {
    return guarded(self, la_ssize_t{ARCHIVE_FATAL}, [&](ArchiveReader& reader) {
      const std::size_t count = reader.packed_->read(reader.block_);
      reader.note(std::span(reader.block_).first(count));
      *block = reader.block_.data();
      return static_cast<la_ssize_t>(count);
    });
  }

  static la_int64_t seek(archive* /*reader*/, void* self, la_int64_t offset, int whence) {
    return guarded(self, la_int64_t{ARCHIVE_FATAL}, [&](ArchiveReader& reader) -> la_int64_t {
      la_int64_t base = 0;
      if (whence == SEEK_CUR) base = static_cast<la_int64_t>(reader.file_->position());
      if (whence == SEEK_END) base = static_cast<la_int64_t>(reader.file_->size());
      if (offset < -base) return ARCHIVE_FATAL;
      reader.file_->seek(static_cast<std::uint64_t>(base + offset));
      reader.fed_ = static_cast<std::uint64_t>(base + offset);
      return base + offset;
    });
  }

  static la_int64_t skip(archive* /*reader*/, void* self, la_int64_t count) {
    return guarded(self, la_int64_t{ARCHIVE_FATAL}, [&](ArchiveReader& reader) {
      const auto left = static_cast<la_int64_t>(reader.file_->size() - reader.file_->position());
      const la_int64_t skipped = std::clamp<la_int64_t>(count, 0, std::max<la_int64_t>(left, 0));
      reader.file_->seek(reader.file_->position() + static_cast<std::uint64_t>(skipped));
      reader.fed_ += static_cast<std::uint64_t>(skipped);
      return skipped;
    });
  }
};

ArchiveReader::ArchiveReader(PackingKind kind, InputStream& packed, FileStream& file, std::string name, UnpackingMeter& meter)
    : kind_(kind),
      packed_(&packed),
      file_(&file),
      name_(std::move(name)),
      meter_(&meter),
      links_budget_(kLinks, name_),
      archive_(archive_read_new(), [](archive* reader) { archive_read_free(reader); }) {
  open();
}

ArchiveReader::ArchiveReader(Packing /*packing*/, FileStream& packed, FileStream& file, UnpackingLimits limits,
                             std::uint64_t& total)
    : kind_(packing_kind_of(packed.head())),
      packed_(&packed),
      file_(&file),
      name_(file.path()),
      own_meter_(std::in_place, file, limits, total),
      meter_(&*own_meter_),
      links_budget_(kLinks, name_),
      archive_(archive_read_new(), [](archive* reader) { archive_read_free(reader); }) {
  open();
}

void ArchiveReader::open() {
  if (!archive_) throw std::bad_alloc();
  can_seek_ = packed_ == file_ && file_->can_seek();
  // Not larger than the file: otherwise blocks would take most of the time when many small files are opened.
  block_.resize(can_seek_ ? std::clamp<std::uint64_t>(file_->size(), kTarBlockBytes, kBlockBytes) : kBlockBytes);
  if (kind_ == PackingKind::zip && can_seek_) check_directory();
  watch_ = watch_headers(kind_, name_, meter_->limits());
  check(support(archive_.get(), kind_, can_seek_));
  archive_read_set_read_callback(archive_.get(), &Callbacks::read);
  if (can_seek_ && !watch_) {
    archive_read_set_seek_callback(archive_.get(), &Callbacks::seek);
    archive_read_set_skip_callback(archive_.get(), &Callbacks::skip);
  }
  archive_read_set_callback_data(archive_.get(), this);
  check(archive_read_open1(archive_.get()));
  // If the first read fails, the answer does not report it: the file looks empty.
  if (archive_errno(archive_.get()) != 0) check(ARCHIVE_FATAL);
}

// Checks the list of files of a zip: libarchive ignores a list that is cut, and stops reading at damage in it.
void ArchiveReader::check_directory() {
  const std::optional<ZipDirectory> directory = find_zip_directory(*file_, kLongestZipComment);
  if (!directory) refuse_packed(name_, "no list of files at the end of a zip file: it was cut");
  file_->seek(directory->begin);
  listed_ = read_zip_directory(*file_, name_);
  file_->seek(0);
  check_unpacking_memory(name_, zip_directory_memory(listed_.files), meter_->limits());
}

bool ArchiveReader::next_file(std::string& path) {
  const Utf8Names utf8_names;  // libarchive turns file names into the locale's characters
  while (!at_end_) {
    if (is_streamed_zip()) finish_file();
    archive_entry* entry = nullptr;
    const int answer = archive_read_next_header(archive_.get(), &entry);
    if (answer == ARCHIVE_EOF) {
      check_end();
      return false;
    }
    if (answer == ARCHIVE_RETRY) continue;
    if (answer != ARCHIVE_WARN) check(answer);
    ++files_;
    if (packing_of(kind_) == Packing::archive) meter_->add(kTarBlockBytes);  // millions of empty files are many bytes, too
    if (!takes(entry)) continue;
    path = path_of(entry);
    return true;
  }
  return false;
}

// Reads the rest of a file in a streamed zip, because its checksum covers all of it.
void ArchiveReader::finish_file() {
  std::vector<char> rest(files_ == 0 ? 0 : kTarBlockBytes * 8);
  while (!rest.empty() && read(rest) == rest.size()) {
  }
  checksums_ += std::exchange(checksum_, 0);
}

bool ArchiveReader::takes(archive_entry* entry) {
  const bool is_hard_link = archive_entry_hardlink(entry) != nullptr;
  const bool has_content = archive_entry_size(entry) > 0;
  if (kind_ == PackingKind::cpio && archive_entry_nlink(entry) > 1 && !has_content && archive_entry_filetype(entry) == AE_IFREG) {
    throw FormatError(joined_path(name_, path_of(entry)),
                      "expected files, found a hard link in a cpio archive: unpack it and name the folder");
  }
  if (archive_entry_filetype(entry) == AE_IFLNK || (is_hard_link && !has_content)) {
    put_aside(entry);
    return false;
  }
  return archive_entry_filetype(entry) == AE_IFREG;
}

void ArchiveReader::put_aside(archive_entry* entry) {
  const bool symbolic = archive_entry_filetype(entry) == AE_IFLNK;
  const char* target = symbolic ? archive_entry_symlink_utf8(entry) : archive_entry_hardlink_utf8(entry);
  if (target == nullptr) target = symbolic ? archive_entry_symlink(entry) : archive_entry_hardlink(entry);
  ArchivedLink link = {path_of(entry), target == nullptr ? "" : target, symbolic};
  links_budget_.take(sizeof link + link.path.size() + link.target.size());
  links_.push_back(std::move(link));
}

std::string ArchiveReader::path_of(archive_entry* entry) {
  // If both names exist they are the same, and this one is not converted.
  if (const char* const bytes = archive_entry_pathname(entry)) return bytes;
  if (const char* const utf8 = archive_entry_pathname_utf8(entry)) return utf8;
  std::string name = kind_ == PackingKind::zip ? raw_name() : std::string();
  return name.empty() ? fmt::format("unnamed-{}", files_) : name;
}

std::string ArchiveReader::raw_name() const {
  constexpr std::size_t header = 30;
  constexpr std::size_t most = header + 2 * kLongestZipComment;
  const std::string before = bytes_before(most);
  const auto number = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(before[at])) |
           static_cast<std::size_t>(static_cast<unsigned char>(before[at + 1])) << 8U;
  };
  if (before.size() < header) return {};
  for (std::size_t at = before.rfind("PK\x03\x04", before.size() - header); at != std::string::npos;
       at = at == 0 ? std::string::npos : before.rfind("PK\x03\x04", at - 1)) {
    if (at + header + number(at + 26) + number(at + 28) == before.size()) return before.substr(at + header, number(at + 26));
  }
  return {};
}

std::string ArchiveReader::bytes_before(std::size_t count) const {
  const auto position = static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), 0));
  const std::uint64_t begin = position - std::min<std::uint64_t>(position, count);
  std::string bytes(static_cast<std::size_t>(position - begin), '\0');
  if (can_seek_) {
    bytes.resize(file_->read_at(begin, bytes));
    return bytes;
  }
  const std::uint64_t block_begin = fed_ - last_block_;
  if (position < block_begin || position > fed_) return {};
  const std::uint64_t from = std::max(begin, block_begin);
  return {block_.data() + (from - block_begin), static_cast<std::size_t>(position - from)};
}

std::size_t ArchiveReader::read(std::span<char> to) {
  std::size_t filled = 0;
  while (filled < to.size()) {
    const la_ssize_t got = archive_read_data(archive_.get(), to.data() + filled, to.size() - filled);
    if (got == ARCHIVE_RETRY) continue;
    check(got);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  meter_->add(filled);
  if (is_streamed_zip()) checksum_ = ::crc32_z(checksum_, reinterpret_cast<const unsigned char*>(to.data()), filled);
  if (filled < to.size() && packing_of(kind_) == Packing::compressed) check_end();
  return filled;
}

void ArchiveReader::note(std::span<const char> bytes) {
  if (watch_) watch_->note(bytes);
  last_block_ = bytes.size();
  const auto last = std::find_if(bytes.rbegin(), bytes.rend(), [](char byte) { return byte != '\0'; });
  if (last != bytes.rend()) text_end_ = fed_ + static_cast<std::uint64_t>(bytes.rend() - last);
  fed_ += bytes.size();
}

void ArchiveReader::check_end() {
  if (std::exchange(at_end_, true)) return;
  if (is_streamed_zip()) return check_end_of_streamed_zip();
  if (kind_ == PackingKind::zip) {
    if (files_ != listed_.files) refuse_packed(name_, "a list of files that does not match its files");
    return;
  }
  const bool compressed = packing_of(kind_) == Packing::compressed;
  const auto end = static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), compressed ? -1 : 0));
  read_rest();
  if (text_end_ > end) {
    refuse_packed(name_, kind_ == PackingKind::tar
                             ? "something else after its end (\"tar --concatenate\" makes one archive of two)"
                             : "something else after its end");
  }
  if (kind_ == PackingKind::tar && (end < kTarBlockBytes || text_end_ > end - kTarBlockBytes))
    refuse_packed(name_, "no blocks of zeros at the end of a tar file: it was cut");
  if (watch_ && !watch_->is_whole()) refuse_packed(name_, "its end too early: it was cut");
}

// Checks the list of files at the end of a streamed zip: libarchive does not read it.
void ArchiveReader::check_end_of_streamed_zip() {
  const auto end = static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), 0));
  if (end + last_block_ < fed_ || end > fed_) refuse_packed(name_, "its list of files damaged or cut");
  // The part of the last block that libarchive has not used, then the rest of the stream.
  class Rest final : public InputStream {
   public:
    Rest(std::string_view first, ArchiveReader& reader) : first_(first), reader_(reader) {}
    [[nodiscard]] std::size_t read(std::span<char> to) override {
      const std::size_t count = first_.read(to);
      if (count == to.size()) return count;
      return count + reader_.packed_->read(to.subspan(count));
    }

   private:
    MemoryStream first_;
    ArchiveReader& reader_;
  };
  const auto unused = static_cast<std::size_t>(fed_ - end);
  Rest rest({block_.data() + (last_block_ - unused), unused}, *this);
  const ZipFiles found = read_zip_directory(rest, name_);
  if (found.files != files_ || found.checksums != checksums_)
    refuse_packed(name_, "a list of files that does not match its files");
  if (!found.first_link.empty()) {
    throw FormatError(joined_path(name_, found.first_link),
                      "expected files, found a link in a zip file that comes packed or through a pipe: name "
                      "the zip file itself");
  }
  read_rest();
}

void ArchiveReader::read_rest() {
  const auto end = static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), 0));
  for (std::size_t got = block_.size(); got == block_.size();) {
    got = packed_->read(block_);
    note(std::span(block_).first(got));
    const bool is_seen = kind_ == PackingKind::tar && text_end_ > end;
    if (is_seen && can_seek_) return;
  }
}

void ArchiveReader::check(std::ptrdiff_t answer) {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (answer >= 0) return;
  const char* const reason = archive_error_string(archive_.get());
  refuse_packed(name_, reason == nullptr ? "unknown damage" : reason);
}

}  // namespace inkling
