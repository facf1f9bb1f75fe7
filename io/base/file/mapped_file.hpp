// A file mapped into memory, and which file an address belongs to.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace inkling {

/// Owns a read-only mapping of a whole file and keeps no descriptor; the file may be renamed or deleted
/// while it is mapped. Where another process shortens it, reading what is gone raises SIGBUS, see `mapped_path_at`; but
/// what is gone of the last page that is left reads as zeros.
/// Move-only. Thread safety: const after opening.
class MappedFile {
 public:
  /// Throws SystemError naming `path`.
  explicit MappedFile(const std::string& path);
  /// An open file; `path` is for messages.
  MappedFile(int descriptor, const std::string& path);

  /// Lifetime: valid while this mapping, or what it was moved to, lives; so it cannot be called on a temporary.
  [[nodiscard]] std::span<const std::byte> bytes() const& {
    return {bytes_.get(), bytes_ ? bytes_.get_deleter().size : 0};
  }
  std::span<const std::byte> bytes() const&& = delete;

 private:
  struct Unmap {
    std::size_t size;
    void operator()(const std::byte* bytes) const noexcept;
  };

  std::unique_ptr<const std::byte, Unmap> bytes_;
};

/// The path of the file that is mapped where an address lies, by whomever (SQLite maps one beside a log), or nullptr. For
/// handlers of SIGBUS: async-signal-safe. Lifetime of the path: until the next call.
[[nodiscard]] const char* mapped_path_at(const void* address) noexcept;

}  // namespace inkling
