// A temporary file in a staging that has no name, so that nothing of it survives the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "io/pool/write/pool_staging.hpp"

namespace inkling {

/// Unbuffered: hand it large pieces. Failures throw SystemError with the staging's target.
/// Thread safety: one thread appends at a time; any thread reads what was appended before.
/// Lifetime: the staging outlives it.
class ScratchFile {
 public:
  explicit ScratchFile(const PoolStaging& staging);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// At the end; returns where.
  std::uint64_t append(std::span<const std::byte> bytes);

  /// Fills `bytes` from `position` on. Requires: all of them were appended.
  void read(std::uint64_t position, std::span<std::byte> bytes) const;

  /// Tells the system what will be read soon.
  void prefetch(std::uint64_t position, std::uint64_t bytes) const noexcept;

  /// Gives the disk back what will not be read again, where the file system can.
  void release(std::uint64_t position, std::uint64_t bytes) const noexcept;

  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  const PoolStaging& staging_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace inkling
