#include "io/pool/set/pool_set.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/pool.hpp"
#include "io/pool/open/pool_folder.hpp"
#include "io/pool/set/read_pool.hpp"

namespace inkling {
namespace {

std::unique_ptr<PoolMember> open_member(const std::string& path, PoolAccess access, PoolTrust trust) {
  return access == PoolAccess::map ? map_member(path, trust) : read_member(path, trust);
}

[[noreturn]] void fail_at_word(const PoolMember& first, const PoolMember& other, std::int64_t line,
                               std::string_view expected, std::string_view found) {
  throw FormatError(fmt::format("{}:{}", pool_file_path(other.path(), PoolFile::vocabulary), line + 1),
                    fmt::format("expected the vocabulary of {}, which has {} here, found {}", first.path(),
                                expected, found));
}

/// Throws FormatError, which names the first difference.
void check_same_words(const PoolMember& first, const PoolMember& other) {
  const StringTable& expected = *first.vocabulary();
  const StringTable& found = *other.vocabulary();
  const std::int64_t common = std::min(expected.size(), found.size());
  for (std::int64_t word = 0; word < common; ++word) {
    if (expected[word] == found[word]) continue;
    fail_at_word(first, other, word, fmt::format("'{}'", expected[word]), fmt::format("'{}'", found[word]));
  }
  if (expected.size() > common) {
    fail_at_word(first, other, common, fmt::format("'{}'", expected[common]), "its end");
  }
  if (found.size() > common)
    fail_at_word(first, other, common, "its end", fmt::format("'{}'", found[common]));
}

void check_same_features(const PoolMember& first, const PoolMember& other) {
  const auto kind = [](const PoolMember& member) {
    return member.vocabulary() ? "a vocabulary" : "features without words";
  };
  if (first.vocabulary().has_value() != other.vocabulary().has_value()) {
    throw FormatError(other.path(), fmt::format("expected {}, as {} has, found {}", kind(first), first.path(),
                                                kind(other)));
  }
  if (first.vocabulary()) return check_same_words(first, other);
  const std::int64_t expected = first.manifest().columns;
  const std::int64_t found = other.manifest().columns;
  if (expected == found) return;
  throw FormatError(other.path(),
                    fmt::format("expected {} features, as {} has, found {}", expected, first.path(), found));
}

/// The ids of one pool that is read, from the first to the last.
class ReadIds {
 public:
  explicit ReadIds(const ReadPool& pool)
      : offsets_(reader(pool, PoolFile::offsets_of(PoolFile::ids))),
        bytes_(reader(pool, PoolFile::bytes_of(PoolFile::ids))),
        most_(static_cast<std::int64_t>(bytes_.bytes_in_file() - kPoolNpyHeaderBytes)) {
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

PoolSet PoolSet::open(std::span<const std::string> paths, PoolAccess access, PoolTrust trust) {
  if (paths.empty()) throw FormatError("pools", "expected at least one");
  std::vector<std::unique_ptr<PoolMember>> members;
  for (const std::string& path : paths) {
    members.push_back(open_member(path, access, trust));
    if (members.size() == 1) continue;
    check_same_features(*members.front(), *members.back());
    members.back()->drop_vocabulary();
  }
  return {std::move(members), access, trust};
}

PoolSet::PoolSet(std::vector<std::unique_ptr<PoolMember>> members, PoolAccess access, PoolTrust trust)
    : access_(access),
      trust_(trust),
      members_(std::move(members)),
      first_document_{0},
      vocabulary_(members_.front()->vocabulary()) {
  for (const auto& member : members_) {
    first_document_.push_back(first_document_.back() + member->manifest().rows);
    nonzeros_ += member->manifest().nonzeros;
  }
}

PoolSet::~PoolSet() = default;
PoolSet::PoolSet(PoolSet&& other) noexcept = default;
PoolSet& PoolSet::operator=(PoolSet&& other) noexcept = default;

std::int32_t PoolSet::features() const noexcept {
  return static_cast<std::int32_t>(members_.front()->manifest().columns);
}

PoolPlace PoolSet::place_of(std::int64_t document) const {
  assert(document >= 0 && document < documents());
  const auto after = std::ranges::upper_bound(first_document_, document);
  const auto pool = static_cast<std::size_t>(after - first_document_.begin()) - 1;
  return {.pool = pool, .row = static_cast<DocumentId>(document - first_document_[pool])};
}

CsrMatrix PoolSet::row(std::int64_t document) const {
  const PoolPlace place = place_of(document);
  return members_[place.pool]->row(place.row);
}

std::optional<FeatureId> PoolSet::feature_of(std::string_view word) const {
  const std::optional<std::int64_t> row = vocabulary_ ? vocabulary_->find(word) : std::nullopt;
  return row ? std::optional(static_cast<FeatureId>(*row)) : std::nullopt;
}

std::int64_t PoolSet::document_frequency(FeatureId feature) const {
  std::int64_t documents = 0;
  for (const auto& member : members_) {
    const auto [begin, end] = member->postings_of(feature);
    documents += end - begin;
  }
  return documents;
}

bool PoolSet::has_ids() const {
  return std::ranges::any_of(members_, [](const auto& member) {
    return member->manifest().file(PoolFile::offsets_of(PoolFile::ids)) != nullptr;
  });
}

std::optional<std::string> PoolSet::id(std::int64_t document) const {
  const PoolPlace place = place_of(document);
  return members_[place.pool]->id(place.row);
}

PoolView PoolSet::view(std::size_t pool) const& {
  assert(access_ == PoolAccess::map);
  return members_[pool]->mapped()->view();
}

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
