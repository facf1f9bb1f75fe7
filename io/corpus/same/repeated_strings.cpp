#include "io/corpus/same/repeated_strings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <xxhash.h>
#if defined(__SSE2__)
#  include <emmintrin.h>
#endif

#include "io/base/system/interruption.hpp"

namespace inkling {
namespace {

// So many bytes are copied one by one where a blank follows another.
constexpr std::size_t kBytewise = 16;
constexpr std::size_t kMarksRead = std::size_t{1} << 16U;

constexpr std::array<bool, 256> blanks() {
  std::array<bool, 256> are{};
  for (const char blank : {' ', '\t', '\n', '\v', '\f', '\r'}) are[static_cast<unsigned char>(blank)] = true;
  return are;
}
constexpr std::array<bool, 256> kIsBlank = blanks();

// Copies 16 bytes of the text at a time, with each blank as ' ', until two blanks in a row are among them. Returns how
// many bytes it copied.
std::size_t copy_single_blanks([[maybe_unused]] std::string_view text, [[maybe_unused]] char* out,
                               [[maybe_unused]] bool& after_blank) {
  std::size_t at = 0;
#if defined(__SSE2__)
  constexpr std::size_t step = 16;
  const __m128i space = _mm_set1_epi8(' ');
  for (; at + step <= text.size(); at += step) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i control =
        _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('\t' - 1)), _mm_cmplt_epi8(bytes, _mm_set1_epi8('\r' + 1)));
    const __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(bytes, space), control);
    const auto bits = static_cast<unsigned>(_mm_movemask_epi8(blank));
    if ((bits & (bits << 1U | static_cast<unsigned>(after_blank))) != 0) break;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + at),
                     _mm_or_si128(_mm_andnot_si128(blank, bytes), _mm_and_si128(blank, space)));
    after_blank = bits >> (step - 1) != 0;
  }
#endif
  return at;
}

struct MarkedRow {
  StringMark mark;
  std::int64_t row = 0;

  auto operator<=>(const MarkedRow&) const = default;
};

// The first of several equal ones is the original of the others.
void add_repeats(std::vector<MarkedRow>& rows, std::vector<std::pair<std::int64_t, std::int64_t>>& repeats) {
  std::ranges::sort(rows);
  const MarkedRow* first = nullptr;
  for (const MarkedRow& row : rows)
    if (first != nullptr && row.mark == first->mark)
      repeats.emplace_back(row.row, first->row);
    else
      first = &row;
}

}  // namespace

StringMark mark_of(std::string_view text) noexcept {
  if (text.empty()) return {};
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.high64, hash.low64};
}

StringMark mark_of_words(std::string_view text, std::string& scratch) {
  if (scratch.size() < text.size()) scratch.resize(text.size());
  char* end = scratch.data();
  bool after_blank = true;
  while (!text.empty()) {
    const std::size_t single = copy_single_blanks(text, end, after_blank);
    end += single;
    text.remove_prefix(single);
    const std::string_view some = text.substr(0, kBytewise);
    text.remove_prefix(some.size());
    for (const char c : some) {  // without branches, because a blank comes after every few letters
      const bool is_blank = kIsBlank[static_cast<unsigned char>(c)];
      *end = is_blank ? ' ' : c;
      end += static_cast<std::ptrdiff_t>(!(is_blank && after_blank));
      after_blank = is_blank;
    }
  }
  if (end != scratch.data() && after_blank) --end;
  return mark_of({scratch.data(), static_cast<std::size_t>(end - scratch.data())});
}

CopiedSetRows repeated_marks(std::uint64_t rows, const ReadMarks& read, std::uint64_t memory) {
  const std::uint64_t parts = rows / (memory / sizeof(MarkedRow)) + 1;
  std::vector<std::pair<std::int64_t, std::int64_t>> repeats;
  std::vector<StringMark> some(static_cast<std::size_t>(std::min<std::uint64_t>(kMarksRead, rows)));
  std::vector<MarkedRow> of_part;
  for (std::uint64_t part = 0; part < parts; ++part) {
    of_part.clear();
    for (std::uint64_t first = 0; first < rows; first += some.size()) {
      throw_if_interrupted();
      const std::span<StringMark> marks =
          std::span(some).first(static_cast<std::size_t>(std::min<std::uint64_t>(some.size(), rows - first)));
      read(first, marks);
      for (std::size_t n = 0; n < marks.size(); ++n)
        if (!marks[n].is_none() && marks[n].low % parts == part)
          of_part.push_back({marks[n], static_cast<std::int64_t>(first + n)});
    }
    add_repeats(of_part, repeats);
  }
  std::ranges::sort(repeats);
  CopiedSetRows copies;
  for (const auto& [row, original] : repeats) copies.add(row, original);
  return copies;
}

void RepeatedStrings::read(std::uint64_t first, std::span<StringMark> marks) const {
  marks_.read(first * sizeof(StringMark), std::as_writable_bytes(marks));
}

void RepeatedStrings::write(PoolStaging& staging, std::string_view name) const {
  StagedArray<std::int64_t> array(staging, std::string(name));
  std::vector<std::int64_t> numbers(kMarksRead);
  const std::uint64_t all = marks_.size() / sizeof(std::int64_t);
  for (std::uint64_t at = 0; at < all; at += numbers.size()) {
    const std::span<std::int64_t> some =
        std::span(numbers).first(static_cast<std::size_t>(std::min<std::uint64_t>(numbers.size(), all - at)));
    marks_.read(at * sizeof(std::int64_t), std::as_writable_bytes(some));
    array.append(some);
  }
  array.close();
}

CopiedRows RepeatedStrings::repeats() const {
  const CopiedSetRows found = repeated_marks(
      rows(), [this](std::uint64_t first, std::span<StringMark> marks) { read(first, marks); }, kMemory);
  CopiedRows copies;
  for (std::size_t n = 0; n < found.rows.size(); ++n)
    copies.add(static_cast<DocumentId>(found.rows[n]), static_cast<DocumentId>(found.originals[n]));
  return copies;
}

}  // namespace inkling
