#include "io/build/term_counts.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <functional>
#include <limits>

namespace inkling {
namespace {

// About 20 MB of table a thread; the words beyond are rare ones.
constexpr std::size_t kMostOwnTerms = std::size_t{1} << 18U;

// Terms are below 2^31, so that a term and a bit fit in four bytes: the bit says that its count is not 1.
constexpr std::size_t kLongestTerm = 4;
constexpr std::size_t kLongestNumber = 5;
constexpr std::size_t kLengthsInAByte = 4;  // two bits each

std::byte* write_number(std::byte* out, std::uint32_t number) {
  for (; number >= 0x80; number >>= 7U) *out++ = static_cast<std::byte>(number | 0x80U);
  *out++ = static_cast<std::byte>(number);
  return out;
}

// Seven bits a byte, the lowest first; the eighth says that more follow.
std::uint32_t read_number(const std::byte*& in) {
  std::uint32_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint32_t>(*in++);
    number |= (byte & 0x7FU) << shift;
    if (byte < 0x80) return number;
  }
}

std::size_t length_bytes(std::size_t entries) { return (entries + kLengthsInAByte - 1) / kLengthsInAByte; }

}  // namespace

std::vector<std::string> DocumentCounter::ignored_terms(const TextRecipe& recipe) {
  // Where features are longer than a token, stop words go before tokens are joined.
  return recipe.longest_ngram == 1 ? recipe.stop_words : std::vector<std::string>();
}

DocumentCounter::DocumentCounter(TermTable& terms, const TextRecipe& recipe)
    : terms_(terms), recipe_(recipe), tokenizer_(recipe.tokens) {}

std::span<const TermCount> DocumentCounter::count(std::string_view text) {
  const bool full = short_terms_.size() + long_terms_.size() > kMostOwnTerms;
  if (full || document_ == std::numeric_limits<std::uint32_t>::max()) flush();
  ++document_;
  counts_.clear();
  if (recipe_.longest_ngram == 1) {
    tokenizer_.for_each(text, [this](std::string_view token) { collect(token); });
  } else {
    collect_ngrams(text);
  }
  count_collected();
  return counts_;
}

void DocumentCounter::flush() {
  std::vector<TermDocuments> documents;
  documents.reserve(short_terms_.size() + long_terms_.size());
  const auto collect = [&documents](const TermEntry& entry) {
    if (entry.term != kIgnoredTerm) documents.push_back({entry.term, entry.documents});
  };
  short_terms_.for_each(collect);
  for (const auto& [text, entry] : long_terms_) collect(entry);
  terms_.add_documents(documents);
  short_terms_.clear();
  long_terms_.clear();
  document_ = 0;
}

void DocumentCounter::collect(std::string_view term) {
  if (collected_ == occurrences_.size()) occurrences_.resize(2 * occurrences_.size() + 64);
  Occurrence& occurrence = occurrences_[collected_++];
  if (term.size() <= ShortTerm::most_bytes) {
    occurrence.term = ShortTerm::of_padded(term);
    occurrence.hash = ShortTermHash()(occurrence.term);
    occurrence.long_entry = nullptr;
    return;
  }
  auto found = long_terms_.find(term);
  if (found == long_terms_.end())
    found = long_terms_.emplace(std::string(term), TermEntry{.term = terms_.intern_long(term)}).first;
  occurrence.long_entry = &found->second;
  occurrence.hash = 0;
}

// An entry is asked for some terms before it is counted, so that it has come from memory by then.
void DocumentCounter::count_collected() {
  constexpr std::size_t ahead = 12;
  const std::span<const Occurrence> all = std::span(occurrences_).first(collected_);
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (n + ahead < all.size()) short_terms_.prefetch(all[n + ahead].hash);
    if (all[n].long_entry != nullptr) {
      count_entry(*all[n].long_entry);
    } else {
      const ShortTerm& term = all[n].term;
      count_entry(
          short_terms_.find(term, all[n].hash, [&] { return TermEntry{.term = terms_.intern(term)}; }));
    }
  }
  collected_ = 0;
}

void DocumentCounter::count_entry(TermEntry& entry) {
  if (entry.document == document_) {
    ++counts_[entry.place].count;
    return;
  }
  if (entry.term == kIgnoredTerm) return;
  entry.document = document_;
  entry.place = static_cast<std::uint32_t>(counts_.size());
  ++entry.documents;
  counts_.push_back({entry.term, 1});
}

void DocumentCounter::collect_ngrams(std::string_view text) {
  tokens_.clear();
  token_ends_.clear();
  tokenizer_.for_each(text, [this](std::string_view token) {
    if (std::ranges::binary_search(recipe_.stop_words, token, std::less<>())) return;
    tokens_ += token;
    token_ends_.push_back(static_cast<std::uint32_t>(tokens_.size()));
    tokens_ += ' ';
  });
  tokens_.append(kTextPadding, '\0');
  // Tokens lie one after the other with a space between, so that every n-gram is there already.
  const auto shortest = static_cast<std::size_t>(recipe_.shortest_ngram);
  const auto longest = static_cast<std::size_t>(recipe_.longest_ngram);
  for (std::size_t first = 0; first < token_ends_.size(); ++first) {
    const std::size_t begin = first == 0 ? 0 : token_ends_[first - 1] + 1;
    for (std::size_t n = shortest; n <= longest && first + n <= token_ends_.size(); ++n)
      collect(std::string_view(tokens_).substr(begin, token_ends_[first + n - 1] - begin));
  }
}

void TermCountsWriter::append(std::span<const TermCount> document) {
  const std::size_t lengths = length_bytes(document.size());
  const std::size_t most =
      used_ + 2 * kLongestNumber + lengths + (kLongestTerm + kLongestNumber) * document.size();
  if (most > bytes_.size()) bytes_.resize(std::max(most, 2 * bytes_.size()));
  std::byte* out = write_number(bytes_.data() + used_, static_cast<std::uint32_t>(document.size()));
  std::byte* const length_of = out;
  std::memset(length_of, 0, lengths);
  out += lengths;
  // Without a branch: four bytes are written, and as many count as the number needs.
  for (std::size_t n = 0; n < document.size(); ++n) {
    const std::uint32_t repeated = document[n].count > 1 ? 1 : 0;
    const std::uint32_t term = (document[n].term << 1U) | repeated;
    const unsigned length = (static_cast<unsigned>(std::bit_width(term | 1U)) + 7) / 8;
    std::memcpy(out, &term, kLongestTerm);
    out += length;
    length_of[n / kLengthsInAByte] |= static_cast<std::byte>((length - 1) << (2 * (n % kLengthsInAByte)));
  }
  for (const TermCount& entry : document)
    if (entry.count > 1) out = write_number(out, entry.count);
  used_ = static_cast<std::size_t>(out - bytes_.data());
}

std::span<const TermCount> TermCountsReader::next() {
  const std::size_t size = read_number(next_);
  if (size > counts_.size()) counts_.resize(2 * size);
  const std::span<TermCount> document = std::span(counts_).first(size);
  const std::byte* const length_of = next_;
  const std::byte* in = next_ + length_bytes(size);
  for (std::size_t n = 0; n < size; ++n) {
    const unsigned length =
        ((static_cast<unsigned>(length_of[n / kLengthsInAByte]) >> (2 * (n % kLengthsInAByte))) & 3U) + 1;
    std::uint32_t term = 0;
    std::memcpy(&term, in, kLongestTerm);
    term &= 0xFFFFFFFFU >> (32 - 8 * length);
    in += length;
    document[n] = {term >> 1U, 1 + (term & 1U)};
  }
  for (TermCount& entry : document)
    if (entry.count > 1) entry.count = read_number(in);
  next_ = in;
  return document;
}

}  // namespace inkling
