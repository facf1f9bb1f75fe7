#include "io/base/system/faults.hpp"

#include <atomic>

namespace inkling {
namespace {

std::atomic<FaultPlan*> present_plan = nullptr;

}  // namespace

FaultPlan* set_faults(FaultPlan* plan) noexcept { return present_plan.exchange(plan); }

Fault fault_of(SystemCall call, const char* path, std::size_t bytes) noexcept {
  FaultPlan* const plan = present_plan.load(std::memory_order_relaxed);
  return plan == nullptr ? Fault() : plan->before(call, path, bytes);
}

}  // namespace inkling
