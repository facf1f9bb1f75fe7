// Reads the headers within packed bytes before a library does, to check how much memory they ask for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/base/file/reading_budget.hpp"
#include "io/corpus/unpack/packing.hpp"

namespace inkling {

/// Follows the headers of one packed stream, whose bytes it is shown in order. Throws FormatError, naming the file, if a
/// header asks for more memory than is allowed, or is not a valid header.
class HeaderWatch {
 public:
  explicit HeaderWatch(std::string name) : name_(std::move(name)) {}
  virtual ~HeaderWatch() = default;
  HeaderWatch(const HeaderWatch&) = delete;
  HeaderWatch& operator=(const HeaderWatch&) = delete;

  void note(std::span<const char> bytes);
  /// Whether the stream may end after the bytes so far.
  [[nodiscard]] bool is_whole() const { return header_.empty() && skipped_ == 0 && may_end_; }

 protected:
  /// Called when all wanted bytes of a header are there; calls want_more(), go_on() or stop().
  virtual void take_header(std::string_view header) = 0;
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Asks for the same header again when it has this many bytes. Requires: more than it has now.
  void want_more(std::size_t bytes) { wanted_ = bytes; }
  /// Skips bytes that do not matter and asks for the next header, of `next` bytes. `may_end`: the stream may end before
  /// it.
  void go_on(std::uint64_t skipped, std::size_t next, bool may_end = false);
  /// Ignores the rest of the stream.
  void stop();

 private:
  std::string name_;
  std::string header_;
  std::size_t wanted_ = 1;
  std::uint64_t skipped_ = 0;
  bool may_end_ = false;
  bool stopped_ = false;
};

/// A watch for xz and zstd (size of the window) and cpio (length of names); null for all others, which need none.
[[nodiscard]] std::unique_ptr<HeaderWatch> watch_headers(PackingKind kind, const std::string& name,
                                                         const UnpackingLimits& limits);

/// The budget of what unpacking keeps in memory. `otherwise`: what to do about a file that needs more.
[[nodiscard]] ReadingBudget budget_of_unpacking(const UnpackingLimits& limits, const std::string& name,
                                                std::string_view otherwise = "pack it in another way");

/// Tells the limits' `needed_memory` how much was needed.
void note_unpacking_memory(std::uint64_t needed, const UnpackingLimits& limits);

/// The same, and throws OverBudget if that is more than the limit.
void check_unpacking_memory(const std::string& name, std::uint64_t needed, const UnpackingLimits& limits);

}  // namespace inkling
