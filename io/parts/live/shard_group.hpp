// The workers that hold the shards of one live search, as each of them sees the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace inkling {

/// A document of a set with its score; none where `document` is below 0.
struct ShardedChoice {
  double score = -std::numeric_limits<double>::infinity();
  std::int64_t document = -1;  ///< in the numbering of the set

  bool operator==(const ShardedChoice&) const = default;
};

/// The order of ranks: higher score first, then the lower document; none after any other.
[[nodiscard]] constexpr bool chosen_before(const ShardedChoice& left, const ShardedChoice& right) noexcept {
  if (left.document < 0 || right.document < 0) return left.document >= 0 && right.document < 0;
  return left.score > right.score || (left.score == right.score && left.document < right.document);
}

/// Collective: every worker makes the same calls in the same order, and a call returns when all have made it. A worker
/// that is gone makes them throw SystemError, and the group is of no more use.
/// Thread safety: one thread of a worker at a time.
class ShardGroup {
 public:
  ShardGroup() = default;
  virtual ~ShardGroup() = default;
  ShardGroup(const ShardGroup&) = delete;
  ShardGroup& operator=(const ShardGroup&) = delete;

  /// Which worker this is, from 0.
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int workers() const = 0;

  /// The bytes of the worker `from`, to all, itself included. What others hand over is not looked at. Requires: a rank
  /// that is the same for all.
  [[nodiscard]] virtual std::vector<std::byte> broadcast(std::span<const std::byte> bytes, int from) = 0;

  /// The best of what all workers hand over, the same for all. A worker that has none left hands over {}.
  /// Requires: scores that are numbers, and no document of two workers.
  [[nodiscard]] virtual ShardedChoice best(const ShardedChoice& own) = 0;
};

/// One worker with all shards.
class LoneWorker final : public ShardGroup {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int workers() const override { return 1; }
  [[nodiscard]] std::vector<std::byte> broadcast(std::span<const std::byte> bytes, int /*from*/) override {
    return {bytes.begin(), bytes.end()};
  }
  [[nodiscard]] ShardedChoice best(const ShardedChoice& own) override { return own; }
};

}  // namespace inkling
