#include "io/doors/python/python_glue.hpp"

#include <stdexcept>

#include "io/base/process/thread_limit.hpp"
#include "io/base/sqlite/cut_indexes.hpp"
#include "io/base/system/process.hpp"

namespace inkling::python {
namespace {

std::atomic<bool> threads_were_used = false;
std::atomic<bool> is_lost_child = false;

void note_child() { is_lost_child.store(threads_were_used.load()); }

}  // namespace

bool threads_are_lost() noexcept { return is_lost_child.load(std::memory_order_relaxed); }

void require_own_threads() {
  if (threads_are_lost()) {
    throw std::runtime_error(
        "this process was forked after its parent had used Inkling, whose threads do not survive that: start "
        "child processes by multiprocessing.get_context(\"spawn\"), or use Inkling first in the child");
  }
  static std::once_flag registered;
  std::call_once(registered, in_forked_child, note_child);
  outlive_cut_files();
  outlive_cut_indexes();
  threads_were_used.store(true, std::memory_order_relaxed);
}

WorkPlace::WorkPlace(int threads) {
  if (threads > 0) arena_ = std::make_unique<tbb::task_arena>(threads);
}

bool LongWork::must_stop() {
  if (stop_.load()) return true;
  if (PyErr_CheckSignals() != 0) return true;
  try {
    tell();
    return false;
  } catch (nb::python_error& error) {
    error.restore();
    return true;
  }
}

void LongWork::run(int threads, const std::function<void()>& work) {
  require_own_threads();
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      ThreadLimit limit(threads > 0 ? threads : available_threads());
      limit.run(work);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex);
    done = true;
    changed.notify_all();
  });
  std::exception_ptr signal;
  for (bool over = false; !over;) {
    {
      const nb::gil_scoped_release released;
      std::unique_lock lock(mutex);
      changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; });
      over = done;
    }
    if (over || stop_.load()) continue;
    if (must_stop()) {
      signal = std::make_exception_ptr(nb::python_error());
      stop_.store(true);
    }
  }
  {
    const nb::gil_scoped_release released;
    worker.join();
  }
  if (signal) std::rethrow_exception(signal);
  if (heeds_cut_files) check_cut_files();  // first: it is the cause of any other error
  if (failure) std::rethrow_exception(failure);
}

OneThread::OneThread(std::atomic_flag& busy) : busy_(busy) {
  if (busy.test_and_set()) throw std::runtime_error("this object is in use by another thread; one thread at a time may use it");
}

}  // namespace inkling::python
