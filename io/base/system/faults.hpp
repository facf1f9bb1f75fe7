// Faults of the system, which tests put in the way of its calls.
#pragma once

#include <cstddef>
#include <cstdint>

namespace inkling {

/// What a program asks of the system about files and folders.
enum class SystemCall {
  open,
  look,  ///< at what a file or a path is
  read,
  write,
  sync,
  cut,  ///< to another length
  lock,
  map,
  list,  ///< the names in a folder
  make_folder,
  rename,
  exchange,
  remove,
};

/// What happens to one call.
struct Fault {
  int error = 0;                      ///< an errno: the call fails with it; 0: it does not fail
  std::size_t most_bytes = SIZE_MAX;  ///< of a write: the rest is not taken
  bool is_skipped = false;            ///< nothing is done, and that succeeds
};

/// A test's plan of what fails. Thread safety: called from any thread.
class FaultPlan {
 public:
  FaultPlan() = default;
  virtual ~FaultPlan() = default;
  FaultPlan(const FaultPlan&) = delete;
  FaultPlan& operator=(const FaultPlan&) = delete;

  /// Called before each call, and before each repetition of it. `path` is "" where only an open file is known; `bytes` are
  /// those that a write is to take.
  [[nodiscard]] virtual Fault before(SystemCall call, const char* path, std::size_t bytes) noexcept = 0;
};

/// For the whole process; nullptr: nothing fails any more. Returns the plan before. Requires: no call is under way.
/// Lifetime: the plan lives until another one is set.
FaultPlan* set_faults(FaultPlan* plan) noexcept;

/// The fault of a call that is about to be made: one relaxed atomic load where no plan is set.
[[nodiscard]] Fault fault_of(SystemCall call, const char* path, std::size_t bytes = 0) noexcept;

}  // namespace inkling
