#include "io/parts/shards/corpus_words.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

constexpr std::size_t kWordPiece = std::size_t{1} << 20U;
// Memory of a word besides its text: its end, its view, its idf.
constexpr std::uint64_t kBytesOfWord = sizeof(std::size_t) + sizeof(std::string_view) + sizeof(double);

// Calls `visit(term, documents, occurrences)` for each term that the thresholds leave, and counts the others.
template <typename Visit>
DroppedTerms visit_kept_terms(const CountsFolder& counts, const TextRecipe& recipe,
                              const std::function<void()>& check_interruption, const Visit& visit) {
  constexpr std::uint64_t terms_between_checks = 1U << 16U;
  DroppedTerms dropped;
  std::uint64_t seen = 0;
  for (CountsStream stream(counts, kWordPiece); stream.next();) {
    if (++seen % terms_between_checks == 0) check_interruption();
    const TermFate fate =
        fate_of_term(stream.documents(), counts.manifest().totals.documents, recipe, kind_of_term(stream.term()));
    count_fate(dropped, fate);
    if (fate == TermFate::becomes_feature) visit(stream);
  }
  return dropped;
}

// Caches the idf by document frequency. Most terms are rare, so few different frequencies occur.
class KnownIdf {
 public:
  KnownIdf(IdfKind kind, std::int64_t documents) : kind_(kind), documents_(documents) {}

  [[nodiscard]] double of(std::int64_t frequency) {
    if (frequency >= std::ssize(known_)) return inverse_document_frequency(kind_, documents_, frequency);
    std::optional<double>& idf = known_[static_cast<std::size_t>(frequency)];
    if (!idf) idf = inverse_document_frequency(kind_, documents_, frequency);
    return *idf;
  }

 private:
  IdfKind kind_;
  std::int64_t documents_;
  std::array<std::optional<double>, 4096> known_{};
};

// Finds the `most` terms that occur most often; among equals the first ones. Keeps only that many.
class MostFrequentTerms {
 public:
  explicit MostFrequentTerms(std::int64_t most) : most_(static_cast<std::size_t>(most)) {}

  void add(std::int64_t occurrences) {
    const Ranked term = {.occurrences = occurrences, .number = next_++};
    if (kept_.size() < most_) {
      kept_.push_back(term);
      std::ranges::push_heap(kept_, comes_first);
    } else if (most_ > 0 && comes_first(term, kept_.front())) {
      std::ranges::pop_heap(kept_, comes_first);
      kept_.back() = term;
      std::ranges::push_heap(kept_, comes_first);
    }
  }

  /// The numbers of these terms, ascending. Requires: called once.
  [[nodiscard]] std::vector<std::int64_t> take_numbers() {
    std::vector<std::int64_t> numbers;
    numbers.reserve(kept_.size());
    for (const Ranked& term : kept_) numbers.push_back(term.number);
    kept_ = {};
    std::ranges::sort(numbers);
    return numbers;
  }
  [[nodiscard]] std::int64_t added() const { return next_; }
  [[nodiscard]] std::size_t kept() const { return kept_.size(); }
  [[nodiscard]] std::uint64_t memory() const { return kept_.size() * sizeof(Ranked); }

 private:
  struct Ranked {
    std::int64_t occurrences = 0;
    std::int64_t number = 0;
  };
  // Puts the term that is dropped first at the front of the heap.
  static bool comes_first(const Ranked& one, const Ranked& other) {
    return one.occurrences != other.occurrences ? one.occurrences > other.occurrences : one.number < other.number;
  }

  std::size_t most_;
  std::vector<Ranked> kept_;
  std::int64_t next_ = 0;
};

}  // namespace

CorpusWords corpus_words(const CountsFolder& counts, const TextRecipe& recipe, std::uint64_t memory,
                         const std::function<void()>& check_interruption) {
  // A list exists twice for a short time while it grows.
  const auto check_memory = [&](std::size_t features, std::uint64_t bytes) {
    if (bytes <= memory / 4) return;
    throw FormatError(counts.path(), fmt::format("expected features that fit into half of --memory, found more than {}; give "
                                                 "it more memory, or choose --min-df or --max-features when you plan",
                                                 digit_groups(features)));
  };
  const std::int64_t documents = counts.manifest().totals.documents;
  CorpusWords words;
  std::vector<std::int64_t> chosen;
  if (recipe.max_features) {
    MostFrequentTerms most(*recipe.max_features);
    static_cast<void>(visit_kept_terms(counts, recipe, check_interruption, [&](const CountsStream& term) {
      most.add(recipe.ranks_by_documents() ? term.documents() : term.occurrences());
      check_memory(most.kept(), most.memory());
    }));
    chosen = most.take_numbers();
    words.dropped.beyond_most = most.added() - std::ssize(chosen);
  }
  KnownIdf idf(recipe.idf, documents);
  std::vector<std::size_t> ends;
  std::int64_t number = 0;
  std::size_t next_chosen = 0;
  const DroppedTerms dropped = visit_kept_terms(counts, recipe, check_interruption, [&](const CountsStream& term) {
    const bool is_chosen = !recipe.max_features || (next_chosen < chosen.size() && chosen[next_chosen] == number);
    ++number;
    if (!is_chosen) return;
    ++next_chosen;
    const std::string_view text = term.term();
    words.text.insert(words.text.end(), text.begin(), text.end());
    ends.push_back(words.text.size());
    words.idf.push_back(idf.of(term.documents()));
    check_memory(ends.size(), words.text.size() + ends.size() * kBytesOfWord);
  });
  words.dropped.too_rare = dropped.too_rare;
  words.dropped.too_rare_runs = dropped.too_rare_runs;
  words.dropped.too_frequent = dropped.too_frequent;
  if (std::ssize(ends) > kMostRowsOrColumns)
    throw FormatError(counts.path(), fmt::format("expected at most {} features, found {}; choose --min-df or "
                                                 "--max-features when you plan",
                                                 kMostRowsOrColumns, ends.size()));
  words.terms.reserve(ends.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    words.terms.emplace_back(words.text.data() + begin, end - begin);
    begin = end;
  }
  counts.check_unchanged();
  return words;
}

}  // namespace inkling
