#include "io/corpus/unpack/old_workbook_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/unpack/archive_headers.hpp"

namespace inkling {
namespace {

constexpr std::string_view kContainer = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
constexpr std::size_t kMostOldColumns = 256;
constexpr std::string_view kOtherwise = "save it as XLSX or CSV";

// A number with its lowest byte first. Requires: it is within the bytes.
std::uint64_t low_first(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t n = size; n > 0; --n) number = number << 8U | static_cast<unsigned char>(bytes[at + n - 1]);
  return number;
}

[[noreturn]] void refuse_container(const std::string& path, std::string_view found) {
  throw FormatError(path, fmt::format("expected an intact workbook, found {}; {}", found, kOtherwise));
}

// A file of files: each is a chain of sectors, of which a table names the one after each. Short files are chains of smaller sectors
// within one of the others.
class Container {
 public:
  // The bytes at a position, so many or fewer at the end.
  using BytesAt = std::function<std::string(std::uint64_t position, std::size_t size)>;

  Container(std::string path, std::uint64_t bytes, BytesAt bytes_at, ReadingBudget& budget)
      : path_(std::move(path)), bytes_(bytes), bytes_at_(std::move(bytes_at)), budget_(&budget) {
    const std::string head = bytes_at_(0, kHead);
    const std::uint64_t shift = head.size() == kHead ? low_first(head, 30, 2) : 0;
    if (shift != 9 && shift != 12) refuse_container(path_, "a beginning that is cut or damaged");
    sector_ = std::size_t{1} << shift;
    for (std::size_t at = kFirstTables; at < kHead; at += kLink) add_table(low_first(head, at, kLink));
    const std::size_t most = sectors();
    std::uint64_t more = low_first(head, 68, kLink);
    for (std::size_t n = 0; more < most; ++n) {
      if (n == most) refuse_container(path_, "sectors in a circle");
      const std::string list = sector(more);
      for (std::size_t at = 0; at + kLink < list.size(); at += kLink) add_table(low_first(list, at, kLink));
      more = list.size() == sector_ ? low_first(list, sector_ - kLink, kLink) : kNoSector;
    }
    directory_ = chain(low_first(head, 48, kLink), kEverything);
    first_small_ = low_first(head, 60, kLink);
  }

  // The bytes of the file of that name, which is ASCII; nothing if there is none.
  [[nodiscard]] std::optional<std::string> find(std::string_view name) {
    const std::optional<std::size_t> entry = entry_of(name);
    if (!entry) return std::nullopt;
    const std::uint64_t first = low_first(directory_, *entry + 116, kLink);
    const std::uint64_t size = low_first(directory_, *entry + 120, kLink);
    std::string found = size < kLeastLarge ? small_chain(first, size) : chain(first, size);
    if (found.size() < size) refuse_container(path_, "an end before its end");
    found.resize(size);
    return found;
  }
  [[nodiscard]] bool has(std::string_view name) const { return entry_of(name).has_value(); }

 private:
  static constexpr std::size_t kHead = 512;
  static constexpr std::size_t kFirstTables = 76;
  static constexpr std::size_t kLink = 4;
  static constexpr std::size_t kEntry = 128;
  static constexpr std::size_t kSmallSector = 64;
  static constexpr std::uint64_t kLeastLarge = 4096;
  static constexpr std::uint64_t kNoSector = 0xFFFFFFFF;
  static constexpr std::uint64_t kEverything = ~std::uint64_t{0};

  [[nodiscard]] std::size_t sectors() const { return static_cast<std::size_t>(bytes_) / sector_; }
  [[nodiscard]] std::string sector(std::uint64_t number) const { return bytes_at_((number + 1) * sector_, sector_); }

  void add_table(std::uint64_t number) {
    if (number >= sectors()) return;
    budget_->take(sizeof(number));
    tables_.push_back(number);
  }

  [[nodiscard]] std::uint64_t sector_after(std::uint64_t number) {
    const std::size_t links = sector_ / kLink;
    const std::uint64_t table = number / links;
    if (table >= tables_.size()) return kNoSector;
    if (table != kept_number_) kept_ = sector(tables_[table]);
    kept_number_ = table;
    const std::size_t at = static_cast<std::size_t>(number % links) * kLink;
    return at + kLink <= kept_.size() ? low_first(kept_, at, kLink) : kNoSector;
  }

  [[nodiscard]] std::string chain(std::uint64_t first, std::uint64_t most) {
    std::string bytes;
    std::size_t left = sectors() + 1;
    for (std::uint64_t at = first; at < sectors() && bytes.size() < most; at = sector_after(at)) {
      if (left-- == 0) refuse_container(path_, "sectors in a circle");
      budget_->take(sector_);
      bytes += sector(at);
    }
    return bytes;
  }

  [[nodiscard]] std::string small_chain(std::uint64_t first, std::uint64_t size) {
    const std::string links = chain(first_small_, kEverything);
    const std::string all = chain(low_first(directory_, 116, kLink), kEverything);  // of the root, which is the first entry
    std::string bytes;
    for (std::uint64_t at = first; bytes.size() < size && (at + 1) * kSmallSector <= all.size();) {
      bytes.append(all, static_cast<std::size_t>(at) * kSmallSector, kSmallSector);
      at = (at + 1) * kLink <= links.size() ? low_first(links, static_cast<std::size_t>(at) * kLink, kLink) : kNoSector;
    }
    return bytes;
  }

  [[nodiscard]] std::optional<std::size_t> entry_of(std::string_view name) const {
    for (std::size_t entry = 0; entry + kEntry <= directory_.size(); entry += kEntry) {
      const std::uint64_t bytes = low_first(directory_, entry + 64, 2);
      bool is_same = bytes == 2 * (name.size() + 1);
      for (std::size_t n = 0; is_same && n < name.size(); ++n)
        is_same = low_first(directory_, entry + 2 * n, 2) == static_cast<unsigned char>(name[n]);
      if (is_same) return entry;
    }
    return std::nullopt;
  }

  std::string path_;
  std::uint64_t bytes_;
  BytesAt bytes_at_;
  ReadingBudget* budget_;
  std::size_t sector_ = 0;
  std::vector<std::uint64_t> tables_;  // sectors that name the sector after each
  std::uint64_t kept_number_ = kNoSector;
  std::string kept_;  // of these
  std::string directory_;
  std::uint64_t first_small_ = kNoSector;
};

ReadingBudget budget_of_old(const UnpackingLimits& limits, const std::string& path) {
  return budget_of_unpacking(limits, path, kOtherwise);
}

std::string whole_file(FileStream& file, ReadingBudget& budget) {
  budget.take(file.size());
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  bytes.resize(file.read(bytes));
  return bytes;
}

std::string book_in(FileStream& file, ReadingBudget& budget) {
  const std::string all = whole_file(file, budget);
  const auto bytes_at = [&](std::uint64_t position, std::size_t size) {
    return all.substr(static_cast<std::size_t>(std::min<std::uint64_t>(position, all.size())), size);
  };
  std::optional<std::string> book = Container(file.path(), all.size(), bytes_at, budget).find("Workbook");
  budget.give_back(all.size());
  if (!book)
    throw FormatError(file.path(), fmt::format("expected a workbook of Excel 97 or later, found an earlier one; {}", kOtherwise));
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
    for (int n = 0; n < bytes; ++n) all |= static_cast<std::uint64_t>(byte()) << static_cast<unsigned>(8 * n);
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
      if (some == 0 && at_ != end_) refuse_container(*path_, "half a character");
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
  unsigned char byte() {
    need_more();
    return static_cast<unsigned char>(book_[at_++]);
  }
  void need_more() {
    if (!has_more()) refuse_container(*path_, "a record that is cut");
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
  refuse_container(path, "a part without its begin or its end");
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
  if (!file.can_seek() || !file.head().starts_with(kContainer)) return false;
  ReadingBudget budget({.bytes = std::uint64_t{16} << 20U}, file.path());
  try {
    const auto bytes_at = [&](std::uint64_t position, std::size_t size) {
      std::string bytes(size, '\0');
      bytes.resize(file.read_at(position, bytes));
      return bytes;
    };
    const Container container(file.path(), file.size(), bytes_at, budget);
    return container.has("Workbook") || container.has("Book");
  } catch (const FormatError&) {
    return false;
  }
}

OldWorkbookStream::OldWorkbookStream(FileStream& file, const UnpackingLimits& limits)
    : path_(file.path()),
      limits_(limits),
      budget_(budget_of_old(limits, path_)),
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
                                           kOtherwise));
    if (kind == XlsKind::begin) {
      constexpr std::uint64_t of_excel_97 = 0x600;
      if (record.number(2) != of_excel_97) refuse_container(path_, "records of an earlier Excel");
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
  if (columns_ > kMostOldColumns) refuse_container(path_, "too many columns");
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
