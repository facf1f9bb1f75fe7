// The checksums of bytes that come piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/corpus/pool/format/pool_layout.hpp"

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

/// The record of a file of a pool, block by block. Thread safety: one thread at a time.
class RunningRecord {
 public:
  explicit RunningRecord(std::string name) : record_{.name = std::move(name)} {}

  void add(std::span<const std::byte> bytes);
  /// After bytes of the first block were overwritten: that block, or all bytes if there are fewer.
  void renew_first_block(std::span<const std::byte> block);

  [[nodiscard]] const std::string& name() const noexcept { return record_.name; }
  /// How many bytes were added.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return record_.bytes; }
  [[nodiscard]] FileRecord record() &&;

 private:
  void end_block();

  FileRecord record_;         // without the last block, until it is full
  RunningChecksum checksum_;  // of the last block
};

}  // namespace inkling
