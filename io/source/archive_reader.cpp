#include "io/source/archive_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale is not in <clocale>
#include <zlib.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kTarBlock = 512;

bool is_compressed(std::string_view head) {
  constexpr std::array magics = {"\x1F\x8B\x08"sv,
                                 "\xFD"
                                 "7zXZ\0"sv,
                                 "\x28\xB5\x2F\xFD"sv, "\x04\x22\x4D\x18"sv};
  if (std::ranges::any_of(magics, [&](std::string_view magic) { return head.starts_with(magic); }))
    return true;
  // bzip2: "BZh", a level, then the first block or, where there is nothing in it, the end.
  if (head.size() < 10 || !head.starts_with("BZh"sv) || head[3] < '1' || head[3] > '9') return false;
  const std::string_view block = head.substr(4);
  return block.starts_with("1AY&SY"sv) || block.starts_with("\x17\x72\x45\x38\x50\x90"sv);
}

bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv);
}

// An octal number padded by spaces and ended by a NUL or a space, as headers of tar have it.
unsigned long octal(std::string_view field) {
  unsigned long number = 0;
  for (const char digit : field.substr(std::min(field.find_first_not_of(' '), field.size()))) {
    if (digit < '0' || digit > '7') break;
    number = number * 8 + static_cast<unsigned long>(digit - '0');
  }
  return number;
}

// The sum of all bytes of a header, where the sum itself counts as spaces. A block of zeros ends an archive
// and begins none.
bool is_tar(std::string_view head) {
  constexpr std::size_t sum_begin = 148;
  constexpr std::size_t sum_size = 8;
  if (head.size() < kTarBlock || head.front() == '\0') return false;
  unsigned long sum = sum_size * ' ';
  for (std::size_t i = 0; i < kTarBlock; ++i) {
    if (i - sum_begin >= sum_size) sum += static_cast<unsigned char>(head[i]);
  }
  return sum == octal(head.substr(sum_begin, sum_size));
}

bool is_cpio(std::string_view head) {
  constexpr std::size_t odc_header = 76;
  constexpr std::size_t newc_header = 110;
  const auto all = [&](std::size_t size, std::string_view digits) {
    return head.size() >= size && head.substr(0, size).find_first_not_of(digits) == std::string_view::npos;
  };
  if (head.starts_with("070707"sv)) return all(odc_header, "01234567"sv);
  if (head.starts_with("070701"sv) || head.starts_with("070702"sv))
    return all(newc_header, "0123456789abcdefABCDEF"sv);
  return false;
}

static_assert(std::endian::native == std::endian::little);
constexpr std::string_view kGzipMagic = "\x1F\x8B\x08";
constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;

int count_of(std::string_view pattern, std::string_view text) {
  int count = 0;
  for (std::size_t at = text.find(pattern); at != std::string_view::npos; at = text.find(pattern, at + 1))
    ++count;
  return count;
}

// libarchive turns file names into the locale's characters; while this lives they are UTF-8, for this thread.
class Utf8Names {
 public:
  Utf8Names() : locale_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = ::uselocale(locale_);
  }
  ~Utf8Names() {
    if (locale_ == nullptr) return;
    ::uselocale(before_);
    ::freelocale(locale_);
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  locale_t locale_;
  locale_t before_ = nullptr;
};

std::string path_of(archive_entry* entry) {
  if (const char* const utf8 = archive_entry_pathname_utf8(entry)) return utf8;
  if (const char* const bytes = archive_entry_pathname(entry)) return bytes;
  return "unnamed";
}

bool is_document(archive_entry* entry) {
  return archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
}

void support(archive* reader, Packing packing) {
  if (packing == Packing::archive) {
    archive_read_support_format_tar(reader);
    archive_read_support_format_zip(reader);
    archive_read_support_format_cpio(reader);
    return;
  }
  archive_read_support_filter_gzip(reader);
  archive_read_support_filter_bzip2(reader);
  archive_read_support_filter_xz(reader);
  archive_read_support_filter_zstd(reader);
  archive_read_support_filter_lz4(reader);
  archive_read_support_format_raw(reader);
  archive_read_support_format_empty(reader);
}

}  // namespace

Packing packing_of(std::string_view head) {
  if (is_compressed(head)) return Packing::compressed;
  if (is_zip(head) || is_tar(head) || is_cpio(head)) return Packing::archive;
  return Packing::none;
}

void GzipCheck::note_packed(std::span<const char> bytes) {
  if (bytes.empty()) return;
  // Across the border between two pieces first.
  constexpr std::size_t overlap = kGzipMagic.size() - 1;
  std::string border(last_bytes_.end() - overlap, last_bytes_.end());
  border.append(bytes.data(), std::min(bytes.size(), overlap));
  beginnings_ += count_of(kGzipMagic, border) + count_of(kGzipMagic, {bytes.data(), bytes.size()});

  const std::size_t fresh = std::min(bytes.size(), last_bytes_.size());
  std::copy(last_bytes_.begin() + static_cast<std::ptrdiff_t>(fresh), last_bytes_.end(), last_bytes_.begin());
  std::memcpy(last_bytes_.data() + last_bytes_.size() - fresh, bytes.last(fresh).data(), fresh);
}

void GzipCheck::note_unpacked(std::span<const char> bytes) {
  crc_ = ::crc32_z(crc_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  unpacked_ += bytes.size();
}

bool GzipCheck::is_broken() const {
  const std::uint32_t checksum = number_at(0);
  const std::uint32_t length = number_at(4);
  const bool right_length = length == static_cast<std::uint32_t>(unpacked_);
  if (right_length) return checksum != crc_;
  const bool filled_up = checksum == 0 && length == 0;
  return beginnings_ == 1 && !filled_up;
}

std::uint32_t GzipCheck::number_at(std::size_t position) const {
  std::uint32_t number = 0;
  std::memcpy(&number, last_bytes_.data() + position, sizeof number);
  return number;
}

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
      if (reader.gzip_) reader.gzip_->note_packed(std::span(reader.block_).first(count));
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
      return base + offset;
    });
  }

  static la_int64_t skip(archive* /*reader*/, void* self, la_int64_t count) {
    return guarded(self, la_int64_t{ARCHIVE_FATAL}, [&](ArchiveReader& reader) {
      const auto left = static_cast<la_int64_t>(reader.file_->size() - reader.file_->position());
      const la_int64_t skipped = std::min(count, left);
      reader.file_->seek(reader.file_->position() + static_cast<std::uint64_t>(skipped));
      return skipped;
    });
  }
};

ArchiveReader::ArchiveReader(Packing packing, InputStream& packed, FileStream& file, UnpackingLimits limits,
                             std::uint64_t& total)
    : packed_(&packed),
      file_(&file),
      limits_(limits),
      total_(&total),
      block_(kBlockBytes),
      archive_(archive_read_new(), [](archive* reader) { archive_read_free(reader); }) {
  if (!archive_) throw std::bad_alloc();
  support(archive_.get(), packing);
  archive_read_set_read_callback(archive_.get(), &Callbacks::read);
  if (&packed == &file && file.can_seek()) {
    archive_read_set_seek_callback(archive_.get(), &Callbacks::seek);
    archive_read_set_skip_callback(archive_.get(), &Callbacks::skip);
  }
  archive_read_set_callback_data(archive_.get(), this);
  if (packing == Packing::compressed && file.head().starts_with(kGzipMagic)) gzip_.emplace();
  check(archive_read_open1(archive_.get()));
}

bool ArchiveReader::next_file(std::string& path) {
  const Utf8Names utf8_names;
  for (;;) {
    archive_entry* entry = nullptr;
    const int answer = archive_read_next_header(archive_.get(), &entry);
    if (answer == ARCHIVE_EOF) return false;
    if (answer == ARCHIVE_RETRY) continue;
    if (answer != ARCHIVE_WARN) check(answer);
    if (!is_document(entry)) continue;
    path = path_of(entry);
    return true;
  }
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
  count(filled);
  if (gzip_) gzip_->note_unpacked(to.first(filled));
  if (gzip_ && filled < to.size()) check_gzip();
  return filled;
}

void ArchiveReader::count(std::size_t unpacked) {
  unpacked_ += unpacked;
  *total_ += unpacked;
  const double most = static_cast<double>(limits_.free_bytes) +
                      limits_.most_expansion * static_cast<double>(file_->bytes_read());
  if (static_cast<double>(unpacked_) > most) {
    throw FormatError(file_->path(), fmt::format("expected at most {} bytes unpacked for each packed one "
                                                 "beyond the first {} (--max-expansion), found more",
                                                 number_text(limits_.most_expansion), limits_.free_bytes));
  }
  if (*total_ > limits_.most_unpacked_bytes) {
    throw FormatError(file_->path(),
                      fmt::format("expected at most {} bytes unpacked (--max-unpacked), found more",
                                  limits_.most_unpacked_bytes));
  }
}

// Only where nothing but gzip was taken off: within it could be another compressed file.
void ArchiveReader::check_gzip() const {
  constexpr int gzip_alone = 2;  // and what reads the file
  if (archive_filter_count(archive_.get()) != gzip_alone || !gzip_->is_broken()) return;
  throw FormatError(file_->path(), "expected an intact compressed file or archive, found: a wrong checksum");
}

void ArchiveReader::check(std::ptrdiff_t answer) {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (answer >= 0) return;
  const char* const reason = archive_error_string(archive_.get());
  throw FormatError(file_->path(), fmt::format("expected an intact compressed file or archive, found: {}",
                                               reason == nullptr ? "unknown damage" : reason));
}

}  // namespace inkling
