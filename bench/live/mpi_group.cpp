#include "bench/live/mpi_group.hpp"

#include <cerrno>
#include <cstdlib>
#include <limits>

#define OMPI_SKIP_MPICXX 1  // the interface of C is all that is needed
#include <mpi.h>

#include "engine/core/errors.hpp"

namespace inkling::bench {
namespace {

constexpr int kBestTag = 1;
constexpr int kTellTag = 2;

void check_mpi(int result) {
  if (result == MPI_SUCCESS) return;
  throw SystemError("a message of MPI", EIO, "exchanging it");
}

int byte_count(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw SystemError("a message of MPI", EMSGSIZE, "sending it");
  return static_cast<int>(bytes);
}

}  // namespace

MpiGroup::MpiGroup(int* argc, char*** argv) {
  check_mpi(MPI_Init(argc, argv));
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &workers_));
}

MpiGroup::~MpiGroup() { MPI_Finalize(); }

void MpiGroup::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();
}

std::vector<std::byte> MpiGroup::broadcast(std::span<const std::byte> bytes, int from) {
  if (rank_ == from) {
    std::vector<std::byte> told(bytes.begin(), bytes.end());
    std::vector<MPI_Request> sent;
    for (int worker = 0; worker < workers_; ++worker) {
      if (worker == rank_) continue;
      sent.emplace_back();
      check_mpi(MPI_Isend(told.data(), byte_count(told.size()), MPI_BYTE, worker, kTellTag, MPI_COMM_WORLD,
                          &sent.back()));
    }
    check_mpi(MPI_Waitall(static_cast<int>(sent.size()), sent.data(), MPI_STATUSES_IGNORE));
    return told;
  }
  MPI_Status status;
  check_mpi(MPI_Probe(from, kTellTag, MPI_COMM_WORLD, &status));
  int count = 0;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &count));
  std::vector<std::byte> told(static_cast<std::size_t>(count));
  check_mpi(MPI_Recv(told.data(), count, MPI_BYTE, from, kTellTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  return told;
}

ShardedChoice MpiGroup::best(const ShardedChoice& own) {
  std::vector<ShardedChoice> all(static_cast<std::size_t>(workers_));
  std::vector<MPI_Request> open;
  open.reserve(2 * all.size());
  for (int worker = 0; worker < workers_; ++worker) {
    if (worker == rank_) continue;
    open.emplace_back();
    check_mpi(MPI_Irecv(&all[static_cast<std::size_t>(worker)], sizeof(ShardedChoice), MPI_BYTE, worker,
                        kBestTag, MPI_COMM_WORLD, &open.back()));
    open.emplace_back();
    check_mpi(
        MPI_Isend(&own, sizeof(ShardedChoice), MPI_BYTE, worker, kBestTag, MPI_COMM_WORLD, &open.back()));
  }
  check_mpi(MPI_Waitall(static_cast<int>(open.size()), open.data(), MPI_STATUSES_IGNORE));
  ShardedChoice best = own;
  for (const ShardedChoice& theirs : all)
    if (chosen_before(theirs, best)) best = theirs;
  return best;
}

}  // namespace inkling::bench
