// An open folder of arrays, checked as it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/pool/open/open_pool.hpp"
#include "io/parts/folder/folder_kind.hpp"

namespace inkling {

/// Strings stored one after the other. Owns its memory.
struct PackedStrings {
  std::vector<std::int64_t> offsets = {0};  ///< one more than strings; they never fall
  std::vector<std::uint8_t> bytes = {};

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  /// Requires: index < size().
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    const auto begin = static_cast<std::size_t>(offsets[index]);
    const auto end = static_cast<std::size_t>(offsets[index + 1]);
    return {reinterpret_cast<const char*>(bytes.data()) + begin, end - begin};
  }
  void append(std::string_view text) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
};

/// Throws CorruptFileError naming `path` unless the offsets begin at 0, never fall and end at `end`.
void check_offsets(const std::string& path, const std::vector<std::int64_t>& offsets, std::size_t end);

/// All files are opened at once, so that all are from the same version of the folder. Every checksum is compared when a file is
/// read. Throws SystemError, and CorruptFileError naming the file. Thread safety: const from several threads.
class ArrayFolder {
 public:
  /// Lifetime: lends the kind.
  ArrayFolder(const FolderKind& kind, const std::string& path);
  ~ArrayFolder() = default;
  ArrayFolder(const ArrayFolder&) = delete;
  ArrayFolder& operator=(const ArrayFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// "FOLDER/NAME": the name of a file in messages.
  [[nodiscard]] std::string path_of(std::string_view name) const { return pool_file_path(path_, name); }
  /// The checksum at the end of the manifest; it covers every bit of the folder.
  [[nodiscard]] std::uint64_t checksum() const { return checksum_; }
  [[nodiscard]] const FolderManifestReader& manifest() const { return manifest_; }
  [[nodiscard]] bool has(std::string_view name) const { return files_.contains(name); }

  /// The numbers of an array, however many there are.
  template <typename Number>
  [[nodiscard]] std::vector<Number> numbers(std::string_view name) const {
    const std::vector<std::byte> bytes = bytes_of(name);
    const std::size_t count = count_of(name, bytes, npy_descr<Number>, sizeof(Number));
    std::vector<Number> numbers(count);
    copy_numbers(bytes, numbers.data(), count * sizeof(Number));
    return numbers;
  }
  /// The same, but throws if there are not `count` of them.
  template <typename Number>
  [[nodiscard]] std::vector<Number> numbers(std::string_view name, std::size_t count) const {
    std::vector<Number> all = numbers<Number>(name);
    if (all.size() != count) fail_count(name, count, all.size());
    return all;
  }
  /// The two files of a table of strings, as in a pool.
  [[nodiscard]] PackedStrings strings(std::string_view table) const;

  /// Reads every byte and compares it with its checksum.
  void verify() const;

 private:
  struct OpenFile {
    FileRecord record;
    PoolFileReader reader;
  };

  ArrayFolder(const FolderKind& kind, const std::string& path, const File& folder);
  ArrayFolder(const FolderKind& kind, const std::string& path, const File& folder, const std::string& text);

  [[nodiscard]] const OpenFile& file(std::string_view name) const;
  [[nodiscard]] std::vector<std::byte> bytes_of(std::string_view name) const;
  [[nodiscard]] std::size_t count_of(std::string_view name, const std::vector<std::byte>& bytes, std::string_view descr,
                                     std::size_t number_bytes) const;
  static void copy_numbers(const std::vector<std::byte>& bytes, void* to, std::size_t size);
  [[noreturn]] void fail_count(std::string_view name, std::size_t expected, std::size_t found) const;

  std::string path_;
  std::uint64_t checksum_;
  FolderManifestReader manifest_;
  std::map<std::string, OpenFile, std::less<>> files_;
};

}  // namespace inkling
