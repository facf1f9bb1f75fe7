// How many allocations failed, for callers that must not rely on what was done to data or by a library afterwards.
#pragma once

#include <cstdint>

namespace inkling {

/// For the handler of failed allocations (std::set_new_handler). Thread safety: any thread.
void remember_failed_allocation() noexcept;

/// How many have failed so far, and whether any has. Thread safety: any thread.
[[nodiscard]] std::uint64_t failed_allocations() noexcept;
[[nodiscard]] inline bool memory_ran_out() noexcept { return failed_allocations() > 0; }

}  // namespace inkling
