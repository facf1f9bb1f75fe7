#include "io/pool/open/layout_check.hpp"

#include <atomic>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling {
namespace {

constexpr std::size_t kPieceOfOffsets = std::size_t{1} << 17U;
constexpr std::size_t kPieceOfEntries = std::size_t{1} << 18U;

// A different number for each entry: a product of 128 bits, folded. No factor is ever zero, because the
// first constant has the sign bit, which no pair of ids has, and the halves of the second differ.
std::uint64_t mixed(std::uint64_t row, std::uint64_t feature, std::uint32_t value) {
  const std::uint64_t place = (row << 32U | feature) ^ 0xD6E8FEB86659FD93U;
  const std::uint64_t twice = (std::uint64_t{value} << 32U | value) ^ 0xA0761D6478BD642FU;
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{place} * twice;
  return static_cast<std::uint64_t>(product >> 64U) ^ static_cast<std::uint64_t>(product);
}

bool is_finite(std::uint32_t bits) {
  constexpr std::uint32_t exponent = 0x7F800000U;
  return (bits & exponent) != exponent;
}

// The entries of one row (or column) from `begin` to `end`, of which `previous` is the id before.
struct Segment {
  std::uint64_t line = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::int32_t previous = -1;
};

// Whether anything is wrong; no branch depends on an entry. Adds to the sum.
template <LayoutOrder order>
bool scan_segment(const MatrixLayout& layout, const Segment& segment, std::uint64_t& sum) {
  const auto most = static_cast<std::uint32_t>(layout.most_ids);
  std::int32_t previous = segment.previous;
  std::uint64_t segment_sum = 0;
  bool wrong = false;
  for (std::size_t n = segment.begin; n < segment.end; ++n) {
    const std::int32_t id = layout.ids[n];
    const auto bits = std::bit_cast<std::uint32_t>(layout.values[n]);
    wrong |= static_cast<std::uint32_t>(id) >= most;
    wrong |= id <= previous;
    wrong |= !is_finite(bits);
    previous = id;
    const std::uint64_t other = static_cast<std::uint32_t>(id);
    segment_sum += order == LayoutOrder::by_document ? mixed(segment.line, other, bits)
                                                     : mixed(other, segment.line, bits);
  }
  sum += segment_sum;
  return wrong;
}

// `visit(segment)` for each row that has entries in the piece, until one answers true: then true.
template <typename Visit>
bool any_segment(const MatrixLayout& layout, std::size_t begin, std::size_t end, const Visit& visit) {
  const auto after = std::ranges::upper_bound(layout.offsets, static_cast<std::int64_t>(begin));
  auto line = static_cast<std::size_t>(after - layout.offsets.begin()) - 1;
  for (std::size_t at = begin; at < end; ++line) {
    const std::size_t line_end = std::min(static_cast<std::size_t>(layout.offsets[line + 1]), end);
    if (line_end == at) continue;
    const bool continues = at > static_cast<std::size_t>(layout.offsets[line]);
    if (visit(Segment{
            .line = line, .begin = at, .end = line_end, .previous = continues ? layout.ids[at - 1] : -1})) {
      return true;
    }
    at = line_end;
  }
  return false;
}

// Names the first thing that is wrong in a segment; true where there is none.
bool explain_segment(const MatrixLayout& layout, const Segment& segment) {
  const auto fail = [&](std::string_view name, const std::string& expectation) {
    throw CorruptFileError(pool_file_path(layout.pool, name), expectation);
  };
  const char* const line = layout.order == LayoutOrder::by_document ? "row" : "column";
  std::int32_t previous = segment.previous;
  for (std::size_t n = segment.begin; n < segment.end; ++n) {
    const std::int32_t id = layout.ids[n];
    if (id < 0 || id >= layout.most_ids) {
      fail(layout.names.ids, fmt::format("expected numbers from 0 to {} in {} {}, found {}",
                                         layout.most_ids - 1, line, segment.line, id));
    }
    if (id <= previous) {
      fail(layout.names.ids,
           fmt::format("expected {} {} to ascend, found {} after {}", line, segment.line, id, previous));
    }
    if (!std::isfinite(layout.values[n])) {
      fail(layout.names.values, fmt::format("expected finite numbers in {} {}, found {}", line, segment.line,
                                            number_text(static_cast<double>(layout.values[n]))));
    }
    previous = id;
  }
  return false;
}

template <LayoutOrder order>
std::uint64_t checked_entries(const MatrixLayout& layout, const PieceChecked& checked) {
  std::atomic<std::uint64_t> sum = 0;
  const auto is_wrong = [&](std::size_t begin, std::size_t end) {
    std::uint64_t piece_sum = 0;
    const bool wrong = any_segment(layout, begin, end, [&](const Segment& segment) {
      return scan_segment<order>(layout, segment, piece_sum);
    });
    sum += piece_sum;
    checked(std::as_bytes(layout.ids.subspan(begin, end - begin)));
    checked(std::as_bytes(layout.values.subspan(begin, end - begin)));
    return wrong;
  };
  const std::size_t entries = layout.ids.size();
  if (const std::optional<std::size_t> wrong = first_wrong_range(entries, kPieceOfEntries, is_wrong)) {
    const std::size_t end = *wrong + std::min(kPieceOfEntries, entries - *wrong);
    any_segment(layout, *wrong, end,
                [&](const Segment& segment) { return explain_segment(layout, segment); });
  }
  return sum;
}

constexpr std::size_t kPieceOfText = std::size_t{1} << 20U;
constexpr std::size_t kPieceOfStrings = std::size_t{1} << 17U;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The next position at which a character may begin; a character has at most three more bytes.
std::size_t character_at(std::string_view text, std::size_t position) {
  const std::size_t most = std::min(position + 3, text.size());
  while (position < most && continues_character(text[position])) ++position;
  return position;
}

void check_utf8(const std::string& path, std::string_view text, const PieceChecked& checked) {
  const auto is_wrong = [&](std::size_t begin, std::size_t end) {
    const std::size_t from = begin == 0 ? 0 : character_at(text, begin);
    const std::string_view piece = text.substr(from, std::max(character_at(text, end), from) - from);
    const bool valid = simdjson::validate_utf8(piece);
    checked(std::as_bytes(std::span(text.substr(begin, end - begin))));
    return !valid;
  };
  if (const std::optional<std::size_t> wrong = first_wrong_range(text.size(), kPieceOfText, is_wrong))
    throw CorruptFileError(path, "expected UTF-8 in the bytes from {} on", digit_groups(*wrong));
}

void check_offsets(const std::string& path, std::span<const std::int64_t> offsets, std::uint64_t end,
                   const PieceChecked& checked) {
  if (offsets.front() != 0)
    throw CorruptFileError(path, "expected offsets to begin at 0, found {}", offsets.front());
  const std::span<const std::int64_t> rest = offsets.subspan(1);
  const auto falls_at = [&](std::size_t n) { return rest[n] < offsets[n]; };
  const auto falls = [&](std::size_t begin, std::size_t piece_end) {
    bool wrong = false;
    for (std::size_t n = begin; n < piece_end; ++n) wrong |= falls_at(n);
    checked(std::as_bytes(rest.subspan(begin, piece_end - begin)));
    return wrong;
  };
  if (const std::optional<std::size_t> piece = first_wrong_range(rest.size(), kPieceOfOffsets, falls)) {
    std::size_t n = *piece;
    while (!falls_at(n)) ++n;
    throw CorruptFileError(path, "expected offsets never to fall, found {} after {}", rest[n], offsets[n]);
  }
  if (static_cast<std::uint64_t>(offsets.back()) != end)
    throw CorruptFileError(path, "expected offsets to end at {}, found {}", end, offsets.back());
}

}  // namespace

std::uint64_t checked_layout(const MatrixLayout& layout, const PieceChecked& checked) {
  check_offsets(pool_file_path(layout.pool, layout.names.offsets), layout.offsets, layout.ids.size(),
                checked);
  return layout.order == LayoutOrder::by_document ? checked_entries<LayoutOrder::by_document>(layout, checked)
                                                  : checked_entries<LayoutOrder::by_feature>(layout, checked);
}

void check_strings(const std::string& bytes_path, std::string_view bytes, const std::string& offsets_path,
                   std::span<const std::int64_t> offsets, const PieceChecked& checked) {
  check_offsets(offsets_path, offsets, bytes.size(), checked);
  check_utf8(bytes_path, bytes, checked);
  // Where the whole is UTF-8, each string is if none begins within a character.
  const auto is_cut_at = [&](std::size_t row) {
    const auto begin = static_cast<std::size_t>(offsets[row]);
    return begin < bytes.size() && continues_character(bytes[begin]);
  };
  const auto is_wrong = [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      if (is_cut_at(row)) return true;
    }
    return false;
  };
  if (first_wrong_range(offsets.size(), kPieceOfStrings, is_wrong))
    throw CorruptFileError(offsets_path, "expected no string to begin within a character");
}

std::vector<std::int64_t> checked_lines(const std::string& path, std::string_view text,
                                        const PieceChecked& checked) {
  if (!text.empty() && text.back() != '\n')
    throw CorruptFileError(path, "expected a line end after the last line");
  check_utf8(path, text, checked);
  std::vector<std::int64_t> offsets = {0};
  std::string_view previous;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = text.substr(begin, end - begin);
    if (begin > 0 && line <= previous) {
      throw CorruptFileError(fmt::format("{}:{}", path, offsets.size()),
                             "expected lines to ascend, each once");
    }
    previous = line;
    begin = end + 1;
    offsets.push_back(static_cast<std::int64_t>(begin));
  }
  return offsets;
}

std::vector<std::int64_t> checked_vocabulary(const std::string& path, std::string_view text,
                                             std::int64_t columns, const PieceChecked& checked) {
  std::vector<std::int64_t> offsets = checked_lines(path, text, checked);
  const std::size_t terms = offsets.size() - 1;
  if (terms == static_cast<std::size_t>(columns)) return offsets;
  throw CorruptFileError(path, "expected {} terms, found {}", columns, terms);
}

}  // namespace inkling
