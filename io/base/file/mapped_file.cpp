#include "io/base/file/mapped_file.hpp"

#include <cerrno>
#include <optional>

#include "engine/core/errors.hpp"

namespace inkling {

MappedFile::MappedFile(const std::string& path) : MappedFile(open_regular_file(path), path) {}

MappedFile::MappedFile(const File& file, const std::string& path) {
  const std::optional<FileStatus> status = file.status();
  if (!status) throw SystemError(path, errno, "cannot map");
  if (status->size == 0) return;  // an empty file cannot be mapped, and need not be
  const auto size = static_cast<std::size_t>(status->size);
  bytes_ = {map_file(file, size), {.size = size}};
  if (!bytes_) throw SystemError(path, errno, "cannot map");
  note_mapped(bytes_.get(), size, path);
}

void MappedFile::Unmap::operator()(const std::byte* bytes) const noexcept {
  forget_mapped(bytes);
  unmap_file(bytes, size);
}

}  // namespace inkling
