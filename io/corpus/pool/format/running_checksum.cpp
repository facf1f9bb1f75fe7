#include "io/corpus/pool/format/running_checksum.hpp"

#include <algorithm>
#include <new>

#include <xxhash.h>
// If the library has kernels for several kinds of processors, it chooses the one for this processor, which is twice as
// fast.
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#  include <xxh_x86dispatch.h>
#endif

namespace inkling {

struct RunningChecksum::State {
  XXH3_state_t* xxh = XXH3_createState();
};

void RunningChecksum::FreeState::operator()(State* state) const noexcept {
  XXH3_freeState(state->xxh);
  delete state;
}

RunningChecksum::RunningChecksum() : state_(new State) {
  if (state_->xxh == nullptr) throw std::bad_alloc();
  restart();
}

void RunningChecksum::add(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH3_64bits_update(state_->xxh, bytes.data(), bytes.size());
}

std::uint64_t RunningChecksum::value() const { return XXH3_64bits_digest(state_->xxh); }

void RunningChecksum::restart() { XXH3_64bits_reset(state_->xxh); }

void RunningRecord::add(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::uint64_t left = kChecksumBlockBytes - record_.bytes % kChecksumBlockBytes;
    const std::span<const std::byte> of_block =
        bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(left, bytes.size())));
    checksum_.add(of_block);
    record_.bytes += of_block.size();
    bytes = bytes.subspan(of_block.size());
    if (of_block.size() == left) end_block();
  }
}

void RunningRecord::renew_first_block(std::span<const std::byte> block) {
  if (!record_.checksums.empty()) {
    record_.checksums.front() = checksum_of(block);
  } else {
    checksum_.restart();
    checksum_.add(block);
  }
}

FileRecord RunningRecord::record() && {
  if (record_.bytes % kChecksumBlockBytes != 0) end_block();
  return std::move(record_);
}

void RunningRecord::end_block() {
  record_.checksums.push_back(checksum_.value());
  checksum_.restart();
}

}  // namespace inkling
