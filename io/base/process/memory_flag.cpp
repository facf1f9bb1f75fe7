#include "io/base/process/memory_flag.hpp"

#include <atomic>

namespace inkling {
namespace {

std::atomic<std::uint64_t> failed = 0;

}  // namespace

void remember_failed_allocation() noexcept { ++failed; }

std::uint64_t failed_allocations() noexcept { return failed; }

}  // namespace inkling
