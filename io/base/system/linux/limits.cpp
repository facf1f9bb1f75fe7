#include "io/base/system/limits.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <system_error>
#include <thread>

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io/base/system/linux/cgroups.hpp"

namespace inkling {
namespace {

// The text of a small system file; empty where there is no such file.
std::string system_file_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The first line as a number; nothing if it is not a decimal number.
std::optional<std::int64_t> first_line_as_number(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
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

std::optional<int> quota_of_v2(const std::string& folder) { return threads_of_cpu_max(system_file_text(folder + "/cpu.max")); }

std::optional<int> quota_of_v1(const std::string& folder) {
  return threads_of_cfs(system_file_text(folder + "/cpu.cfs_quota_us"), system_file_text(folder + "/cpu.cfs_period_us"));
}

}  // namespace

std::optional<int> threads_of_cpu_max(const std::string& text) {
  std::istringstream words(text);
  std::string quota;
  std::string period;
  std::string more;
  words >> quota >> period;
  return words >> more ? std::nullopt : threads_of_cfs(quota, period);
}

std::optional<int> threads_of_cfs(const std::string& quota, const std::string& period) {
  const std::optional<std::int64_t> allowed = first_line_as_number(quota);
  const std::optional<std::int64_t> of = first_line_as_number(period);
  if (!allowed || !of || *allowed <= 0 || *of <= 0) return std::nullopt;
  const std::int64_t whole = *allowed / *of + (*allowed % *of > 0 ? 1 : 0);
  return static_cast<int>(std::min<std::int64_t>(whole, std::numeric_limits<int>::max()));
}

std::optional<std::string> cgroup_path(const std::string& text, std::string_view controller) {
  // "ID:CONTROLLER,CONTROLLER:PATH", and "0::PATH" for version 2.
  const std::string wanted = "," + std::string(controller) + ",";
  std::istringstream lines(text);
  std::string id;
  std::string controllers;
  std::string path;
  while (std::getline(lines, id, ':') && std::getline(lines, controllers, ':') && std::getline(lines, path))
    if (("," + controllers + ",").find(wanted) != std::string::npos) return path;
  return std::nullopt;
}

int available_threads() {
  int threads = threads_of_affinity();
  const std::string groups = system_file_text("/proc/self/cgroup");
  if (const auto group = cgroup_path(groups, "")) threads = least_quota("/sys/fs/cgroup", *group, threads, quota_of_v2);
  if (const auto group = cgroup_path(groups, "cpu")) threads = least_quota("/sys/fs/cgroup/cpu", *group, threads, quota_of_v1);
  return threads;
}

// Reads the line "Threads:" of the process's status.
int present_threads() {
  const std::string status = system_file_text("/proc/self/status");
  constexpr std::string_view key = "\nThreads:\t";
  const std::size_t at = status.find(key);
  if (at == std::string::npos) return 1;
  return static_cast<int>(first_line_as_number(status.substr(at + key.size())).value_or(1));
}

void yield_to_other_threads() noexcept {
  // As linux/sched/types.h has it, which the C library does not give.
  struct {
    std::uint32_t size = 48;
    std::uint32_t policy = SCHED_OTHER;
    std::uint64_t flags = 0;
    std::int32_t nice = 10;  // beside a busy thread it gets a tenth of a processor, so its work ends soon
    std::uint32_t priority = 0;
    // Threads that wake up go before one of a longer slice at once (since Linux 6.12), and not at the end of its slice.
    std::uint64_t slice = 100'000'000;
    std::uint64_t deadline = 0;
    std::uint64_t period = 0;
  } attributes;
  if (::getpriority(PRIO_PROCESS, 0) < attributes.nice) static_cast<void>(::syscall(SYS_sched_setattr, 0, &attributes, 0));
}

}  // namespace inkling
