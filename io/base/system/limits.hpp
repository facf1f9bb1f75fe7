// How many threads and open files the system allows this process, and which thread goes before others.
#pragma once

namespace inkling {

/// How many threads can work at once: the least of what the machine has, what the process may use, and the quotas of its control
/// groups, rounded up; at least 1.
[[nodiscard]] int available_threads();

/// How many threads this process has; 1 where that cannot be read.
[[nodiscard]] int present_threads();

/// Raises the limit of open files as far as this process may; false if it cannot be raised.
bool raise_limit_of_open_files() noexcept;

/// From now on, the system gives this thread a processor only when other threads leave it one; for threads that end with their work,
/// because it cannot be taken back. No effect where the system has nothing like it.
void yield_to_other_threads() noexcept;

}  // namespace inkling
