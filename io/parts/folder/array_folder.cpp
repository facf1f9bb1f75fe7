#include "io/parts/folder/array_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kMostManifestBytes = std::uint64_t{1} << 30U;

File open_array_folder(const FolderKind& kind, const std::string& path) {
  File folder = File::open(path, OpenAs::folder);
  if (folder.is_open()) return folder;
  if (errno == ENOTDIR) throw CorruptFileError(path, "expected {}, which is a folder, found a file", kind.noun);
  throw SystemError(path, errno, "cannot open");
}

std::string folder_manifest_in(const FolderKind& kind, const std::string& path, const File& folder) {
  const std::string name(PoolFile::manifest);
  try {
    const PoolFileReader file(folder, name, pool_file_path(path, name));
    if (file.size() > kMostManifestBytes)
      throw CorruptFileError(file.path(), "expected the manifest of {}, found a far larger file", kind.noun);
    std::string text(static_cast<std::size_t>(file.size()), '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    return text;
  } catch (const SystemError& error) {
    if (error.error_number() != ENOENT) throw;
    throw CorruptFileError(path, "expected {}, which has a manifest.json, found none", kind.noun);
  }
}

}  // namespace

void check_offsets(const std::string& path, const std::vector<std::int64_t>& offsets, std::size_t end) {
  const bool fits =
      !offsets.empty() && offsets.front() == 0 && std::ranges::is_sorted(offsets) && std::cmp_equal(offsets.back(), end);
  if (!fits) throw CorruptFileError(path, "expected offsets that never fall, from 0 to {}", end);
}

ArrayFolder::ArrayFolder(const FolderKind& kind, const std::string& path)
    : ArrayFolder(kind, path, open_array_folder(kind, path)) {}

ArrayFolder::ArrayFolder(const FolderKind& kind, const std::string& path, const File& folder)
    : ArrayFolder(kind, path, folder, folder_manifest_in(kind, path, folder)) {}

ArrayFolder::ArrayFolder(const FolderKind& kind, const std::string& path, const File& folder, const std::string& text)
    : path_(path), checksum_(seal_of(text).value_or(0)), manifest_(kind, path_of(PoolFile::manifest), text) {
  for (FileRecord& record : manifest_.files()) {
    const std::string of_file = path_of(record.name);
    try {
      std::string name = record.name;
      OpenFile file{std::move(record), PoolFileReader(folder, name, of_file)};
      if (file.reader.size() != file.record.bytes)
        throw CorruptFileError(of_file, file_size_problem(file.reader.size(), file.record.bytes));
      files_.emplace(std::move(name), std::move(file));
    } catch (const SystemError& error) {
      if (error.error_number() != ENOENT) throw;
      throw CorruptFileError(of_file, "missing");
    }
  }
}

const ArrayFolder::OpenFile& ArrayFolder::file(std::string_view name) const {
  const auto found = files_.find(name);
  if (found == files_.end()) throw CorruptFileError(path_of(PoolFile::manifest), "expected the file {}", name);
  return found->second;
}

std::vector<std::byte> ArrayFolder::bytes_of(std::string_view name) const {
  const OpenFile& from = file(name);
  std::vector<std::byte> bytes;
  bytes.reserve(from.record.bytes);
  std::vector<std::byte> block;
  for (std::size_t index = 0; index < from.record.checksums.size(); ++index) {
    from.reader.read_block(from.record, index, PoolTrust::checksums, block);
    bytes.insert(bytes.end(), block.begin(), block.end());
  }
  return bytes;
}

std::size_t ArrayFolder::count_of(std::string_view name, const std::vector<std::byte>& bytes, std::string_view descr,
                                  std::size_t number_bytes) const {
  const std::size_t header = std::min<std::size_t>(bytes.size(), kPoolNpyHeaderBytes);
  const std::size_t count = (bytes.size() - header) / number_bytes;
  check_npy_beginning(path_of(name), std::span(bytes).first(header), bytes.size(), descr, number_bytes,
                      static_cast<std::int64_t>(count));
  return count;
}

void ArrayFolder::copy_numbers(const std::vector<std::byte>& bytes, void* to, std::size_t size) {
  if (size > 0) std::memcpy(to, bytes.data() + kPoolNpyHeaderBytes, size);
}

void ArrayFolder::fail_count(std::string_view name, std::size_t expected, std::size_t found) const {
  throw CorruptFileError(path_of(name), "expected {} numbers, found {}", expected, found);
}

PackedStrings ArrayFolder::strings(std::string_view table) const {
  PackedStrings strings{.offsets = numbers<std::int64_t>(PoolFile::offsets_of(table)),
                        .bytes = numbers<std::uint8_t>(PoolFile::bytes_of(table))};
  check_offsets(path_of(PoolFile::offsets_of(table)), strings.offsets, strings.bytes.size());
  return strings;
}

void ArrayFolder::verify() const {
  std::vector<std::byte> block;
  for (const auto& [name, file] : files_)
    for (std::size_t index = 0; index < file.record.checksums.size(); ++index)
      file.reader.read_block(file.record, index, PoolTrust::checksums, block);
}

}  // namespace inkling
