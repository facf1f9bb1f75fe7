#include "io/corpus/terms/term_table.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

namespace inkling {
namespace {

constexpr std::size_t kArenaBlock = std::size_t{1} << 14U;
constexpr std::int64_t kMostTerms = std::numeric_limits<std::int32_t>::max();

// Terms are put into groups by their first bytes, then each group is sorted. So few terms are sorted as one group.
constexpr std::size_t kFewTerms = std::size_t{1} << 12U;
constexpr std::size_t kGroupBytes = 2;
constexpr std::size_t kGroups = std::size_t{1} << (8 * kGroupBytes);

// Some bytes of a text as a number: numbers compare as the bytes do. Bytes behind the end count as zeros.
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

// A term, with bytes that decide most comparisons.
struct SortKey {
  std::uint64_t bytes;
  TermTable::Term term;

  bool operator<(const SortKey& other) const { return bytes != other.bytes ? bytes < other.bytes : term.text < other.term.text; }
};

// Sorts terms whose first `common` bytes are equal. `keys`: memory that is used again.
void sort_group(std::span<TermTable::Term> group, std::size_t common, std::vector<SortKey>& keys) {
  if (group.size() < 2) return;
  keys.clear();
  for (const TermTable::Term& term : group) keys.push_back({bytes_as_number<std::uint64_t>(term.text, common), term});
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
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t wanted = threads == 1 ? 1 : std::clamp<std::size_t>(8 * threads, 16, shards_.size());
  last_shard_ = std::bit_ceil(wanted) - 1;
  for (const std::string& text : ignored) {
    if (text.size() <= ShortTerm::most_bytes) {
      const ShortTerm term = ShortTerm::of(text);
      const std::size_t hash = ShortTermHash()(term);
      static_cast<void>(shards_[shard_of(hash)].short_terms.find(term, hash, [] { return kIgnoredTerm; }));
    } else {
      Shard& shard = shards_[shard_of(std::hash<std::string_view>()(text))];
      shard.long_terms.emplace(shard.arena.keep(text), kIgnoredTerm);
    }
  }
}

TermTable::TermTable(std::span<const std::string> ignored, std::span<const std::string_view> given, std::span<const double> idf)
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

TermId TermTable::next_numbers(Numbering numbering, std::size_t count) {
  std::atomic<std::int64_t>& next = numbering == Numbering::term ? next_ : next_part_;
  const auto more = static_cast<std::int64_t>(count);
  const std::int64_t number = next.fetch_add(more, std::memory_order_relaxed);
  if (number + more > kMostTerms) throw std::length_error("more than 2147483647 different terms");
  if (!given_places_.empty()) return kIgnoredTerm;
  return static_cast<TermId>(number) + (numbering == Numbering::term ? 0 : kFirstPart);
}

TermId TermTable::intern(const ShortTerm& term, std::size_t hash, Numbering numbering) {
  if (!given_places_.empty()) {
    if (const TermId found = find_given(term.text()); found != kIgnoredTerm) return found;
  }
  Shard& shard = shards_[shard_of(hash)];
  const std::lock_guard lock(shard.mutex);
  return shard.short_terms.find(term, hash, [&] { return next_number(numbering); });
}

void TermTable::count_runs(std::span<RunOfDocument> runs, Numbering numbering) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): written before it is read
  std::array<RunOfDocument*, most_runs_at_once> by_shard;
  std::array<std::size_t, most_shards + 1> end_of{};  // first where the shard before it ends
  for (const RunOfDocument& run : runs) {
    ++end_of[shard_of(run.hash) + 1];
    shards_[shard_of(run.hash)].runs.prefetch(run.hash);
  }
  std::partial_sum(end_of.begin(), end_of.begin() + static_cast<std::ptrdiff_t>(last_shard_) + 1, end_of.begin());
  for (RunOfDocument& run : runs) by_shard[end_of[shard_of(run.hash)]++] = &run;
  std::size_t begin = 0;
  for (std::size_t shard = 0; shard <= last_shard_; ++shard) {
    const auto of_shard = std::span(by_shard).subspan(begin, end_of[shard] - begin);
    begin = end_of[shard];
    if (!of_shard.empty()) count_runs(shards_[shard], of_shard, numbering);
  }
}

// The shard is locked once, and its new runs get their numbers together.
void TermTable::count_runs(Shard& shard, std::span<RunOfDocument*> runs, Numbering numbering) {
  std::size_t found_new = 0;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): written before it is read
  std::array<Numbers<Run>::Numbered*, most_runs_at_once> unnumbered;
  const std::lock_guard lock(shard.mutex);
  shard.runs.reserve(runs.size());
  for (RunOfDocument* const run : runs) {
    const auto [numbered, is_new] = shard.runs.take(run->run, run->hash);
    ++numbered->documents;
    run->number = numbered->id;
    unnumbered[found_new] = numbered;
    runs[found_new] = run;
    found_new += is_new ? 1 : 0;
  }
  if (found_new == 0) return;
  const TermId first = next_numbers(numbering, found_new);
  for (std::size_t n = 0; n < found_new; ++n) {
    unnumbered[n]->id = first == kIgnoredTerm ? first : first + static_cast<TermId>(n);
    runs[n]->number = unnumbered[n]->id;
  }
}

TermTable::Term TermTable::intern_long(std::string_view word, Numbering numbering) {
  if (const TermId found = find_given(word); found != kIgnoredTerm) return {given_[found], found};
  const std::size_t hash = std::hash<std::string_view>()(word);
  Shard& shard = shards_[shard_of(hash)];
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.long_terms.find(word, hash);
  if (found != shard.long_terms.end()) return {found->first, found->second};
  const TermId id = next_number(numbering);
  const std::string_view kept = shard.arena.keep(word);
  shard.long_terms.emplace(kept, id);
  return {kept, id};
}

std::optional<TermId> TermTable::find_word(std::string_view word) const {
  if (word.empty()) return std::nullopt;
  if (word.size() <= ShortTerm::most_bytes) {
    const ShortTerm term = ShortTerm::of(word);
    const std::size_t hash = ShortTermHash()(term);
    return shards_[shard_of(hash)].short_terms.find_known(term, hash);
  }
  const std::size_t hash = std::hash<std::string_view>()(word);
  const auto& long_terms = shards_[shard_of(hash)].long_terms;
  const auto found = long_terms.find(word, hash);
  return found == long_terms.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TermId> TermTable::find(std::string_view text) const {
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  const auto take_word = [&text] {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
  };
  std::optional<TermId> found = find_word(take_word());
  while (found && !text.empty()) {
    text.remove_prefix(1);
    const std::optional<TermId> word = find_word(take_word());
    if (!word) return std::nullopt;
    const Run run = Run::of(*found, *word);
    const std::size_t hash = ShortTermHash()(run);
    found = shards_[shard_of(hash)].runs.find_known(run, hash);
  }
  return found && *found < kFirstPart ? found : std::nullopt;
}

template <typename Key>
template <typename Make>
TermId TermTable::Numbers<Key>::find(const Key& term, std::size_t hash, Make&& make) {
  reserve(1);
  const auto [numbered, is_new] = take(term, hash);
  if (is_new) numbered->id = make();
  return numbered->id;
}

template <typename Key>
void TermTable::Numbers<Key>::reserve(std::size_t more) {
  while (3 * (size_ + more) > 2 * places_.size()) grow_to(2 * places_.size());
}

template <typename Key>
auto TermTable::Numbers<Key>::take(const Key& term, std::size_t hash) noexcept -> std::pair<Numbered*, bool> {
  Numbered& place = places_[place_of(term, hash)];
  const bool is_new = place.term.is_none();
  place.term = term;
  size_ += is_new ? 1 : 0;
  return {&place, is_new};
}

template <typename Key>
std::optional<TermId> TermTable::Numbers<Key>::find_known(const Key& term, std::size_t hash) const noexcept {
  const Numbered& place = places_[place_of(term, hash)];
  return place.term == term ? std::optional(place.id) : std::nullopt;
}

// The place of the term, or the free place for it.
template <typename Key>
std::size_t TermTable::Numbers<Key>::place_of(const Key& term, std::size_t hash) const noexcept {
  // Examines all places of a line, which takes less time than predicting at which of them the search ends.
  const Numbered* const places = places_.data();
  const std::size_t last_line = places_.size() - places_of_line;
  for (std::size_t line = hash & last_line;; line = (line + places_of_line) & last_line) {
    unsigned ends = 0;
    for (std::size_t n = 0; n < places_of_line; ++n) {
      const Key& there = places[line + n].term;
      ends |= (static_cast<unsigned>(there == term) | static_cast<unsigned>(there.is_none())) << n;
    }
    if (ends != 0) return line + static_cast<std::size_t>(std::countr_zero(ends));
  }
}

// In place, because fresh memory takes more time than all else. A term stays, or moves up by the old size of the table, unless
// others are in its way. Terms are placed again in the order of their places, each after its own place was cleared, so that none
// finds its new place blocked by a term that has yet to move. Those before the first free place may have wrapped around the end
// of the table, so they are put aside and placed last.
template <typename Key>
void TermTable::Numbers<Key>::grow_to(std::size_t places) {
  const std::size_t before = places_.size();
  places_.grow(places);
  first_place_.store(reinterpret_cast<std::uintptr_t>(places_.data()), std::memory_order_relaxed);
  mask_.store(places - 1, std::memory_order_relaxed);
  const auto put = [this](const Numbered& numbered) {
    places_[place_of(numbered.term, ShortTermHash()(numbered.term))] = numbered;
  };
  std::vector<Numbered> aside;
  std::size_t at = 0;
  for (; at < before && !places_[at].term.is_none(); ++at) aside.push_back(std::exchange(places_[at], Numbered{}));
  for (; at < before; ++at)
    if (!places_[at].term.is_none()) put(std::exchange(places_[at], Numbered{}));
  for (const Numbered& numbered : aside) put(numbered);
}

void TermTable::add_documents(std::span<const TermCount> counts) {
  const std::lock_guard lock(documents_mutex_);
  if (given_places_.empty() && documents_.size() < static_cast<std::size_t>(size()))
    documents_.resize(static_cast<std::size_t>(size()));
  for (const TermCount& count : counts) documents_[count.term] += count.count;
}

void TermTable::add_documents_of_runs() {
  add_documents({});
  if (!has_runs()) return;
  // A term that no thread counted is a run. Most runs are in one document: that is the default, and only other counts are copied.
  is_run_.resize(documents_.size());
  for (std::size_t term = 0; term < documents_.size(); ++term) {
    is_run_[term] = documents_[term] == 0;
    documents_[term] = std::max(documents_[term], std::uint32_t{1});
  }
  for_each_run([this](const Numbers<Run>::Numbered& run) {
    if (run.documents > 1 && run.id < documents_.size()) documents_[run.id] = run.documents;
  });
}

std::uint64_t TermTable::memory() const {
  std::uint64_t bytes = sizeof(TermTable) + static_cast<std::uint64_t>(size()) * sizeof(documents_[0]);
  bytes += given_.size() * sizeof(documents_[0]) + given_places_.size() * sizeof(TermId);
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    bytes += shard.short_terms.bytes() + shard.runs.bytes();
    // A bucket holds the pair and eight more bytes.
    bytes += shard.long_terms.bucket_count() * (sizeof(std::pair<std::string_view, TermId>) + 8);
    bytes += shard.arena.bytes();
  }
  return bytes;
}

bool TermTable::has_runs() const {
  return std::ranges::any_of(shards_, [](const Shard& shard) { return shard.runs.size() > 0; });
}

std::uint32_t TermTable::fewest_documents_of_run(const std::vector<bool>& kept) const {
  if (kept.empty() || is_run_.size() != kept.size()) return 0;
  std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t term = 0; term < kept.size(); ++term)
    if (kept[term] && is_run_[term]) fewest = std::min(fewest, documents_[term]);
  return fewest;
}

template <typename Visit>
void TermTable::for_each_word(Visit&& visit) const {
  for (const Shard& shard : shards_) {
    for (const auto& place : shard.short_terms.places())
      if (!place.term.is_none() && place.id != kIgnoredTerm) visit(place.term.text(), place.id);
    for (const auto& [text, id] : shard.long_terms)
      if (id != kIgnoredTerm) visit(text, id);
  }
}

template <typename Visit>
void TermTable::for_each_run(Visit&& visit) const {
  for (const Shard& shard : shards_)
    for (const Numbers<Run>::Numbered& place : shard.runs.places())
      if (!place.term.is_none()) visit(place);
}

// `visit_words(visit)` calls `visit` for each word. It is called twice: to count the words of each group, and to put each
// word into its group.
template <typename VisitWords>
std::vector<TermTable::Term> TermTable::sorted_words(const VisitWords& visit_words) {
  std::vector<std::uint32_t> end_of(kGroups + 1);  // begins of groups, which become their ends as words are added
  visit_words([&](std::string_view text, TermId /*id*/) { ++end_of[group_of(text) + 1]; });
  std::partial_sum(end_of.begin(), end_of.end(), end_of.begin());
  std::vector<Term> words(end_of.back());
  if (words.size() <= kFewTerms) {
    auto next = words.begin();
    visit_words([&](std::string_view text, TermId id) { *next++ = {text, id}; });
    std::vector<SortKey> keys;
    sort_group(words, 0, keys);
    return words;
  }
  visit_words([&](std::string_view text, TermId id) { words[end_of[group_of(text)]++] = {text, id}; });
  constexpr std::size_t groups_at_once = 256;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, kGroups, groups_at_once), [&](const auto& range) {
    std::vector<SortKey> keys;
    for (std::size_t group = range.begin(); group != range.end(); ++group) {
      const std::size_t begin = group == 0 ? 0 : end_of[group - 1];
      sort_group(std::span(words).subspan(begin, end_of[group] - begin), kGroupBytes, keys);
    }
  });
  return words;
}

// A space sorts before every byte of a word. So in the order of texts, the runs that begin with a run (or word) follow it
// immediately, in the order of their next words. They form a tree: the parent of a run is that run without its last word.
class TermTable::RunTree {
 public:
  /// `words`: all words, sorted. A run that is not kept is in the tree only if other runs may begin with it.
  RunTree(const TermTable& table, std::span<const Term> words, const std::vector<bool>& kept)
      : words_(words), kept_(kept), terms_(static_cast<std::size_t>(table.size())) {
    const auto parts = static_cast<std::size_t>(table.next_part_.load(std::memory_order_relaxed));
    LargeVector<std::uint32_t> rank_of(terms_ + parts, no_word);
    for (std::size_t rank = 0; rank < words.size(); ++rank) rank_of[place(words[rank].id)] = static_cast<std::uint32_t>(rank);
    const auto is_deep = [&](Run run) { return rank_of[place(run.before())] == no_word; };
    std::vector<Numbers<Run>::Numbered> runs;
    const std::uint32_t fewest = table.fewest_documents_of_run(kept);
    table.for_each_run([&](const Numbers<Run>::Numbered& run) {
      if (run.documents >= fewest && is_kept(run.id)) runs.push_back(run);
    });
    if (std::ranges::any_of(runs, is_deep, &Numbers<Run>::Numbered::term)) {
      runs.clear();
      table.for_each_run([&](const Numbers<Run>::Numbered& run) { runs.push_back(run); });
    }
    begin_of_.resize(terms_ + parts + 2);
    for (const auto& run : runs) ++begin_of_[place(run.term.before()) + 2];
    std::partial_sum(begin_of_.begin(), begin_of_.end(), begin_of_.begin());
    branches_.resize(begin_of_.back());
    for (const auto& run : runs)
      branches_[begin_of_[place(run.term.before()) + 1]++] = {rank_of[place(run.term.last_word())], run.id};
    for (std::size_t parent = 0; parent < terms_ + parts; ++parent) std::ranges::sort(branches_of(parent), {}, &Branch::rank);
  }

  /// All terms that are kept, in order. `texts`: holds the texts of runs.
  [[nodiscard]] std::vector<Term> terms(Arena& texts) const {
    std::vector<Term> terms;
    std::string text;
    const auto add_branches = [&](const auto& self, TermId parent) -> void {
      const std::size_t length = text.size();
      for (const Branch& branch : branches_of(place(parent))) {
        text += ' ';
        text += words_[branch.rank].text;
        if (is_kept(branch.id)) terms.push_back({texts.keep(text), branch.id});
        self(self, branch.id);
        text.resize(length);
      }
    };
    for (const Term& word : words_) {
      if (is_kept(word.id)) terms.push_back(word);
      text = word.text;
      add_branches(add_branches, word.id);
    }
    return terms;
  }

 private:
  static constexpr std::uint32_t no_word = std::numeric_limits<std::uint32_t>::max();

  struct Branch {
    std::uint32_t rank = 0;  // of its last word among all words
    TermId id = kIgnoredTerm;
  };

  [[nodiscard]] std::size_t place(TermId id) const noexcept { return id < kFirstPart ? id : terms_ + (id - kFirstPart); }
  [[nodiscard]] bool is_kept(TermId id) const { return id < kFirstPart && (kept_.empty() || kept_[id]); }
  [[nodiscard]] std::span<Branch> branches_of(std::size_t parent) {
    return std::span(branches_).subspan(begin_of_[parent], begin_of_[parent + 1] - begin_of_[parent]);
  }
  [[nodiscard]] std::span<const Branch> branches_of(std::size_t parent) const {
    return std::span(branches_).subspan(begin_of_[parent], begin_of_[parent + 1] - begin_of_[parent]);
  }

  std::span<const Term> words_;
  const std::vector<bool>& kept_;
  std::size_t terms_;
  LargeVector<std::uint32_t> begin_of_;  // by place of the parent: its number, with parts after terms
  std::vector<Branch> branches_;
};

std::vector<TermTable::Term> TermTable::sorted(const std::vector<bool>& kept) {
  const bool with_runs = has_runs();
  std::vector<Term> words = sorted_words([&](const auto& visit) {
    for_each_word([&](std::string_view text, TermId id) {
      if (with_runs || (id < kFirstPart && (kept.empty() || kept[id]))) visit(text, id);
    });
  });
  if (!with_runs) return words;
  run_texts_ = Arena();
  return RunTree(*this, words, kept).terms(run_texts_);
}

}  // namespace inkling
