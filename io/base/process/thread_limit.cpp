#include "io/base/process/thread_limit.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <mutex>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <sched.h>

#include "engine/core/errors.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/process/memory_flag.hpp"

namespace inkling {
namespace {

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

// Of this process, from the line "Threads:" of its status; 1 where that cannot be read.
int present_threads() {
  const std::string status = system_file_text("/proc/self/status");
  constexpr std::string_view key = "\nThreads:\t";
  const std::size_t at = status.find(key);
  if (at == std::string::npos) return 1;
  const std::size_t begin = at + key.size();
  const std::string number = status.substr(begin, status.find('\n', begin) - begin);
  return static_cast<int>(parse_integer(number).value_or(1));
}

// Starts threads that wait for each other until there are so many, and ends them; how many there were.
int start_and_end(int wanted) {
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<std::size_t>(wanted));
  std::mutex gate;
  const std::lock_guard all_wait(gate);
  try {
    while (std::ssize(threads) < wanted) threads.emplace_back([&gate] { const std::lock_guard wait(gate); });
  } catch (const std::system_error&) {
    // No more of them.
  }
  return static_cast<int>(std::ssize(threads));
}

// A thread that has ended counts against the limits until the system has put it away.
void await_threads(int most) {
  constexpr int looks = 1000;
  for (int look = 0; look < looks && present_threads() > most; ++look)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

int granted_threads(int threads) {
  const int granted = startable_threads(threads);
  if (granted >= threads) return threads;
  throw SystemError(
      fmt::format("--threads {}", threads), EAGAIN,
      fmt::format("this process can have {} {}; ask for fewer, or raise its limit on processes (ulimit -u, "
                  "pids.max) or on memory (ulimit -v)",
                  granted, granted == 1 ? "thread" : "threads"));
}

}  // namespace

ThreadLimit::ThreadLimit(int threads)
    : most_(std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(granted_threads(threads)))),
      arena_(threads) {}

// Where an allocation failed within the library of threads, it holds its lock for ever, and would wait for it here.
ThreadLimit::~ThreadLimit() {
  if (memory_ran_out()) static_cast<void>(most_.release());
}

int startable_threads(int wanted) {
  const int present = present_threads();
  if (present >= wanted) return wanted;
  const int started = start_and_end(wanted - present);
  await_threads(present);
  return present + started;
}

std::optional<int> threads_of_cpu_max(const std::string& text) {
  std::istringstream words(text);
  std::string quota;
  std::string period;
  std::string more;
  words >> quota >> period;
  return words >> more ? std::nullopt : threads_of_cfs(quota, period);
}

std::optional<int> threads_of_cfs(const std::string& quota, const std::string& period) {
  const std::optional<std::int64_t> allowed = parse_integer(quota.substr(0, quota.find('\n')));
  const std::optional<std::int64_t> of = parse_integer(period.substr(0, period.find('\n')));
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
  if (const auto group = cgroup_path(groups, ""))
    threads = least_quota("/sys/fs/cgroup", *group, threads, quota_of_v2);
  if (const auto group = cgroup_path(groups, "cpu"))
    threads = least_quota("/sys/fs/cgroup/cpu", *group, threads, quota_of_v1);
  return threads;
}

}  // namespace inkling
