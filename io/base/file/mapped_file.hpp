// A file mapped into memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "io/base/system/mapping.hpp"

namespace inkling {

/// Owns a read-only mapping of a whole file (`map_file`) and keeps no file open.
/// Move-only. Thread safety: const after opening.
class MappedFile {
 public:
  /// Throws SystemError naming `path`.
  explicit MappedFile(const std::string& path);
  /// An open file; `path` is for messages.
  MappedFile(const File& file, const std::string& path);

  /// Lifetime: valid while this mapping, or what it was moved to, lives; so it cannot be called on a temporary.
  [[nodiscard]] std::span<const std::byte> bytes() const& { return {bytes_.get(), bytes_ ? bytes_.get_deleter().size : 0}; }
  std::span<const std::byte> bytes() const&& = delete;

 private:
  struct Unmap {
    std::size_t size;
    void operator()(const std::byte* bytes) const noexcept;
  };

  std::unique_ptr<const std::byte, Unmap> bytes_;
};

}  // namespace inkling
