#include "io/base/system/file.hpp"

#include <cerrno>
#include <chrono>

#include "engine/core/errors.hpp"
#include "io/base/system/folder.hpp"

namespace inkling {
namespace {

File checked_regular(File file, const std::string& path) {
  if (!file.is_open()) throw SystemError(path, errno, "cannot open");
  const std::optional<FileStatus> status = file.status();
  if (!status) throw SystemError(path, errno, "cannot look at it");
  if (status->is_folder()) throw SystemError(path, EISDIR, "expected a file");
  if (!status->is_file()) throw SystemError(path, EINVAL, "expected a file, found a pipe or a device");
  return file;
}

}  // namespace

FileTime FileTime::now() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const auto whole = std::chrono::floor<std::chrono::seconds>(since_1970);
  return {whole.count(), std::chrono::nanoseconds(since_1970 - whole).count()};
}

bool File::is_at(const std::string& path) const noexcept {
  const std::optional<FileStatus> opened = status();
  const std::optional<FileStatus> named = status_at(path.c_str());
  return opened && named && opened->identity == named->identity;
}

File open_regular_file(const std::string& path) { return open_regular_file(path, path); }

File open_regular_file(const std::string& opened, const std::string& path) {
  return checked_regular(File::open(opened, OpenAs::prompt_reader), path);
}

File open_regular_file(const File& folder, const std::string& name, const std::string& path) {
  return checked_regular(File::open_in(folder, name, OpenAs::prompt_reader), path);
}

std::optional<std::string> text_of_file(const std::string& path, std::uint64_t most) {
  const File file = open_regular_file(path);
  const std::optional<FileStatus> status = file.status();
  if (!status) throw SystemError(path, errno, "cannot read");
  if (status->size > most) return std::nullopt;
  std::string text(static_cast<std::size_t>(status->size), '\0');
  const std::size_t size = file.read_at(std::as_writable_bytes(std::span(text)), 0);
  if (size < text.size() && errno != 0) throw SystemError(path, errno, "cannot read");
  text.resize(size);
  return text;
}

}  // namespace inkling
