// What all bindings share: arrays of NumPy, names of a table, work without
// Python's lock, and what happens after a fork.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <tbb/task_arena.h>

#include "engine/core/enum_names.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/nearest_name.hpp"
#include "io/base/file/cut_files.hpp"
#include "io/base/wording/value_kind.hpp"

namespace inkling::python {

namespace nb = nanobind;

template <typename Number>
using ArrayIn = nb::ndarray<nb::numpy, const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename Number>
using ArrayOut = nb::ndarray<nb::numpy, Number, nb::ndim<1>>;

template <typename Number>
[[nodiscard]] std::span<const Number> span_of(const ArrayIn<Number>& array) {
  return {array.data(), array.size()};
}

/// An array of NumPy that owns the numbers.
template <typename Number>
[[nodiscard]] ArrayOut<Number> array_of(std::vector<Number> numbers) {
  auto owned = std::make_unique<std::vector<Number>>(std::move(numbers));
  Number* const data = owned->data();
  const std::size_t size = owned->size();
  const nb::capsule owner(owned.release(), [](void* held) noexcept { delete static_cast<std::vector<Number>*>(held); });
  return ArrayOut<Number>(data, {size}, owner);
}

/// A read-only array of NumPy over memory that `owner` keeps alive.
template <typename Number>
[[nodiscard]] ArrayOut<const Number> lent_array(std::span<const Number> numbers, nb::handle owner) {
  static const Number nothing{};
  return ArrayOut<const Number>(numbers.empty() ? &nothing : numbers.data(), {numbers.size()}, owner);
}

/// The value of this name. Throws FormatError, which says what was given and what is known.
template <typename Value, std::size_t size>
[[nodiscard]] Value value_named(const std::string& what, const std::string& name, const EnumName<Value> (&table)[size]) {
  if (const std::optional<Value> value = value_of(name, table)) return *value;
  const Choice known = {names_of(table)};
  throw FormatError(what + " '" + name + "'", "expected " + expectation(known) + did_you_mean("", name, known.names));
}

/// Threads do not survive a fork. Throws std::runtime_error in a child whose
/// parent had used them; otherwise notes that this process does. To be called
/// before any work that may use several threads, or may open a pool or a log:
/// from then on a mapped file that becomes shorter raises no signal
/// (`outlive_cut_files`, `outlive_cut_indexes`).
void require_own_threads();
/// Whether this process is such a child.
[[nodiscard]] bool threads_are_lost() noexcept;

/// Where work runs: in an arena with its own number of threads, or in the
/// caller's.
class WorkPlace {
 public:
  /// 0: as many as the machine has.
  explicit WorkPlace(int threads);

  /// Runs the work with Python's lock released. Throws if a file became shorter meanwhile (`check_cut_files`).
  template <typename Work>
  auto run(const Work& work) {
    require_own_threads();
    const nb::gil_scoped_release released;
    const auto run_here = [&] { return arena_ ? arena_->execute(work) : work(); };
    try {
      if constexpr (std::is_void_v<decltype(run_here())>) {
        run_here();
        check_cut_files();
      } else {
        auto result = run_here();
        check_cut_files();
        return result;
      }
    } catch (...) {
      check_cut_files();  // it is the cause of any other error
      throw;
    }
  }

 private:
  std::unique_ptr<tbb::task_arena> arena_;
};

/// A signal ended the work; Python's own exception is set.
class StoppedBySignal : public std::exception {};

/// Work that may take long, done by another thread while this one looks for
/// signals every 50 ms: after Ctrl-C, `stopped()` throws inside the work.
/// Requires: called with Python's lock.
class LongWork {
 public:
  /// Called by this thread, with Python's lock, now and then.
  std::function<void()> tell = [] {};
  /// Whether a file that became shorter is an error (`check_cut_files`): not of work that opens another one.
  bool heeds_cut_files = true;

  void run(int threads, const std::function<void()>& work);

  /// Throws if the work must end. Thread safety: any thread.
  void stopped() const {
    if (stop_.load(std::memory_order_relaxed)) throw StoppedBySignal();
  }

 private:
  [[nodiscard]] bool must_stop();

  std::atomic<bool> stop_ = false;
};

/// Throws if two threads use one object at once. Lifetime: lends the flag.
class OneThread {
 public:
  explicit OneThread(std::atomic_flag& busy);
  ~OneThread() { busy_.clear(); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  std::atomic_flag& busy_;
};

}  // namespace inkling::python
