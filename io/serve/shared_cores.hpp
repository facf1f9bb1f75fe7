// How much of the computer one request may use: all of it where it is alone, one core where others fill the rest.
#pragma once

#include <atomic>

#include <tbb/task_arena.h>

namespace inkling {

/// Work in parallel makes one answer sooner. It takes more of the cores than the same work on one thread, so where there
/// are enough requests for all of them, each is answered by its own thread alone. The answers are the same.
/// Thread safety: any number of threads.
class SharedCores {
 public:
  /// Runs the work, and returns what it returns.
  template <typename Work>
  auto run(const Work& work) {
    const Presence presence(working_);
    if (presence.among() <= tbb::this_task_arena::max_concurrency()) return work();
    thread_local tbb::task_arena alone(1);
    return alone.execute(work);
  }

 private:
  // While it lives, one more is at work.
  class Presence {
   public:
    explicit Presence(std::atomic<int>& count) : count_(count), among_(++count) {}
    ~Presence() { --count_; }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
    Presence(Presence&&) = delete;
    Presence& operator=(Presence&&) = delete;

    [[nodiscard]] int among() const noexcept { return among_; }

   private:
    std::atomic<int>& count_;
    int among_;
  };

  std::atomic<int> working_ = 0;
};

}  // namespace inkling
