// The most memory that was resident at once during a part of a program.
#pragma once

#include <cstdint>
#include <optional>

namespace inkling::bench {

/// Measures from its construction on. Thread safety: one at a time in a process, for the system keeps one
/// mark.
class MemoryPeak {
 public:
  MemoryPeak();

  /// Bytes, what was resident before among them; nothing where the system keeps no mark or did not reset it.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const;

 private:
  bool reset_ = false;
};

}  // namespace inkling::bench
