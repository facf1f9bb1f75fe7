#include "io/base/system/faults.hpp"

#include <atomic>

namespace inkling {
namespace {

std::atomic<FaultPlan*> present_plan = nullptr;

}  // namespace

void set_faults(FaultPlan* plan) noexcept { present_plan.store(plan); }

Fault fault_of(SystemCall call, const char* path) noexcept {
  FaultPlan* const plan = present_plan.load(std::memory_order_relaxed);
  return plan == nullptr ? Fault() : plan->before(call, path);
}

}  // namespace inkling
