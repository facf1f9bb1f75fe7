// How many threads this process may use, by its processors and by the quota of its container.
#pragma once

#include <optional>
#include <string_view>

namespace inkling {

/// The least of the affinity mask and of the cgroup quotas (v2 cpu.max and v1 cfs quota, of the process's own
/// group and every group above it), rounded up; at least 1.
[[nodiscard]] int available_threads();

/// Whole threads in the text of a cgroup v2 cpu.max file ("150000 100000" is 2), or nothing for "max" and for
/// other text.
[[nodiscard]] std::optional<int> threads_of_cpu_max(std::string_view text);

/// The same from the texts of the cgroup v1 files cpu.cfs_quota_us and cpu.cfs_period_us; a quota of -1 means
/// no limit.
[[nodiscard]] std::optional<int> threads_of_cfs(std::string_view quota, std::string_view period);

/// The process's own group in the text of /proc/self/cgroup: for a controller of v1 ("cpu"), or of v2 ("").
[[nodiscard]] std::optional<std::string_view> cgroup_path(std::string_view text, std::string_view controller);

}  // namespace inkling
