#include "tests/support/io/failing_system.hpp"

#include <cerrno>
#include <utility>

namespace inkling::test {
namespace {

class WithoutSync final : public FaultPlan {
 public:
  [[nodiscard]] Fault before(SystemCall call, const char* /*path*/, std::size_t /*bytes*/) noexcept override {
    return {.is_skipped = call == SystemCall::sync};
  }
};

// For all tests of this program.
[[maybe_unused]] const bool is_without_sync = [] {
  static WithoutSync plan;
  set_faults(&plan);
  return true;
}();

}  // namespace

FailingSystem::FailingSystem(Decide decide) : decide_(std::move(decide)), before_(set_faults(this)) {}

FailingSystem::~FailingSystem() { set_faults(before_); }

Fault FailingSystem::before(SystemCall call, const char* path, std::size_t bytes) noexcept {
  ++made_[static_cast<std::size_t>(call)];
  const std::lock_guard lock(deciding_);
  Fault fault = decide_({call, path, bytes});
  fault.is_skipped = fault.is_skipped || (call == SystemCall::sync && fault.error == 0);
  return fault;
}

FailingSystem::Decide every(SystemCall call, int error) {
  return [=](const PresentCall& present) { return Fault{.error = present.call == call ? error : 0}; };
}

FailingSystem::Decide one(int number, Fault fault, Calls calls) {
  return [left = number, fault, calls = std::move(calls)](const PresentCall& present) mutable {
    return calls.contains(present.call) && --left == 0 ? fault : Fault();
  };
}

FailingSystem::Decide full_disk(int number) {
  return [left = number](const PresentCall& present) mutable {
    if (present.call != SystemCall::write || --left > 0) return Fault();
    return left == 0 ? Fault{.most_bytes = (present.bytes + 1) / 2} : Fault{.error = ENOSPC};
  };
}

FailingSystem::Decide slow_disk(std::size_t most_bytes) {
  return [most_bytes, is_next = false](const PresentCall& present) mutable {
    if (present.call != SystemCall::write) return Fault();
    is_next = !is_next;
    return is_next ? Fault{.error = EINTR} : Fault{.most_bytes = most_bytes};
  };
}

}  // namespace inkling::test
