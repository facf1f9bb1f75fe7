// Faults that tests inject into calls to the system.
#pragma once

#include <cstddef>
#include <cstdint>

namespace inkling {

/// The calls about files and folders.
enum class SystemCall {
  open,
  look,  ///< at the status of a file or path
  read,
  write,
  sync,
  cut,  ///< changes the length
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
  bool is_skipped = false;            ///< the call does nothing and reports success
};

/// A test's plan of what fails. Thread safety: called from any thread.
class FaultPlan {
 public:
  FaultPlan() = default;
  virtual ~FaultPlan() = default;
  FaultPlan(const FaultPlan&) = delete;
  FaultPlan& operator=(const FaultPlan&) = delete;

  /// Called before each call, and before each repetition of it. `path` is "" if only an open file is known; `bytes`: how many a
  /// write is to take.
  [[nodiscard]] virtual Fault before(SystemCall call, const char* path, std::size_t bytes) noexcept = 0;
};

/// Sets the plan for the whole process; nullptr: no call fails any more. Returns the previous plan. Requires: no call is under
/// way. Lifetime: the plan lives until another one is set.
FaultPlan* set_faults(FaultPlan* plan) noexcept;

/// The fault that the plan gives to this call; without a plan, one relaxed atomic load.
[[nodiscard]] Fault fault_of(SystemCall call, const char* path, std::size_t bytes = 0) noexcept;

}  // namespace inkling
