// The checksum of bytes that come piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace inkling {

/// The same number as `checksum_of` gives for all bytes at once. Move-only. Thread safety: one thread at a time.
class RunningChecksum {
 public:
  RunningChecksum();

  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  /// Adds the eight bytes of a number.
  void add(std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); }

  /// The checksum of all bytes so far.
  [[nodiscard]] std::uint64_t value() const;
  void restart();

 private:
  struct State;
  struct FreeState {
    void operator()(State* state) const noexcept;
  };
  std::unique_ptr<State, FreeState> state_;
};

}  // namespace inkling
