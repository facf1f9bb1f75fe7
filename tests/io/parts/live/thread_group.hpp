// The workers of a live search as threads of one process.
#pragma once

#include <barrier>
#include <vector>

#include "io/parts/live/shard_group.hpp"

namespace inkling::test {

/// The state that the workers share.
struct ThreadTeam {
  explicit ThreadTeam(int size) : workers(size), step(size), choices(static_cast<std::size_t>(size)) {}

  int workers;
  std::barrier<> step;
  std::vector<ShardedChoice> choices;  // by rank
  std::vector<std::byte> told;
  int messages = 0;  // how many were broadcast so far
};

class ThreadGroup final : public ShardGroup {
 public:
  ThreadGroup(ThreadTeam& team, int rank) : team_(team), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int workers() const override { return team_.workers; }
  [[nodiscard]] std::vector<std::byte> broadcast(std::span<const std::byte> bytes, int from) override {
    if (rank_ == from) {
      team_.told.assign(bytes.begin(), bytes.end());
      ++team_.messages;
    }
    team_.step.arrive_and_wait();
    std::vector<std::byte> told = team_.told;
    team_.step.arrive_and_wait();
    return told;
  }
  [[nodiscard]] ShardedChoice best(const ShardedChoice& own) override {
    team_.choices[static_cast<std::size_t>(rank_)] = own;
    team_.step.arrive_and_wait();
    ShardedChoice best;
    for (const ShardedChoice& theirs : team_.choices)
      if (chosen_before(theirs, best)) best = theirs;
    team_.step.arrive_and_wait();
    return best;
  }

 private:
  ThreadTeam& team_;
  int rank_;
};

}  // namespace inkling::test
