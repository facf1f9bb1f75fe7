// Looks at the headers within packed bytes before a library does: at lengths that it would allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/corpus/unpack/packing.hpp"

namespace inkling {

/// Follows the headers of one packed stream, while its bytes go by in order. Throws FormatError, naming the file,
/// where a header asks for more memory than is allowed, or cannot be one.
class HeaderWatch {
 public:
  explicit HeaderWatch(std::string name) : name_(std::move(name)) {}
  virtual ~HeaderWatch() = default;
  HeaderWatch(const HeaderWatch&) = delete;
  HeaderWatch& operator=(const HeaderWatch&) = delete;

  void note(std::span<const char> bytes);
  /// What came so far does not end within something.
  [[nodiscard]] bool is_whole() const { return header_.empty() && skipped_ == 0 && may_end_; }

 protected:
  /// Called once the wanted bytes are there, all of them from the header's begin; calls want_more() or go_on().
  virtual void take_header(std::string_view header) = 0;
  [[nodiscard]] const std::string& name() const { return name_; }

  /// The same header again, once it has this many bytes. Requires: more than it has.
  void want_more(std::size_t bytes) { wanted_ = bytes; }
  /// Another header of this size after some bytes that do not matter. `may_end`: the stream may end instead of it.
  void go_on(std::uint64_t skipped, std::size_t next, bool may_end = false);
  /// Nothing that follows matters.
  void stop();

 private:
  std::string name_;
  std::string header_;
  std::size_t wanted_ = 1;
  std::uint64_t skipped_ = 0;
  bool may_end_ = false;
  bool stopped_ = false;
};

/// For xz and zstd (their windows) and cpio (its names); nothing for all others, which need no watching.
[[nodiscard]] std::unique_ptr<HeaderWatch> watch_headers(PackingKind kind, const std::string& name,
                                                         const UnpackingLimits& limits);

/// Throws FormatError where unpacking would need so many bytes, which are more than the limit.
void check_unpacking_memory(const std::string& name, std::uint64_t needed, const UnpackingLimits& limits);

}  // namespace inkling
