#include "io/pool/set/id_stream.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "io/file/corrupt_file_error.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/checked_reader.hpp"
#include "io/pool/open/pool.hpp"
#include "io/pool/set/read_pool.hpp"

namespace inkling {
namespace {

/// The ids of one pool that is read, from the first to the last.
class ReadIds {
 public:
  explicit ReadIds(const ReadPool& pool)
      : offsets_(reader(pool, PoolFile::offsets_of(PoolFile::ids))),
        bytes_(reader(pool, PoolFile::bytes_of(PoolFile::ids))),
        most_(static_cast<std::int64_t>(bytes_.bytes_in_file() - pool_npy_header_bytes)) {
    offsets_.skip_npy_header<std::int64_t>(pool.manifest().rows + 1);
    bytes_.skip_npy_header<std::uint8_t>(most_);
    offsets_.read_numbers(std::span(&end_, 1));
    if (end_ != 0) fail(end_);
  }

  [[nodiscard]] std::string_view next() {
    const std::int64_t begin = end_;
    offsets_.read_numbers(std::span(&end_, 1));
    if (end_ < begin || end_ > most_) fail(end_);
    id_.resize(static_cast<std::size_t>(end_ - begin));
    bytes_.read_numbers(std::span(id_));
    if (!simdjson::validate_utf8(id_)) throw CorruptFileError(bytes_.path(), "expected UTF-8");
    return id_;
  }

 private:
  [[nodiscard]] static CheckedReader reader(const ReadPool& pool, std::string_view name) {
    return {pool.folder(), record_in(pool.folder(), pool.manifest(), name), pool.trust()};
  }
  [[noreturn]] void fail(std::int64_t found) const {
    throw CorruptFileError(
        offsets_.path(),
        fmt::format("expected offsets that never fall, from 0 to {}, found {}", most_, found));
  }

  CheckedReader offsets_;
  CheckedReader bytes_;
  std::int64_t most_;
  std::int64_t end_ = 0;
  std::string id_;
};

}  // namespace

struct IdStream::State {
  explicit State(const PoolSet& pools_to_read) : pools(pools_to_read) {}

  void enter(std::size_t next_pool) {
    pool = next_pool;
    row = 0;
    read.reset();
    const PoolMember& member = pools.member(pool);
    const bool has_ids = member.manifest().file(PoolFile::offsets_of(PoolFile::ids)) != nullptr;
    if (has_ids && member.read() != nullptr) read = std::make_unique<ReadIds>(*member.read());
  }

  const PoolSet& pools;
  std::size_t pool = 0;
  std::int64_t row = 0;
  std::unique_ptr<ReadIds> read;
  bool entered = false;
};

IdStream::IdStream(const PoolSet& pools) : state_(std::make_unique<State>(pools)) {}

IdStream::~IdStream() = default;

std::optional<std::string_view> IdStream::next() {
  State& state = *state_;
  if (!std::exchange(state.entered, true)) state.enter(0);
  while (state.row == state.pools.manifest(state.pool).rows) state.enter(state.pool + 1);
  const std::int64_t row = state.row++;
  if (state.read) return state.read->next();
  const Pool* const mapped = state.pools.member(state.pool).mapped();
  if (mapped == nullptr || !mapped->ids()) return std::nullopt;
  return (*mapped->ids())[row];
}

}  // namespace inkling
