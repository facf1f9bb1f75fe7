#include "io/corpus/unpack/zip_directory.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "io/base/file/low_first.hpp"
#include "io/corpus/unpack/packing.hpp"

namespace inkling {
namespace {

using namespace std::string_view_literals;

// A zip file's directory is read in order, a record of 46 bytes and three texts after the other.
class DirectoryReader {
 public:
  DirectoryReader(InputStream& stream, const std::string& name) : stream_(stream), name_(name) {}

  // The next bytes, valid until the next call. Requires: at most half a megabyte.
  [[nodiscard]] std::string_view take(std::size_t bytes) {
    while (block_.size() - at_ < bytes) {
      block_.erase(0, at_);
      at_ = 0;
      const std::size_t before = block_.size();
      block_.resize(before + kBlock);
      block_.resize(before + stream_.read(std::span(block_).subspan(before)));
      if (block_.size() == before) refuse_packed(name_, "its list of files cut");
    }
    at_ += bytes;
    return std::string_view(block_).substr(at_ - bytes, bytes);
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16U;
  InputStream& stream_;
  const std::string& name_;
  std::string block_;
  std::size_t at_ = 0;
};

constexpr std::size_t kSignature = 4;
constexpr std::size_t kZipEnd = 22;
constexpr std::string_view kZipEndSignature = "PK\x05\x06";
constexpr std::string_view kZip64EndSignature = "PK\x06\x06";
constexpr std::string_view kZipFileSignature = "PK\x01\x02";

bool is_zip_link(std::string_view record) {
  constexpr std::uint64_t of_unix = 3;
  constexpr std::uint64_t kind_bits = 0170000;
  constexpr std::uint64_t link = 0120000;
  return low_first(record, 5, 1) == of_unix && ((low_first(record, 38, 4) >> 16U) & kind_bits) == link;
}

// Whether the end of the directory tells this number of files. The small form tells only its lowest 16 bits, or 0xFFFF.
bool has_told_files(std::string_view end, std::uint64_t files) {
  if (end.starts_with(kZip64EndSignature)) return low_first(end, 32, 8) == files;
  const std::uint64_t stated = low_first(end, 10, 2);
  return stated == 0xFFFF || stated == (files & 0xFFFFU);
}

std::string bytes_of(const FileStream& file, std::uint64_t position, std::size_t count) {
  std::string bytes(count, '\0');
  bytes.resize(file.read_at(position, bytes));
  return bytes;
}

// The directory as stated by the record that ends the file or, in a large file, by the zip64 record before it.
ZipDirectory directory_told_by(const FileStream& file, std::uint64_t position, std::string_view end) {
  const ZipDirectory directory = {position, low_first(end, 12, 4), low_first(end, 10, 2)};
  constexpr std::size_t locator = 20;
  constexpr std::size_t large_end = 56;
  if (position < locator + large_end) return directory;
  const std::string pointer = bytes_of(file, position - locator, locator);
  if (!pointer.starts_with("PK\x06\x07"sv)) return directory;
  for (const std::uint64_t at : {low_first(pointer, 8, 8), position - locator - large_end}) {
    const std::string large = bytes_of(file, at, large_end);
    if (large.size() == large_end && large.starts_with(kZip64EndSignature))
      return {at, low_first(large, 40, 8), low_first(large, 32, 8)};
  }
  return directory;
}

}  // namespace

std::optional<ZipDirectory> find_zip_directory(const FileStream& file, std::size_t comment) {
  if (file.size() < kZipEnd) return std::nullopt;
  const auto tail_size = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), kZipEnd + comment));
  const std::uint64_t tail_begin = file.size() - tail_size;
  const std::string tail = bytes_of(file, tail_begin, tail_size);
  if (tail.size() < kZipEnd) return std::nullopt;
  for (std::size_t at = tail.rfind(kZipEndSignature, tail.size() - kZipEnd); at != std::string::npos;
       at = at == 0 ? std::string::npos : tail.rfind(kZipEndSignature, at - 1)) {
    if (at + kZipEnd + low_first(tail, at + 20, 2) > tail.size()) continue;
    ZipDirectory found = directory_told_by(file, tail_begin + at, std::string_view(tail).substr(at));
    // The positions that it tells are too low if other bytes precede the zip file, but the list always ends right here.
    if (found.bytes > found.begin) continue;
    found.begin -= found.bytes;
    if (found.bytes == 0 || bytes_of(file, found.begin, kSignature) == kZipFileSignature) return found;
  }
  return std::nullopt;
}

ZipFiles read_zip_directory(InputStream& directory, const std::string& name) {
  DirectoryReader reader(directory, name);
  ZipFiles found;
  for (;;) {
    constexpr std::size_t rest_of_record = 42;
    std::string record(reader.take(kSignature));
    if (record != kZipFileSignature) {
      const bool large = record == kZip64EndSignature;
      if (!large && record != kZipEndSignature) refuse_packed(name, "its list of files damaged or cut");
      record += reader.take((large ? 56 : kZipEnd) - kSignature);
      if (!has_told_files(record, found.files)) refuse_packed(name, "its list of files damaged or cut");
      return found;
    }
    record += reader.take(rest_of_record);
    found.checksums += low_first(record, 16, 4);
    const std::string_view file = reader.take(static_cast<std::size_t>(low_first(record, 28, 2)));
    if (found.first_link.empty() && is_zip_link(record)) found.first_link = file.empty() ? "?" : file;
    static_cast<void>(reader.take(static_cast<std::size_t>(low_first(record, 30, 2) + low_first(record, 32, 2))));
    ++found.files;
  }
}

std::uint64_t zip_directory_memory(std::uint64_t files) {
  constexpr std::uint64_t of_a_file = 224;  // what libarchive keeps
  return files * of_a_file;
}

}  // namespace inkling
