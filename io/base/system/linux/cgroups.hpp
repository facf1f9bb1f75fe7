// Reads limits on threads from the files of the system's control groups.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace inkling {

/// Whole threads in the text of a cgroup v2 cpu.max file ("150000 100000" is 2), or nothing for "max" and for
/// other text.
[[nodiscard]] std::optional<int> threads_of_cpu_max(const std::string& text);

/// The same from the texts of the cgroup v1 files cpu.cfs_quota_us and cpu.cfs_period_us; a quota of -1 means
/// no limit.
[[nodiscard]] std::optional<int> threads_of_cfs(const std::string& quota, const std::string& period);

/// The process's own group in the text of /proc/self/cgroup: for a controller of v1 ("cpu"), or of v2 ("").
[[nodiscard]] std::optional<std::string> cgroup_path(const std::string& text, std::string_view controller);

}  // namespace inkling
