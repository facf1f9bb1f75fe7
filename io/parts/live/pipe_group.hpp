// Workers that are processes of one machine, connected to the worker of rank 0 by sockets.
#pragma once

#include <utility>
#include <vector>

#include "io/parts/live/shard_group.hpp"

namespace inkling {

/// Everything goes through the worker of rank 0: `best` takes one message from each of the others to it, and one back.
/// Lifetime: the sockets stay the caller's.
class PipeGroup final : public ShardGroup {
 public:
  /// `sockets` are connected stream sockets: those of rank 0 lead to the workers from 1 on in order, the one of any other
  /// worker leads to rank 0.
  PipeGroup(int rank, int workers, std::vector<int> sockets)
      : rank_(rank), workers_(workers), sockets_(std::move(sockets)) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int workers() const override { return workers_; }
  [[nodiscard]] std::vector<std::byte> broadcast(std::span<const std::byte> bytes, int from) override;
  [[nodiscard]] ShardedChoice best(const ShardedChoice& own) override;

 private:
  [[nodiscard]] int socket_to(int worker) const;

  int rank_;
  int workers_;
  std::vector<int> sockets_;
};

}  // namespace inkling
