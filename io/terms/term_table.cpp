#include "io/terms/term_table.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

namespace inkling {
namespace {

constexpr std::size_t kArenaBlock = std::size_t{1} << 14U;
constexpr std::int64_t kMostTerms = std::numeric_limits<std::int32_t>::max();

// Tables take the lowest bits of a hash, so the shard comes from others.
std::size_t shard_of(std::size_t hash, std::size_t shards) { return (hash >> 48U) % shards; }

// Terms are dealt out by their first bytes, then sorted in groups; where there are few, in one.
constexpr std::size_t kFewTerms = std::size_t{1} << 12U;
constexpr std::size_t kGroupBytes = 2;
constexpr std::size_t kGroups = std::size_t{1} << (8 * kGroupBytes);

// Some bytes of a text as a number that orders as they do; zeros stand for those behind its end.
template <typename Number>
Number bytes_as_number(std::string_view text, std::size_t from) {
  Number number = 0;
  for (std::size_t i = from; i < from + sizeof(Number); ++i) {
    number = static_cast<Number>(number << 8U);
    number |= static_cast<Number>(i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  }
  return number;
}

std::size_t group_of(std::string_view term) { return bytes_as_number<std::uint16_t>(term, 0); }

// A term with the bytes that decide most comparisons.
struct SortKey {
  std::uint64_t bytes;
  TermTable::Term term;

  bool operator<(const SortKey& other) const {
    return bytes != other.bytes ? bytes < other.bytes : term.text < other.term.text;
  }
};

// Terms that have so many first bytes in common. `keys`: room that is used again.
void sort_group(std::span<TermTable::Term> group, std::size_t common, std::vector<SortKey>& keys) {
  if (group.size() < 2) return;
  keys.clear();
  for (const TermTable::Term& term : group)
    keys.push_back({bytes_as_number<std::uint64_t>(term.text, common), term});
  tbb::parallel_sort(keys.begin(), keys.end());
  std::ranges::transform(keys, group.begin(), &SortKey::term);
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
  for (const std::string& text : ignored) {
    if (text.size() <= ShortTerm::most_bytes) {
      const ShortTerm term = ShortTerm::of(text);
      const std::size_t hash = ShortTermHash()(term);
      static_cast<void>(
          shards_[shard_of(hash, shards)].short_terms.find(term, hash, [] { return kIgnoredTerm; }));
    } else {
      Shard& shard = shards_[shard_of(std::hash<std::string_view>()(text), shards)];
      shard.long_terms.emplace(shard.arena.keep(text), kIgnoredTerm);
    }
  }
}

TermTable::TermTable(std::span<const std::string> ignored, std::span<const std::string_view> given,
                     std::span<const double> idf)
    : TermTable(ignored) {
  given_ = given;
  given_idf_ = idf;
  given_places_.assign(std::bit_ceil(2 * given.size() + 1), kIgnoredTerm);
  documents_.resize(given.size());
  for (std::size_t n = 0; n < given.size(); ++n) {
    std::size_t at = std::hash<std::string_view>()(given[n]) & (given_places_.size() - 1);
    while (given_places_[at] != kIgnoredTerm) at = (at + 1) & (given_places_.size() - 1);
    given_places_[at] = static_cast<TermId>(n);
  }
}

TermId TermTable::find_given(std::string_view term) const {
  if (given_places_.empty()) return kIgnoredTerm;
  for (std::size_t at = std::hash<std::string_view>()(term);; ++at) {
    const TermId found = given_places_[at & (given_places_.size() - 1)];
    if (found == kIgnoredTerm || given_[found] == term) return found;
  }
}

TermId TermTable::next_number() {
  const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
  if (number >= kMostTerms) throw std::length_error("more than 2147483647 different terms");
  return given_places_.empty() ? static_cast<TermId>(number) : kIgnoredTerm;
}

TermId TermTable::intern(const ShortTerm& term, std::size_t hash) {
  if (const TermId found = find_given(term.text()); found != kIgnoredTerm) return found;
  Shard& shard = shards_[shard_of(hash, shards)];
  const std::lock_guard lock(shard.mutex);
  return shard.short_terms.find(term, hash, [this] { return next_number(); });
}

TermTable::Term TermTable::intern_long(std::string_view term) {
  if (const TermId found = find_given(term); found != kIgnoredTerm) return {given_[found], found};
  const std::size_t hash = std::hash<std::string_view>()(term);
  Shard& shard = shards_[shard_of(hash, shards)];
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.long_terms.find(term, hash);
  if (found != shard.long_terms.end()) return {found->first, found->second};
  const TermId id = next_number();
  const std::string_view kept = shard.arena.keep(term);
  shard.long_terms.emplace(kept, id);
  return {kept, id};
}

template <typename Make>
TermId TermTable::ShortTermNumbers::find(const ShortTerm& term, std::size_t hash, Make&& make) {
  if (2 * (terms_.size() + 1) > places_.size()) grow();
  std::uint32_t& place = places_[place_of(term, hash)];
  if (place == 0) {
    terms_.push_back({term, make()});
    place = static_cast<std::uint32_t>(terms_.size());
  }
  return terms_[place - 1].id;
}

// Where the term is, or would be.
std::size_t TermTable::ShortTermNumbers::place_of(const ShortTerm& term, std::size_t hash) const noexcept {
  for (std::size_t at = hash & (places_.size() - 1);; at = (at + 1) & (places_.size() - 1))
    if (places_[at] == 0 || terms_[places_[at] - 1].term == term) return at;
}

void TermTable::ShortTermNumbers::grow() {
  constexpr std::size_t least_places = 16;
  places_.assign(std::max(least_places, 2 * places_.size()), 0);
  for (std::size_t n = 0; n < terms_.size(); ++n) {
    const ShortTerm& term = terms_[n].term;
    places_[place_of(term, ShortTermHash()(term))] = static_cast<std::uint32_t>(n + 1);
  }
}

void TermTable::add_documents(std::span<const TermCount> counts) {
  const std::lock_guard lock(documents_mutex_);
  if (given_places_.empty() && documents_.size() < static_cast<std::size_t>(size()))
    documents_.resize(static_cast<std::size_t>(size()));
  for (const TermCount& count : counts) documents_[count.term] += count.count;
}

std::uint64_t TermTable::memory() const {
  std::uint64_t bytes = sizeof(TermTable) + static_cast<std::uint64_t>(size()) * sizeof(documents_[0]);
  bytes += given_.size() * sizeof(documents_[0]) + given_places_.size() * sizeof(TermId);
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    bytes += shard.short_terms.bytes();
    // A bucket holds the pair and eight bytes of its own.
    bytes += shard.long_terms.bucket_count() * (sizeof(std::pair<std::string_view, TermId>) + 8);
    bytes += shard.arena.bytes();
  }
  return bytes;
}

template <typename Visit>
void TermTable::for_each(Visit&& visit) const {
  for (const Shard& shard : shards_) {
    for (const ShortTermNumbers::Numbered& term : shard.short_terms.all())
      if (term.id != kIgnoredTerm) visit(Term{term.term.text(), term.id});
    for (const auto& [text, id] : shard.long_terms)
      if (id != kIgnoredTerm) visit(Term{text, id});
  }
}

std::vector<TermTable::Term> TermTable::sorted() const {
  std::vector<Term> terms(static_cast<std::size_t>(size()));
  if (terms.size() <= kFewTerms) {
    auto next = terms.begin();
    for_each([&](const Term& term) { *next++ = term; });
    std::vector<SortKey> keys;
    sort_group(terms, 0, keys);
    return terms;
  }
  std::vector<std::uint32_t> end_of(kGroups +
                                    1);  // first where the group before it ends, which is where it begins
  for_each([&](const Term& term) { ++end_of[group_of(term.text) + 1]; });
  std::partial_sum(end_of.begin(), end_of.end(), end_of.begin());
  for_each([&](const Term& term) { terms[end_of[group_of(term.text)]++] = term; });
  constexpr std::size_t groups_at_once = 256;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, kGroups, groups_at_once), [&](const auto& range) {
    std::vector<SortKey> keys;
    for (std::size_t group = range.begin(); group != range.end(); ++group) {
      const std::size_t begin = group == 0 ? 0 : end_of[group - 1];
      sort_group(std::span(terms).subspan(begin, end_of[group] - begin), kGroupBytes, keys);
    }
  });
  return terms;
}

}  // namespace inkling
