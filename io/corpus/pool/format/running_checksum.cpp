#include "io/corpus/pool/format/running_checksum.hpp"

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

}  // namespace inkling
