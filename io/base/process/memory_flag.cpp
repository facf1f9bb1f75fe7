#include "io/base/process/memory_flag.hpp"

#include <atomic>

namespace inkling {
namespace {

std::atomic<bool> an_allocation_failed = false;

}  // namespace

void remember_failed_allocation() noexcept { an_allocation_failed = true; }

bool memory_ran_out() noexcept { return an_allocation_failed; }

}  // namespace inkling
