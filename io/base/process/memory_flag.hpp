// A flag that an allocation failed, for callers that must not rely on what a library does afterwards.
#pragma once

namespace inkling {

/// For the handler of failed allocations (std::set_new_handler). Thread safety: any thread.
void remember_failed_allocation() noexcept;

/// Whether an allocation failed. Thread safety: any thread.
[[nodiscard]] bool memory_ran_out() noexcept;

}  // namespace inkling
