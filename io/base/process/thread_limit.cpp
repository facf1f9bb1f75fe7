#include "io/base/process/thread_limit.hpp"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/process/memory_flag.hpp"

namespace inkling {
namespace {

// Starts `wanted` threads, or as many as the system allows, all running at once; ends them and returns how many there were.
int start_and_end(int wanted) {
  std::mutex gate;
  std::vector<std::jthread> threads;  // they end before the gate does, and after they may pass it
  threads.reserve(static_cast<std::size_t>(wanted));
  const std::lock_guard all_wait(gate);
  try {
    while (std::ssize(threads) < wanted) threads.emplace_back([&gate] { const std::lock_guard wait(gate); });
  } catch (const std::system_error&) {
    // The system gives no more threads.
  }
  return static_cast<int>(std::ssize(threads));
}

// An ended thread counts against the limits until the system has removed it.
void await_threads(int most) {
  constexpr int looks = 1000;
  for (int look = 0; look < looks && present_threads() > most; ++look)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

int granted_threads(int threads) {
  const int granted = startable_threads(threads);
  if (granted >= threads) return threads;
  throw SystemError(fmt::format("--threads {}", threads), EAGAIN,
                    fmt::format("this process can have {} {}; ask for fewer, or raise its limit on processes (ulimit -u, "
                                "pids.max) or on memory (ulimit -v)",
                                granted, granted == 1 ? "thread" : "threads"));
}

}  // namespace

ThreadLimit::ThreadLimit(int threads)
    : most_(std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(granted_threads(threads)))),
      arena_(threads) {}

// If an allocation failed inside TBB, TBB holds its lock for ever, and destroying `most_` would wait for that lock.
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

}  // namespace inkling
