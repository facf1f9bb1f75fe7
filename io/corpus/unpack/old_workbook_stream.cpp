#include "io/corpus/unpack/old_workbook_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/low_first.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/sheets/compound_file.hpp"
#include "io/corpus/unpack/archive_headers.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostOldColumns = 256;

std::string book_in(FileStream& file, ReadingBudget& budget) {
  budget.take(file.size());
  std::string all(static_cast<std::size_t>(file.size()), '\0');
  all.resize(file.read(all));
  const auto bytes_at = [&](std::uint64_t position, std::size_t size) {
    return all.substr(static_cast<std::size_t>(std::min<std::uint64_t>(position, all.size())), size);
  };
  std::optional<std::string> book = CompoundFile(file.path(), all.size(), bytes_at, budget).find("Workbook");
  budget.give_back(all.size());
  if (!book)
    throw FormatError(file.path(),
                      fmt::format("expected a workbook of Excel 97 or later, found an earlier one; {}", kSaveOtherwise));
  return std::move(*book);
}

// Kinds of records.
struct XlsKind {
  static constexpr std::uint64_t formula = 0x06;
  static constexpr std::uint64_t end = 0x0A;
  static constexpr std::uint64_t date_mode = 0x22;
  static constexpr std::uint64_t password = 0x2F;
  static constexpr std::uint64_t continued = 0x3C;
  static constexpr std::uint64_t sheet_place = 0x85;
  static constexpr std::uint64_t short_numbers = 0xBD;
  static constexpr std::uint64_t rich_text = 0xD6;
  static constexpr std::uint64_t style = 0xE0;
  static constexpr std::uint64_t shared_texts = 0xFC;
  static constexpr std::uint64_t shared_text = 0xFD;
  static constexpr std::uint64_t number = 0x203;
  static constexpr std::uint64_t text = 0x204;
  static constexpr std::uint64_t truth_or_error = 0x205;
  static constexpr std::uint64_t text_of_formula = 0x207;
  static constexpr std::uint64_t short_number = 0x27E;
  static constexpr std::uint64_t number_format = 0x41E;
  static constexpr std::uint64_t begin = 0x809;
};

constexpr std::size_t kRecordHead = 4;

// Bytes of a record and of those that continue it.
class RecordReader {
 public:
  RecordReader(std::string_view book, const std::string& path, std::size_t record)
      : RecordReader(book, path, record + kRecordHead, end_of(book, record)) {}
  RecordReader(std::string_view book, const std::string& path, std::size_t at, std::size_t end)
      : book_(book), path_(&path), at_(at), end_(end) {}

  // Where the record at this position ends. Requires: its head is within the book.
  static std::size_t end_of(std::string_view book, std::size_t record) {
    return std::min(record + kRecordHead + static_cast<std::size_t>(low_first(book, record + 2, 2)), book.size());
  }

  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::size_t end() const { return end_; }
  // Whether a byte is left; continues with the next record if that is one for it. None of them is empty, so that steps are as many as
  // bytes.
  [[nodiscard]] bool has_more() {
    if (at_ < end_) return true;
    if (end_ + kRecordHead > book_.size() || low_first(book_, end_, 2) != XlsKind::continued) return false;
    at_ = end_ + kRecordHead;
    end_ = end_of(book_, end_);
    return at_ < end_;
  }
  std::uint64_t number(int bytes) {
    std::uint64_t all = 0;
    for (int n = 0; n < bytes; ++n) {
      need_more();
      all |= low_first(book_, at_++, 1) << static_cast<unsigned>(8 * n);
    }
    return all;
  }
  void skip(std::uint64_t bytes) {
    while (bytes > 0) {
      need_more();
      const std::uint64_t some = std::min<std::uint64_t>(bytes, end_ - at_);
      at_ += static_cast<std::size_t>(some);
      bytes -= some;
    }
  }

  // A text after its length: a byte says whether characters have two bytes, and what else follows them.
  std::string text() {
    std::string out;
    take_text(&out);
    return out;
  }
  void skip_text() { take_text(nullptr); }

 private:
  void take_text(std::string* out) {
    constexpr std::uint64_t has_more_languages = 4;
    constexpr std::uint64_t has_fonts = 8;
    std::uint64_t left = number(2);
    const std::uint64_t facts = number(1);
    const std::uint64_t fonts = (facts & has_fonts) != 0 ? number(2) : 0;
    const std::uint64_t languages = (facts & has_more_languages) != 0 ? number(4) : 0;
    std::size_t width = 1 + (facts & 1U);
    high_ = 0;
    while (left > 0) {
      if (at_ == end_) {  // where a text is continued, its width is said again
        need_more();
        width = 1 + (number(1) & 1U);
      }
      const std::uint64_t some = std::min<std::uint64_t>(left, (end_ - at_) / width);
      if (some == 0 && at_ != end_) refuse_old_workbook(*path_, "half a character");
      if (out != nullptr) append_units(static_cast<std::size_t>(some), width, *out);
      at_ += static_cast<std::size_t>(some) * width;
      left -= some;
    }
    if (out == nullptr) return skip(4 * fonts + languages);
    if (high_ != 0) append_character(0, *out);
  }
  void append_units(std::size_t count, std::size_t width, std::string& out) {
    for (std::size_t at = at_; count > 0; --count, at += width) {
      const auto unit = static_cast<char32_t>(low_first(book_, at, width));
      if (unit < 0x80 && unit > 0 && high_ == 0)
        out += static_cast<char>(unit);
      else
        append_unit(unit, out);
    }
  }
  void append_unit(char32_t unit, std::string& out) {
    const char32_t before = std::exchange(high_, 0);
    if (before != 0 && unit >= 0xDC00 && unit < 0xE000)
      return append_character(0x10000 + ((before - 0xD800) << 10U) + (unit - 0xDC00), out);
    if (before != 0) append_character(0, out);
    if (unit >= 0xD800 && unit < 0xDC00)
      high_ = unit;
    else
      append_character(unit, out);
  }
  void need_more() {
    if (!has_more()) refuse_old_workbook(*path_, "a record that is cut");
  }

  std::string_view book_;
  const std::string* path_;
  std::size_t at_;
  std::size_t end_;
  char32_t high_ = 0;  // the first half of a pair of a text
};

// Calls `take(kind, record)` for the records of a part, between its begin and its end. Parts within it, such as charts, are passed
// over.
template <typename Take>
void each_record(std::string_view book, const std::string& path, std::size_t begin, const Take& take) {
  std::size_t depth = 0;
  for (std::size_t at = begin; at + kRecordHead <= book.size(); at = RecordReader::end_of(book, at)) {
    const std::uint64_t kind = low_first(book, at, 2);
    if (kind == XlsKind::begin) ++depth;
    if (depth == 0) break;
    if (kind == XlsKind::end && --depth == 0) return;
    if (depth == 1) take(kind, at);
  }
  refuse_old_workbook(path, "a part without its begin or its end");
}

// The number that four bytes hold: 30 bits of a double or of an integer, perhaps of a hundred times of it.
double short_number_of(std::uint64_t bits) {
  constexpr std::uint64_t is_hundredfold = 1;
  constexpr std::uint64_t is_integer = 2;
  const auto whole = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)) >> 2;
  const double value = (bits & is_integer) != 0 ? whole : std::bit_cast<double>((bits & 0xFFFFFFFCU) << 32U);
  return (bits & is_hundredfold) != 0 ? value / 100.0 : value;
}

std::string error_in_cell(std::uint64_t code) {
  switch (code) {
    case 0x00: return "#NULL!";
    case 0x07: return "#DIV/0!";
    case 0x0F: return "#VALUE!";
    case 0x17: return "#REF!";
    case 0x1D: return "#NAME?";
    case 0x24: return "#NUM!";
    default: return "#N/A";
  }
}

std::string truth_in_cell(std::uint64_t value) { return value != 0 ? "TRUE" : "FALSE"; }

}  // namespace

bool is_old_workbook(const FileStream& file) {
  if (!file.can_seek() || !file.head().starts_with(kCompoundFileMark)) return false;
  ReadingBudget budget({.bytes = std::uint64_t{16} << 20U}, file.path());
  try {
    const auto bytes_at = [&](std::uint64_t position, std::size_t size) {
      std::string bytes(size, '\0');
      bytes.resize(file.read_at(position, bytes));
      return bytes;
    };
    const CompoundFile container(file.path(), file.size(), bytes_at, budget);
    return container.has("Workbook") || container.has("Book");
  } catch (const FormatError&) {
    return false;
  }
}

OldWorkbookStream::OldWorkbookStream(FileStream& file, const UnpackingLimits& limits)
    : path_(file.path()),
      limits_(limits),
      budget_(budget_of_unpacking(limits, path_, kSaveOtherwise)),
      book_(book_in(file, budget_)),
      meter_(file, limits, written_),
      table_(budget_) {
  read_book();
}

void OldWorkbookStream::refuse(const std::string& expectation) const {
  const Cell& cell = cells_[next_];
  throw FormatError(fmt::format("{}:{}:{}", path_, cell.row + 1, cell.column + 1), expectation);
}

void OldWorkbookStream::read_book() {
  std::set<std::uint64_t> time_formats;
  std::vector<std::uint64_t> formats;
  std::optional<std::size_t> sheet;
  each_record(book_, path_, 0, [&](std::uint64_t kind, std::size_t at) {
    RecordReader record(book_, path_, at);
    if (kind == XlsKind::password)
      throw FormatError(path_, fmt::format("expected a workbook without a password, found one that has a password; "
                                           "open it with the password and save it without one, or {}",
                                           kSaveOtherwise));
    if (kind == XlsKind::begin) {
      constexpr std::uint64_t of_excel_97 = 0x600;
      if (record.number(2) != of_excel_97) refuse_old_workbook(path_, "records of an earlier Excel");
    } else if (kind == XlsKind::date_mode) {
      since_1904_ = record.number(2) != 0;
    } else if (kind == XlsKind::number_format) {
      const std::uint64_t number = record.number(2);
      budget_.take(sizeof(number) * 8);
      if (shows_time(record.text())) time_formats.insert(number);
    } else if (kind == XlsKind::style) {
      record.skip(2);
      budget_.take(sizeof(std::uint64_t));
      formats.push_back(record.number(2));
    } else if (kind == XlsKind::sheet_place && !sheet) {
      const auto place = static_cast<std::size_t>(record.number(4));
      record.skip(1);
      if (record.number(1) == 0) sheet = place;  // others are charts and macros
    } else if (kind == XlsKind::shared_texts) {
      read_texts(at);
    }
  });
  for (const std::uint64_t format : formats) is_time_.push_back(shows_time_by_number(format) || time_formats.contains(format));
  if (!sheet) throw FormatError(path_, "expected a sheet in the workbook, found none");
  find_cells(*sheet);
}

void OldWorkbookStream::read_texts(std::size_t at) {
  RecordReader record(book_, path_, at);
  record.skip(4);
  for (std::uint64_t left = record.number(4); left > 0 && record.has_more(); --left) {
    budget_.take(sizeof(Text));
    texts_.push_back({.begin = record.at(), .record_end = record.end()});
    record.skip_text();
  }
}

// Cells are mostly in the order of their rows, but some programs write them as they came.
void OldWorkbookStream::find_cells(std::size_t sheet) {
  each_record(book_, path_, sheet, [&](std::uint64_t kind, std::size_t at) {
    switch (kind) {
      case XlsKind::formula:
      case XlsKind::rich_text:
      case XlsKind::shared_text:
      case XlsKind::number:
      case XlsKind::text:
      case XlsKind::truth_or_error:
      case XlsKind::short_number:
      case XlsKind::short_numbers: add_cells(at); break;
      default: break;
    }
  });
  if (!std::ranges::is_sorted(cells_, {}, &Cell::place)) std::ranges::stable_sort(cells_, {}, &Cell::place);
  table_.expect_columns(columns_);
  note_unpacking_memory(book_.size() + texts_.size() * sizeof(Text) + cells_.size() * sizeof(Cell), limits_);
}

void OldWorkbookStream::add_cells(std::size_t at) {
  RecordReader record(book_, path_, at);
  const auto row = static_cast<std::uint32_t>(record.number(2));
  const auto column = static_cast<std::uint32_t>(record.number(2));
  constexpr std::size_t of_number = 6;
  const std::size_t rest = record.end() - record.at();
  const std::size_t count = low_first(book_, at, 2) == XlsKind::short_numbers ? rest / of_number : 1;
  for (std::size_t n = 0; n < count; ++n) {
    budget_.take(sizeof(Cell));
    cells_.push_back({.row = row, .column = column + static_cast<std::uint32_t>(n), .record = at});
  }
  columns_ = std::max<std::size_t>(columns_, column + count);
  if (columns_ > kMostOldColumns) refuse_old_workbook(path_, "too many columns");
}

std::size_t OldWorkbookStream::read(std::span<char> to) {
  return table_.read(to, [&] { return next_row(); });
}

bool OldWorkbookStream::next_row() {
  if (next_ == cells_.size()) return false;
  table_.begin_row();
  const std::uint32_t row = cells_[next_].row;
  for (; next_ < cells_.size() && cells_[next_].row == row; ++next_) {
    std::string text = text_of(cells_[next_]);
    meter_.add(text.size());
    table_.put(cells_[next_].column, std::move(text));
  }
  table_.end_row();
  meter_.add(table_.columns());
  return true;
}

std::string OldWorkbookStream::text_of(const Cell& cell) {
  RecordReader record(book_, path_, cell.record);
  record.skip(2);
  const std::uint64_t first = record.number(2);
  const std::uint64_t kind = low_first(book_, cell.record, 2);
  if (kind == XlsKind::short_numbers) record.skip(6 * (cell.column - first));
  const std::uint64_t style = record.number(2);
  switch (kind) {
    case XlsKind::shared_text: {
      const std::uint64_t index = record.number(4);
      if (index >= texts_.size())
        refuse(fmt::format("expected the number of one of {} shared texts, found {}", texts_.size(), index));
      RecordReader text(book_, path_, texts_[index].begin, texts_[index].record_end);
      return text.text();
    }
    case XlsKind::text:
    case XlsKind::rich_text: return record.text();
    case XlsKind::number: return text_of_number(std::bit_cast<double>(record.number(8)), style);
    case XlsKind::short_number:
    case XlsKind::short_numbers: return text_of_number(short_number_of(record.number(4)), style);
    case XlsKind::truth_or_error: {
      const std::uint64_t value = record.number(1);
      return record.number(1) != 0 ? error_in_cell(value) : truth_in_cell(value);
    }
    default: break;
  }
  const std::uint64_t result = record.number(8);
  if (result >> 48U != 0xFFFF) return text_of_number(std::bit_cast<double>(result), style);
  const std::uint64_t value = result >> 16U & 0xFFU;
  switch (result & 0xFFU) {
    case 0: return text_of_formula(cell.record);
    case 1: return truth_in_cell(value);
    case 2: return error_in_cell(value);
    default: return {};
  }
}

std::string OldWorkbookStream::text_of_number(double number, std::uint64_t style) const {
  if (!std::isfinite(number)) return error_in_cell(0x24);
  return number_of_cell(number, style < is_time_.size() && is_time_[style], since_1904_);
}

// A formula whose value is a text has it in a record after itself, or after the formula that several cells share.
std::string OldWorkbookStream::text_of_formula(std::size_t at) const {
  constexpr int most_between = 3;
  for (int n = 0; n < most_between; ++n) {
    at = RecordReader::end_of(book_, at);
    if (at + kRecordHead > book_.size() || low_first(book_, at, 2) == XlsKind::formula) break;
    if (low_first(book_, at, 2) != XlsKind::text_of_formula) continue;
    RecordReader record(book_, path_, at);
    return record.text();
  }
  return {};
}

}  // namespace inkling
