#include "io/cli/available_threads.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>

#include <sched.h>

#include "io/file/strict_number.hpp"

namespace inkling {
namespace {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blank = " \t\n";
  const std::size_t begin = std::min(text.find_first_not_of(blank), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(blank) + 1);
}

std::optional<int> whole_threads(std::string_view quota_text, std::string_view period_text) {
  const std::optional<std::int64_t> quota = parse_integer(quota_text);
  const std::optional<std::int64_t> period = parse_integer(period_text);
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  const std::int64_t whole = *quota / *period + (*quota % *period > 0 ? 1 : 0);
  return static_cast<int>(std::min<std::int64_t>(whole, std::numeric_limits<int>::max()));
}

// The text of a small system file; empty where there is no such file.
std::string system_file_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int threads_of_affinity() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(CPU_COUNT(&allowed), 1);
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

// The least quota of the group and of those above it; `quota_of` reads one group's folder.
template <typename QuotaOf>
int least_quota(const std::string& mount, std::string group, int threads, const QuotaOf& quota_of) {
  while (true) {
    if (const std::optional<int> quota = quota_of(mount + group)) threads = std::min(threads, *quota);
    if (group.empty()) return threads;
    group.resize(std::min(group.rfind('/'), group.size() - 1));
  }
}

std::optional<int> quota_of_v2(const std::string& folder) {
  return threads_of_cpu_max(system_file_text(folder + "/cpu.max"));
}

std::optional<int> quota_of_v1(const std::string& folder) {
  return threads_of_cfs(system_file_text(folder + "/cpu.cfs_quota_us"),
                        system_file_text(folder + "/cpu.cfs_period_us"));
}

}  // namespace

std::optional<int> threads_of_cpu_max(std::string_view text) {
  text = without_blanks(text);
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  return whole_threads(text.substr(0, space), text.substr(space + 1));
}

std::optional<int> threads_of_cfs(std::string_view quota, std::string_view period) {
  return whole_threads(without_blanks(quota), without_blanks(period));
}

std::optional<std::string_view> cgroup_path(std::string_view text, std::string_view controller) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));

    // "ID:CONTROLLER,CONTROLLER:PATH", and "0::PATH" for version 2.
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    std::string_view controllers = line.substr(first + 1, second - first - 1);
    while (true) {
      const std::size_t comma = std::min(controllers.find(','), controllers.size());
      if (controllers.substr(0, comma) == controller) return line.substr(second + 1);
      if (comma == controllers.size()) break;
      controllers.remove_prefix(comma + 1);
    }
  }
  return std::nullopt;
}

int available_threads() {
  int threads = threads_of_affinity();
  const std::string groups = system_file_text("/proc/self/cgroup");
  if (const auto group = cgroup_path(groups, "")) {
    threads = least_quota("/sys/fs/cgroup", std::string(*group), threads, quota_of_v2);
  }
  if (const auto group = cgroup_path(groups, "cpu")) {
    threads = least_quota("/sys/fs/cgroup/cpu", std::string(*group), threads, quota_of_v1);
  }
  return threads;
}

}  // namespace inkling
