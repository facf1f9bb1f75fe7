#include "io/build/term_table.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>

#include <tbb/parallel_sort.h>

#include "io/text/padded_text.hpp"

namespace inkling {
namespace {

constexpr std::size_t kArenaBlock = std::size_t{1} << 14U;
constexpr std::int64_t kMostTerms = std::numeric_limits<std::int32_t>::max();

// The map takes the lowest bits of a hash, so the shard comes from others.
std::size_t shard_of(std::size_t hash, std::size_t shards) { return (hash >> 16U) % shards; }
// The first eight bytes as a number that orders as they do.
std::uint64_t leading_bytes(std::string_view text) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i)
    number = (number << 8U) | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  return number;
}

}  // namespace

std::string_view TermTable::Arena::keep(std::string_view text) {
  if (text.size() > left_) {
    left_ = std::max(kArenaBlock, text.size());
    blocks_.push_back(std::make_unique<char[]>(left_));
    free_ = blocks_.back().get();
    bytes_ += left_;
  }
  std::ranges::copy(text, free_);
  const std::string_view kept(free_, text.size());
  free_ += text.size();
  left_ -= text.size();
  return kept;
}

TermTable::TermTable(std::span<const std::string> ignored) {
  for (const std::string& term : ignored) {
    const PaddedText padded(term);
    if (term.size() > ShortTerm::most_bytes) {
      Shard& shard = shards_[shard_of(std::hash<std::string_view>()(term), shards)];
      shard.long_terms.emplace(shard.arena.keep(term), kIgnoredTerm);
    } else if (!term.empty()) {
      const ShortTerm key = ShortTerm::of_padded(padded.view());
      shards_[shard_of(ShortTermHash()(key), shards)].short_terms.emplace(key, kIgnoredTerm);
    }
  }
}

TermId TermTable::intern(ShortTerm term) {
  const std::size_t hash = ShortTermHash()(term);
  Shard& shard = shards_[shard_of(hash, shards)];
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.short_terms.find(term, hash);
  if (found != shard.short_terms.end()) return found->second;
  const TermId id = next_id();
  shard.short_terms.emplace(term, id);
  return id;
}

TermId TermTable::intern_long(std::string_view term) {
  const std::size_t hash = std::hash<std::string_view>()(term);
  Shard& shard = shards_[shard_of(hash, shards)];
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.long_terms.find(term, hash);
  if (found != shard.long_terms.end()) return found->second;
  const TermId id = next_id();
  shard.long_terms.emplace(shard.arena.keep(term), id);
  return id;
}

TermId TermTable::next_id() {
  const std::int64_t id = next_.fetch_add(1, std::memory_order_relaxed);
  if (id >= kMostTerms) throw std::length_error("more than 2147483647 different terms");
  return static_cast<TermId>(id);
}

void TermTable::add_documents(std::span<const TermDocuments> counts) {
  const std::lock_guard lock(documents_mutex_);
  if (documents_.size() < static_cast<std::size_t>(size()))
    documents_.resize(static_cast<std::size_t>(size()));
  for (const TermDocuments& count : counts) documents_[count.term] += count.documents;
}

std::uint64_t TermTable::memory() const {
  std::uint64_t bytes = sizeof(TermTable) + static_cast<std::uint64_t>(size()) * sizeof(documents_[0]);
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    // A bucket holds the pair and eight bytes of its own.
    bytes += shard.short_terms.bucket_count() * (sizeof(std::pair<ShortTerm, TermId>) + 8);
    bytes += shard.long_terms.bucket_count() * (sizeof(std::pair<std::string_view, TermId>) + 8);
    bytes += shard.arena.bytes();
  }
  return bytes;
}

std::vector<TermTable::Term> TermTable::sorted() const {
  struct Key {
    std::uint64_t leading;
    Term term;
  };
  std::vector<Key> keys;
  keys.reserve(static_cast<std::size_t>(size()));
  for (const Shard& shard : shards_) {
    for (const auto& [term, id] : shard.short_terms)
      if (id != kIgnoredTerm) keys.push_back({leading_bytes(term.text()), {term.text(), id}});
    for (const auto& [term, id] : shard.long_terms)
      if (id != kIgnoredTerm) keys.push_back({leading_bytes(term), {term, id}});
  }
  tbb::parallel_sort(keys.begin(), keys.end(), [](const Key& left, const Key& right) {
    return left.leading != right.leading ? left.leading < right.leading : left.term.text < right.term.text;
  });
  std::vector<Term> terms;
  terms.reserve(keys.size());
  for (const Key& key : keys) terms.push_back(key.term);
  return terms;
}

}  // namespace inkling
