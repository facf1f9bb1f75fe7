// A file mapped into memory, and which file an address belongs to.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace inkling {

/// Owns a read-only mapping of a whole file and keeps no descriptor; the file may be renamed or deleted
/// while it is mapped. Where another process shortens it, reading what is gone raises SIGBUS: see `mapped_path_at`.
/// Move-only. Thread safety: const after opening.
class MappedFile {
 public:
  /// Throws SystemError naming `path`.
  explicit MappedFile(const std::string& path);
  /// The file `name` of an open folder; `path` is for messages.
  MappedFile(int folder, const std::string& name, const std::string& path);

  /// Lifetime: valid while this mapping, or what it was moved to, lives; so it cannot be called on a temporary.
  [[nodiscard]] std::span<const std::byte> bytes() const& {
    return {bytes_.get(), bytes_ ? bytes_.get_deleter().size : 0};
  }
  std::span<const std::byte> bytes() const&& = delete;

 private:
  struct Unmap {
    std::size_t size;
    int registration;
    void operator()(const std::byte* bytes) const noexcept;
  };

  std::unique_ptr<const std::byte, Unmap> bytes_;
};

/// Tells the system that these bytes of a mapping will not be needed soon: they leave this process's memory,
/// and are there again when they are touched. Thread safety: any thread, while others read them.
void forget_pages(std::span<const std::byte> bytes) noexcept;

/// The path of the mapped file that an address lies in (its last characters where it is very long), or
/// nullptr. For handlers of SIGBUS: async-signal-safe. Some hundred mappings are known at a time; further
/// ones are not.
[[nodiscard]] const char* mapped_path_at(const void* address) noexcept;

}  // namespace inkling
