#include "io/corpus/pool/open/pool_set.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/set_copies.hpp"
#include "io/corpus/pool/open/read_pool.hpp"

namespace inkling {
namespace {

std::unique_ptr<PoolMember> open_member(const std::string& path, PoolAccess access, PoolTrust trust) {
  if (access == PoolAccess::map) return std::make_unique<Pool>(Pool::open(path, trust));
  return std::make_unique<ReadPool>(path, trust);
}

// Throws FormatError, which names the first difference.
void check_same_words(const PoolMember& first, const PoolMember& other) {
  const StringTable& expected = *first.vocabulary();
  const StringTable& found = *other.vocabulary();
  const std::int64_t common = std::min(expected.size(), found.size());
  std::int64_t word = 0;
  while (word < common && expected[word] == found[word]) ++word;
  if (word == std::max(expected.size(), found.size())) return;
  const auto here = [&](const StringTable& words) { return word < words.size() ? fmt::format("'{}'", words[word]) : "its end"; };
  throw FormatError(
      fmt::format("{}:{}", pool_file_path(other.path(), PoolFile::vocabulary), word + 1),
      fmt::format("expected the vocabulary of {}, which has {} here, found {}", first.path(), here(expected), here(found)));
}

void check_same_features(const PoolMember& first, const PoolMember& other) {
  const auto kind = [](const PoolMember& member) { return member.vocabulary() ? "a vocabulary" : "features without words"; };
  if (first.vocabulary().has_value() != other.vocabulary().has_value())
    throw FormatError(other.path(), fmt::format("expected {}, as {} has, found {}", kind(first), first.path(), kind(other)));
  if (first.vocabulary()) return check_same_words(first, other);
  const std::int64_t expected = first.manifest().columns;
  const std::int64_t found = other.manifest().columns;
  if (expected == found) return;
  throw FormatError(other.path(), fmt::format("expected {} features, as {} has, found {}", expected, first.path(), found));
}

}  // namespace

PoolSet PoolSet::open(std::span<const std::string> paths, PoolAccess access, PoolTrust trust) {
  if (paths.empty()) throw FormatError("pools", "expected at least one");
  std::vector<std::unique_ptr<PoolMember>> members;
  struct Given {
    std::size_t end;  // of its pools
    std::optional<SetFile> set = {};
    CopiedSetRows copies = {};
  };
  std::vector<Given> all;
  for (const std::string& path : paths) {
    if (!is_set_file(path)) {
      add_member(members, open_member(path, access, trust));
      all.push_back({.end = members.size()});
      continue;
    }
    SetFile set = read_set_file(path);
    CopiedSetRows copies = read_set_copies(path, set);
    for (const ShardRecord& shard : set.shards) {
      std::unique_ptr<PoolMember> member = open_member(shard_path(path, shard), access, trust);
      check_shard(path, shard, member->path(), member->manifest(), member->manifest_checksum());
      add_member(members, std::move(member));
    }
    all.push_back({members.size(), std::move(set), std::move(copies)});
  }
  PoolSet pools(std::move(members), access, trust);
  for (std::size_t first = 0; const Given& given : all) {
    pools.note_copies(first, given.end, given.copies);
    pools.has_uncompared_texts_ |= given.set && given.set->has_uncompared_texts();
    first = given.end;
  }
  if (all.size() == 1 && all.front().set) pools.fingerprint_ = all.front().set->fingerprint;
  return pools;
}

// Those of a set, and those that its pools know themselves; a set that names some knows them all.
void PoolSet::note_copies(std::size_t first_pool, std::size_t end, const CopiedSetRows& of_set) {
  const std::int64_t first = first_document(first_pool);
  for (std::size_t n = 0; n < of_set.rows.size(); ++n) copies_.add(first + of_set.rows[n], first + of_set.originals[n]);
  if (!of_set.rows.empty()) return;
  for (std::size_t pool = first_pool; pool < end; ++pool) {
    const RowCopies own = member(pool).copies();
    for (std::size_t n = 0; n < own.rows.size(); ++n)
      copies_.add(first_document(pool) + own.rows[n], first_document(pool) + own.originals[n]);
  }
}

void PoolSet::add_member(std::vector<std::unique_ptr<PoolMember>>& members, std::unique_ptr<PoolMember> member) {
  if (!members.empty()) {
    check_same_features(*members.front(), *member);
    member->drop_vocabulary();
  }
  members.push_back(std::move(member));
}

std::vector<std::string> pools_behind(std::span<const std::string> paths) {
  std::vector<std::string> pools;
  for (const std::string& path : paths) {
    if (!is_set_file(path)) {
      pools.push_back(path);
      continue;
    }
    for (const ShardRecord& shard : read_set_file(path).shards) pools.push_back(shard_path(path, shard));
  }
  return pools;
}

void check_shard(const std::string& set_path, const ShardRecord& shard, const std::string& pool_path, const Manifest& manifest,
                 std::uint64_t manifest_checksum) {
  if (manifest_checksum == shard.manifest && manifest.rows == shard.rows) return;
  throw CorruptFileError(pool_file_path(pool_path, PoolFile::manifest),
                         "expected the manifest of this shard that {} names, found another one", set_path);
}

PoolSet::PoolSet(std::vector<std::unique_ptr<PoolMember>> members, PoolAccess access, PoolTrust trust)
    : access_(access), trust_(trust), members_(std::move(members)), first_document_{0} {
  for (const auto& member : members_) {
    first_document_.push_back(first_document_.back() + member->manifest().rows);
    nonzeros_ += member->manifest().nonzeros;
  }
}

std::int32_t PoolSet::features() const noexcept { return static_cast<std::int32_t>(members_.front()->manifest().columns); }

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

std::int64_t PoolSet::document_frequency(FeatureId feature) const {
  std::int64_t documents = 0;
  for (const auto& member : members_) {
    const auto [begin, end] = member->postings_of(feature);
    documents += end - begin;
  }
  return documents;
}

bool PoolSet::has_ids() const {
  return std::ranges::any_of(members_, [](const auto& member) { return member->has_ids(); });
}

std::optional<std::string> PoolSet::id(std::int64_t document) const {
  const PoolPlace place = place_of(document);
  return members_[place.pool]->id(place.row);
}

void PoolSet::check_unchanged() const {
  for (const auto& member : members_) member->check_unchanged();
}

PoolView PoolSet::view(std::size_t pool) const& { return mapped(pool).view(); }

const Pool& PoolSet::mapped(std::size_t pool) const& {
  assert(access_ == PoolAccess::map);
  return dynamic_cast<const Pool&>(*members_[pool]);
}

/// The ids of one pool that is read, from the first to the last.
class IdStream::ReadIds {
 public:
  explicit ReadIds(const ReadPool& pool)
      : offsets_(pool.files(), PoolFile::offsets_of(PoolFile::ids), pool.trust()),
        bytes_(pool.files(), PoolFile::bytes_of(PoolFile::ids), pool.trust()),
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
  [[noreturn]] void fail(std::int64_t found) const {
    throw CorruptFileError(offsets_.path(), "expected offsets that never fall, from 0 to {}, found {}", most_, found);
  }

  CheckedReader offsets_;
  CheckedReader bytes_;
  std::int64_t most_;
  std::int64_t end_ = 0;
  std::string id_;
};

IdStream::IdStream(const PoolSet& pools) : pools_(pools) {}

IdStream::~IdStream() = default;

void IdStream::enter_pool() {
  const PoolMember& member = pools_.member(pool_);
  const auto* const read = dynamic_cast<const ReadPool*>(&member);
  read_ = read != nullptr && read->has_ids() ? std::make_unique<ReadIds>(*read) : nullptr;
  mapped_ = read == nullptr ? dynamic_cast<const Pool&>(member).ids() : std::nullopt;
}

std::optional<std::string_view> IdStream::next() {
  for (; row_ == pools_.manifest(pool_).rows; ++pool_) row_ = 0;
  if (row_ == 0) enter_pool();
  const std::int64_t row = row_++;
  if (read_) return read_->next();
  return mapped_ ? std::optional((*mapped_)[row]) : std::nullopt;
}

}  // namespace inkling
