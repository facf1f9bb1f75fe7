#include "io/base/process/memory_flag.hpp"

#include <atomic>

namespace inkling {
namespace {

std::atomic<std::uint64_t> failures = 0;

}  // namespace

void remember_failed_allocation() noexcept { ++failures; }

std::uint64_t failed_allocations() noexcept { return failures; }

}  // namespace inkling
