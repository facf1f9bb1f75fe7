// That an allocation failed: a flag for those who must not rely on what a library does after that.
#pragma once

namespace inkling {

/// For the handler of failed allocations (std::set_new_handler). Thread safety: any thread.
void remember_failed_allocation() noexcept;

/// Whether an allocation failed. Thread safety: any thread.
[[nodiscard]] bool memory_ran_out() noexcept;

}  // namespace inkling
