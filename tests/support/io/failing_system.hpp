// A system of which tests make calls fail. Where this file is linked, nothing is synced: that takes time and shows nothing.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <string_view>

#include "io/base/system/faults.hpp"

namespace inkling::test {

struct PresentCall {
  SystemCall call = {};
  std::string_view path = {};
  std::size_t bytes = 0;
};

/// While it exists, `decide` says what happens to each call. Several may be nested; the innermost decides.
class FailingSystem final : public FaultPlan {
 public:
  /// Called for one call at a time, from any thread. What returns no fault of a sync skips it.
  using Decide = std::function<Fault(const PresentCall&)>;

  explicit FailingSystem(Decide decide);
  ~FailingSystem() override;

  /// How many calls of a kind were made since it exists.
  [[nodiscard]] int made(SystemCall call) const { return made_[static_cast<std::size_t>(call)]; }
  [[nodiscard]] Fault before(SystemCall call, const char* path, std::size_t bytes) noexcept override;

 private:
  static constexpr std::size_t kKinds = static_cast<std::size_t>(SystemCall::remove) + 1;

  std::mutex deciding_;
  Decide decide_;
  std::array<std::atomic<int>, kKinds> made_{};
  FaultPlan* before_;
};

using Calls = std::set<SystemCall>;

/// All calls of these kinds fail with this errno.
[[nodiscard]] FailingSystem::Decide every(SystemCall call, int error);
/// Of the calls of these kinds the one with this number, counted from 1, has this fault.
[[nodiscard]] FailingSystem::Decide one(int number, Fault fault, Calls calls);
/// The disk is full from the call with this number on: it takes half of that write, and then no more.
[[nodiscard]] FailingSystem::Decide full_disk(int number);
/// Every other write is interrupted, and the others take at most so many bytes.
[[nodiscard]] FailingSystem::Decide slow_disk(std::size_t most_bytes);

}  // namespace inkling::test
