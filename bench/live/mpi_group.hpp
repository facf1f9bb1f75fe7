// Workers that are ranks of MPI.
#pragma once

#include "io/parts/live/shard_group.hpp"

namespace inkling::bench {

/// All ranks of MPI_COMM_WORLD. Every message goes straight to its receiver, so a collective takes as long as one message
/// does, whatever the number of ranks; that pays as long as these are few enough for a person or a simulation to wait.
/// A rank that dies ends the job, as MPI has it.
class MpiGroup final : public ShardGroup {
 public:
  /// Starts MPI, and ends it. Requires: one in a process.
  MpiGroup(int* argc, char*** argv);
  ~MpiGroup() override;
  MpiGroup(const MpiGroup&) = delete;
  MpiGroup& operator=(const MpiGroup&) = delete;
  MpiGroup(MpiGroup&&) = delete;
  MpiGroup& operator=(MpiGroup&&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int workers() const override { return workers_; }
  [[nodiscard]] std::vector<std::byte> broadcast(std::span<const std::byte> bytes, int from) override;
  [[nodiscard]] ShardedChoice best(const ShardedChoice& own) override;

  /// Ends all ranks of the job: for one that cannot go on.
  [[noreturn]] static void abort(int exit_code);

 private:
  int rank_ = 0;
  int workers_ = 1;
};

}  // namespace inkling::bench
