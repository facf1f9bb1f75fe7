// What reading one file or one record may take, whatever its bytes say: the limit that all readers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/errors.hpp"

namespace inkling {

/// Reading would take more than its budget allows. `where` is empty if the budget names no file: its user knows the record.
class OverBudget : public FormatError {
 public:
  using FormatError::FormatError;
};

/// Bytes that are kept or handed over, levels within one another, and steps of work. A reader asks before it appends a run of
/// bytes, opens a level or searches; so what a small file can cause is bounded here, and nowhere else. Every call may throw
/// OverBudget, which says what was allowed and what to do. Thread safety: one thread at a time.
class ReadingBudget {
 public:
  static constexpr std::size_t kMostLevels = 256;  ///< no known program writes more than some dozens

  struct Limits {
    std::uint64_t bytes = std::uint64_t{256} << 20U;
    std::uint64_t more_for_each_byte = 0;                 ///< of the input, as `renew` states it
    std::string_view option = "a limit of this program";  ///< where that limit comes from
    std::string_view otherwise = "leave it out";          ///< what to do about a file that is refused
  };

  ReadingBudget() : ReadingBudget(Limits{}, {}) {}
  ReadingBudget(const Limits& limits, std::string where) : limits_(limits), where_(std::move(where)) { renew(0); }

  /// The budget of a record: its bytes in two copies, or what its values need beside them. `most`: bytes of the longest one.
  static ReadingBudget of_records(std::uint64_t most, std::string_view option) {
    return {{.bytes = 2 * most + (std::uint64_t{1} << 20U), .option = option, .otherwise = "leave this record out"}, {}};
  }

  /// Begins the next record, or file, of so many bytes.
  void renew(std::uint64_t bytes_of_input) {
    most_bytes_ = bytes_left_ = limits_.bytes + limits_.more_for_each_byte * bytes_of_input;
    levels_ = 0;
    most_steps_ = steps_left_ = kStepsOfByte * (bytes_of_input + kFreeBytes);
  }

  /// What is read from now on is there, for messages.
  void go_to(std::string where) { where_ = std::move(where); }

  void take(std::uint64_t bytes) {
    if (bytes > bytes_left_) refuse_bytes(bytes);
    bytes_left_ -= bytes;
  }
  /// Requires: they were taken.
  void give_back(std::uint64_t bytes) { bytes_left_ += bytes; }

  /// `steps`: bytes looked at, where that may happen to the same byte several times.
  void work(std::uint64_t steps) {
    if (steps > steps_left_) refuse_steps();
    steps_left_ -= steps;
  }

  void enter() {
    if (levels_ == kMostLevels) refuse_levels();
    ++levels_;
  }
  void leave() { --levels_; }

  /// One level, while this lives.
  class Level {
   public:
    explicit Level(ReadingBudget& budget) : budget_(&budget) { budget.enter(); }
    ~Level() { budget_->leave(); }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    ReadingBudget* budget_;
  };

 private:
  static constexpr std::uint64_t kStepsOfByte = 256;
  static constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 16U;

  [[noreturn]] void refuse_bytes(std::uint64_t bytes) const;
  [[noreturn]] void refuse_steps() const;
  [[noreturn]] void refuse_levels() const;

  Limits limits_;
  std::string where_;
  std::uint64_t bytes_left_ = 0;
  std::uint64_t most_bytes_ = 0;
  std::uint64_t steps_left_ = 0;
  std::uint64_t most_steps_ = 0;
  std::size_t levels_ = 0;
};

}  // namespace inkling
