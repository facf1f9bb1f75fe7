#include "io/corpus/pool/open/layout_check.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <simdjson.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/system/random.hpp"

namespace inkling {
namespace {

// Small enough that, if files are read, the pieces of all threads take little memory.
constexpr std::size_t kPieceOfOffsets = std::size_t{1} << 15U;
constexpr std::size_t kPieceOfEntries = std::size_t{1} << 16U;
constexpr std::size_t kPieceOfText = std::size_t{1} << 18U;

bool is_finite(std::uint32_t bits) {
  constexpr std::uint32_t exponent = 0x7F800000U;
  return (bits & exponent) != exponent;
}

// The entries of one row (or column) within a piece. `previous`: the id before them in that row, or -1.
struct Segment {
  std::uint64_t line = 0;
  std::span<const std::int32_t> ids;
  std::span<const float> values;
  std::int32_t previous = -1;
};

// Whether anything is wrong. Adds the hashes of the entries to `sum`. No branch depends on an entry.
template <LayoutOrder order>
bool scan_segment(const Segment& segment, std::int64_t most_ids, const EntryMix& mix, std::uint64_t& sum) {
  const auto most = static_cast<std::uint32_t>(most_ids);
  std::int32_t previous = segment.previous;
  std::uint64_t segment_sum = 0;
  bool wrong = false;
  for (std::size_t n = 0; n < segment.ids.size(); ++n) {
    const std::int32_t id = segment.ids[n];
    const auto bits = std::bit_cast<std::uint32_t>(segment.values[n]);
    wrong |= static_cast<std::uint32_t>(id) >= most;
    wrong |= id <= previous;
    wrong |= !is_finite(bits);
    previous = id;
    const std::uint64_t other = static_cast<std::uint32_t>(id);
    segment_sum +=
        order == LayoutOrder::by_document ? mix.mixed(segment.line, other, bits) : mix.mixed(other, segment.line, bits);
  }
  sum += segment_sum;
  return wrong;
}

// The position of the first number that is greater.
std::size_t first_above(const NumberArray<std::int64_t>& ascending, std::int64_t number) {
  std::size_t begin = 0;
  for (std::size_t end = ascending.size(); begin < end;) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (ascending[middle] <= number)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

// Some consecutive entries, and the one before them.
class EntryPiece {
 public:
  EntryPiece(const MatrixLayout& layout, std::size_t begin, std::size_t end)
      : layout_(layout), begin_(begin), end_(end), before_(begin > 0 ? 1 : 0) {
    ids_ = layout.ids.piece(begin - before_, end - begin + before_, id_room_);
    values_ = layout.values.piece(begin, end - begin, value_room_);
  }

  /// Calls `visit(segment)` for each row that has entries in the piece, until a call returns true; returns whether one
  /// did. Offsets were checked before, but files may change: throws CorruptFileError if they no longer cover the piece.
  template <typename Visit>
  bool any_segment(const Visit& visit) const {
    const std::size_t first = first_above(layout_.offsets, static_cast<std::int64_t>(begin_));
    std::size_t line = std::max<std::size_t>(first, 1) - 1;
    NumberCursor<std::int64_t> offsets(layout_.offsets, line);
    auto line_begin = static_cast<std::size_t>(offsets.next());
    std::size_t at = begin_;
    for (; at < end_ && line + 1 < layout_.offsets.size(); ++line) {
      const auto line_end = static_cast<std::size_t>(offsets.next());
      const std::size_t stop = std::clamp(line_end, at, end_);
      if (stop > at && visit(segment(line, at, stop, at > line_begin))) return true;
      at = stop;
      line_begin = line_end;
    }
    if (at == end_) return false;
    throw CorruptFileError(layout_.offsets.path(), "was changed while it was being read");
  }

 private:
  [[nodiscard]] Segment segment(std::size_t line, std::size_t at, std::size_t stop, bool continues) const {
    const std::size_t first = at - begin_ + before_;
    return {.line = line,
            .ids = ids_.subspan(first, stop - at),
            .values = values_.subspan(at - begin_, stop - at),
            .previous = continues && first > 0 ? ids_[first - 1] : -1};
  }

  const MatrixLayout& layout_;
  std::size_t begin_;
  std::size_t end_;
  std::size_t before_;
  Room id_room_;
  Room value_room_;
  std::span<const std::int32_t> ids_;
  std::span<const float> values_;
};

// Throws an error that names the first wrong entry of a segment; returns false if all are right.
bool explain_segment(const MatrixLayout& layout, const Segment& segment) {
  const char* const line = layout.order == LayoutOrder::by_document ? "row" : "column";
  std::int32_t previous = segment.previous;
  for (std::size_t n = 0; n < segment.ids.size(); ++n) {
    const std::int32_t id = segment.ids[n];
    if (id < 0 || id >= layout.most_ids) {
      throw CorruptFileError(layout.ids.path(), "expected numbers from 0 to {} in {} {}, found {}", layout.most_ids - 1, line,
                             segment.line, id);
    }
    if (id <= previous)
      throw CorruptFileError(layout.ids.path(), "expected {} {} to ascend, found {} after {}", line, segment.line, id, previous);
    if (!std::isfinite(segment.values[n])) {
      throw CorruptFileError(layout.values.path(), "expected finite numbers in {} {}, found {}", line, segment.line,
                             number_text(static_cast<double>(segment.values[n])));
    }
    previous = id;
  }
  return false;
}

template <LayoutOrder order>
std::uint64_t checked_entries(const MatrixLayout& layout, const EntryMix& mix, const PieceChecked& checked) {
  std::atomic<std::uint64_t> sum = 0;
  const auto is_wrong = [&](std::size_t begin, std::size_t end) {
    std::uint64_t piece_sum = 0;
    const bool wrong = EntryPiece(layout, begin, end).any_segment([&](const Segment& segment) {
      return scan_segment<order>(segment, layout.most_ids, mix, piece_sum);
    });
    sum += piece_sum;
    checked((end - begin) * (sizeof(std::int32_t) + sizeof(float)));
    return wrong;
  };
  const std::size_t entries = layout.ids.size();
  if (const std::optional<std::size_t> wrong = first_wrong_range(entries, kPieceOfEntries, is_wrong)) {
    const EntryPiece piece(layout, *wrong, *wrong + std::min(kPieceOfEntries, entries - *wrong));
    piece.any_segment([&](const Segment& segment) { return explain_segment(layout, segment); });
    throw CorruptFileError(layout.ids.path(), "was changed while it was being read");
  }
  return sum;
}

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::string_view text_in(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// The characters that begin in the first `piece_size` bytes of `text`, which has up to kMoreBytes more.
std::string_view characters_of(std::string_view text, std::size_t piece_size, bool is_first) {
  // A character has at most three more bytes.
  const auto character_at = [&](std::size_t position) {
    const std::size_t most = std::min(position + 3, text.size());
    while (position < most && continues_character(text[position])) ++position;
    return position;
  };
  const std::size_t from = is_first ? 0 : character_at(0);
  return text.substr(from, std::max(character_at(piece_size), from) - from);
}

constexpr std::size_t kMoreBytes = 3;  // after a piece, for a character that begins at its end

void check_utf8(const std::string& path, std::string_view text, const PieceChecked& checked) {
  const auto is_wrong = [&](std::size_t begin, std::size_t end) {
    const std::string_view piece = text.substr(begin, end - begin + kMoreBytes);
    checked(end - begin);
    return !simdjson::validate_utf8(characters_of(piece, end - begin, begin == 0));
  };
  if (const std::optional<std::size_t> wrong = first_wrong_range(text.size(), kPieceOfText, is_wrong))
    throw CorruptFileError(path, "expected UTF-8 in the bytes from {} on", digit_groups(*wrong));
}

// Whether a string begins within a character in the piece [begin, end). If all bytes are UTF-8 and no string begins
// within a character, each string is UTF-8.
bool begins_within_character(const NumberArray<std::int64_t>& offsets, std::string_view piece, std::size_t begin,
                             std::size_t end) {
  std::size_t row = begin == 0 ? 0 : first_above(offsets, static_cast<std::int64_t>(begin) - 1);
  for (NumberCursor<std::int64_t> cursor(offsets, row); row < offsets.size(); ++row) {
    const auto at = static_cast<std::size_t>(cursor.next());
    if (at >= end) return false;
    if (at >= begin && continues_character(piece[at - begin])) return true;
  }
  return false;
}

}  // namespace

std::optional<std::size_t> first_wrong_range(std::size_t size, std::size_t piece_size,
                                             const std::function<bool(std::size_t, std::size_t)>& is_wrong) {
  using PieceRange = tbb::blocked_range<std::size_t>;
  const auto is_or_throws = [&is_wrong](std::size_t begin, std::size_t end) {
    try {
      return is_wrong(begin, end);
    } catch (const CorruptFileError&) {
      return true;
    }
  };
  const std::size_t pieces = size / piece_size + (size % piece_size != 0 ? 1 : 0);
  const std::size_t first = tbb::parallel_reduce(
      PieceRange(0, pieces, 1), pieces,
      [&](const PieceRange& range, std::size_t wrong) {
        for (std::size_t piece = range.begin(); piece != range.end() && wrong == pieces; ++piece) {
          const std::size_t begin = piece * piece_size;
          if (is_or_throws(begin, begin + std::min(piece_size, size - begin))) wrong = piece;
        }
        return wrong;
      },
      [](std::size_t one, std::size_t other) { return std::min(one, other); });
  return first == pieces ? std::nullopt : std::optional(first * piece_size);
}

EntryMix::EntryMix() : EntryMix(random_value<Keys>()) {}

// The keys are such that no factor of the first product is ever zero: a place has no sign bit, and both halves of a value
// are equal.
EntryMix::EntryMix(const Keys& keys) : keys_(keys) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  keys_[0] |= sign;
  keys_[1] = (keys_[1] & ~std::uint64_t{1}) | ((keys_[1] >> 32U & 1U) ^ 1U);
  keys_[3] |= 1U;
}

void check_offsets(const NumberArray<std::int64_t>& offsets, std::uint64_t end, const PieceChecked& checked) {
  if (const std::int64_t first = offsets[0]; first != 0)
    throw CorruptFileError(offsets.path(), "expected offsets to begin at 0, found {}", first);
  const auto falls = [&](std::size_t begin, std::size_t piece_end) {
    Room room;
    const std::span<const std::int64_t> piece = offsets.piece(begin, piece_end - begin + 1, room);
    bool wrong = false;
    for (std::size_t n = 1; n < piece.size(); ++n) wrong |= piece[n] < piece[n - 1];
    checked((piece_end - begin) * sizeof(std::int64_t));
    return wrong;
  };
  if (const std::optional<std::size_t> piece = first_wrong_range(offsets.size() - 1, kPieceOfOffsets, falls)) {
    NumberCursor<std::int64_t> cursor(offsets, *piece);
    std::int64_t previous = cursor.next();
    for (std::size_t n = *piece + 1; n < offsets.size(); ++n) {
      const std::int64_t offset = cursor.next();
      if (offset < previous)
        throw CorruptFileError(offsets.path(), "expected offsets never to fall, found {} after {}", offset, previous);
      previous = offset;
    }
  }
  if (const std::int64_t last = offsets[offsets.size() - 1]; static_cast<std::uint64_t>(last) != end)
    throw CorruptFileError(offsets.path(), "expected offsets to end at {}, found {}", end, last);
}

std::uint64_t checked_layout(const MatrixLayout& layout, const EntryMix& mix, const PieceChecked& checked) {
  check_offsets(layout.offsets, layout.ids.size(), checked);
  return layout.order == LayoutOrder::by_document ? checked_entries<LayoutOrder::by_document>(layout, mix, checked)
                                                  : checked_entries<LayoutOrder::by_feature>(layout, mix, checked);
}

void check_strings(const NumberArray<std::uint8_t>& bytes, const NumberArray<std::int64_t>& offsets,
                   const PieceChecked& checked) {
  check_offsets(offsets, bytes.size(), checked);
  enum class Wrong { nothing, characters, begins };
  const auto problem_in = [&](std::size_t begin, std::size_t end) {
    Room room;
    const std::size_t more = std::min(kMoreBytes, bytes.size() - end);
    const std::string_view piece = text_in(std::as_bytes(bytes.piece(begin, end - begin + more, room)));
    if (!simdjson::validate_utf8(characters_of(piece, end - begin, begin == 0))) return Wrong::characters;
    return begins_within_character(offsets, piece, begin, end) ? Wrong::begins : Wrong::nothing;
  };
  const auto is_wrong = [&](std::size_t begin, std::size_t end) {
    checked(end - begin);
    return problem_in(begin, end) != Wrong::nothing;
  };
  const std::optional<std::size_t> wrong = first_wrong_range(bytes.size(), kPieceOfText, is_wrong);
  if (!wrong) return;
  if (problem_in(*wrong, *wrong + std::min(kPieceOfText, bytes.size() - *wrong)) == Wrong::characters)
    throw CorruptFileError(bytes.path(), "expected UTF-8 in the bytes from {} on", digit_groups(*wrong));
  throw CorruptFileError(offsets.path(), "expected no string to begin within a character");
}

std::vector<std::int64_t> checked_lines(const std::string& path, std::string_view text, const PieceChecked& checked) {
  constexpr std::string_view no_line_end = "expected a line end after the last line";
  if (!text.empty() && text.back() != '\n') throw CorruptFileError(path, std::string(no_line_end));
  check_utf8(path, text, checked);
  std::vector<std::int64_t> offsets = {0};
  std::string_view previous;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    // The last line had an end, so the file has changed since.
    if (end == std::string_view::npos) throw CorruptFileError(path, std::string(no_line_end));
    const std::string_view line = text.substr(begin, end - begin);
    if (begin > 0 && line <= previous)
      throw CorruptFileError(fmt::format("{}:{}", path, offsets.size()), "expected lines to ascend, each once");
    previous = line;
    begin = end + 1;
    offsets.push_back(static_cast<std::int64_t>(begin));
  }
  return offsets;
}

}  // namespace inkling
