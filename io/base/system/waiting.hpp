// Waiting for input, which another thread or a signal handler can end.
#pragma once

#include "io/base/system/file.hpp"

namespace inkling {

/// Ends the waits that use it. Lifetime: must outlive any signal handler that uses it.
class Waker {
 public:
  Waker() noexcept;

  /// False if the system could not make one.
  [[nodiscard]] bool is_open() const noexcept { return end_.is_open(); }
  /// Ends present and future waits, until it is cleared. Async-signal-safe.
  void wake() const noexcept;
  void clear() const noexcept;
  /// Readable from wake() until clear().
  [[nodiscard]] const File& end() const noexcept { return end_; }

 private:
  File end_;
  File other_end_;  // the other end of a pipe, if the system has nothing simpler
};

struct Waited {
  bool has_input = false;  ///< there is something to read, an error or the end
  bool is_at_end = false;  ///< nobody writes to this pipe any more
  bool was_woken = false;
  bool is_impossible = false;  ///< the system cannot wait for this file; reading it gives the error
};

/// Waits at most this long (-1: for ever). A signal also ends the wait. `waker`: nullptr for none.
[[nodiscard]] Waited wait_for_input(const File& file, const Waker* waker, int milliseconds) noexcept;

}  // namespace inkling
