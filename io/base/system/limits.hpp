// How many threads and open files the system allows this process.
#pragma once

namespace inkling {

/// How many threads can work at once: the least of what the machine has, what the process may use, and the quotas of its control
/// groups, rounded up; at least 1.
[[nodiscard]] int available_threads();

/// How many threads this process has; 1 where that cannot be read.
[[nodiscard]] int present_threads();

/// Raises the limit of open files as far as this process may; false if it cannot be raised.
bool raise_limit_of_open_files() noexcept;

}  // namespace inkling
