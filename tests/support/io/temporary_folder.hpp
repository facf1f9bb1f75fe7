// A folder for the files of one test.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <system_error>

#include <doctest/doctest.h>

#include "io/base/system/file.hpp"
#include "io/base/system/folder.hpp"

namespace inkling::test {

/// An empty folder. The destructor removes it with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto made = make_temporary_folder((std::filesystem::temp_directory_path() / "inkling-test-").generic_string());
    REQUIRE(made.has_value());
    path_ = *made;
  }
  ~TemporaryFolder() { static_cast<void>(remove_tree(path_.generic_string())); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).generic_string(); }
  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
  }

 private:
  std::filesystem::path path_;
};

/// TEST_CASE_FIXTURE(test::InFolder, "..."): a test with a folder.
struct InFolder {
  const TemporaryFolder folder;
};

/// All bytes of a file, also of one that is open for writing; empty if there is no file.
[[nodiscard]] inline std::string text_of(const std::string& path) {
  const File file = File::open(path, OpenAs::reader);
  std::string text;
  std::array<char, 1U << 14U> some{};
  for (std::ptrdiff_t read = 1; file.is_open() && read > 0;) {
    read = file.read(std::as_writable_bytes(std::span(some)));
    if (read > 0) text.append(some.data(), static_cast<std::size_t>(read));
  }
  return text;
}

/// Makes a symbolic link to a file or a folder; false where the system makes none.
[[nodiscard]] inline bool made_link([[maybe_unused]] const std::string& to, [[maybe_unused]] const std::string& path) {
#ifdef _WIN32
  return false;
#else
  std::filesystem::create_symlink(to, path);
  return true;
#endif
}

/// The files in a folder and below it: what each holds, by its path from there.
[[nodiscard]] inline std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).generic_string()] = text_of(entry.path().generic_string());
  return files;
}

/// The text with one bit flipped.
[[nodiscard]] inline std::string with_flipped_bit(std::string text, std::size_t bit) {
  text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << (bit % 8)));
  return text;
}

/// Flips one bit of an existing file; a second call with the same arguments restores it.
inline void flip_bit_of(const std::string& path, std::streamoff bit) {
  std::fstream stream(path, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekg(bit / 8);
  const int byte = stream.get();
  stream.seekp(bit / 8);
  stream.put(static_cast<char>(byte ^ (1 << (bit % 8))));
}

}  // namespace inkling::test
