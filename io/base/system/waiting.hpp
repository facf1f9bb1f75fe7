// Waiting for input, from which another thread or a signal handler can wake.
#pragma once

#include "io/base/system/file.hpp"

namespace inkling {

/// Wakes whoever waits with it. Lifetime: a signal handler that uses it ends before it does.
class Waker {
 public:
  Waker() noexcept;

  /// False where the system has none to give.
  [[nodiscard]] bool is_open() const noexcept { return end_.is_open(); }
  /// Wakes those who wait now and from now on, until it is cleared. Async-signal-safe.
  void wake() const noexcept;
  void clear() const noexcept;
  /// What can be read while it wakes.
  [[nodiscard]] const File& end() const noexcept { return end_; }

 private:
  File end_;
  File other_end_;  // of a pipe, where the system has nothing simpler
};

struct Waited {
  bool has_input = false;  ///< there is something to read, an error or the end
  bool is_at_end = false;  ///< nobody writes to this pipe any more
  bool was_woken = false;
  bool is_impossible = false;  ///< the system cannot wait for this file; reading it says why
};

/// Waits at most so long (-1: for ever). A signal ends the wait, too. `waker`: nullptr for none.
[[nodiscard]] Waited wait_for_input(const File& file, const Waker* waker, int milliseconds) noexcept;

}  // namespace inkling
