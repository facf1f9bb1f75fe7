#include "io/base/file/csv_cell.hpp"

#include <algorithm>
#include <array>

namespace inkling {
namespace {

constexpr std::string_view kDividers = ";\t\r\n";

// Programs may skip these before a formula, beside blanks and controls of ASCII: no-break, ideographic and other blanks, marks
// without width, and quotes.
bool skip_one(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  std::size_t size = first <= 0x20 || first == 0x7F || first == '"' ? 1 : 0;
  if (text.starts_with("\xC2\xA0") || text.starts_with("\xC2\xAD") || text.starts_with("\xC2\x85")) size = 2;
  constexpr std::array<std::string_view, 4> single = {"\xE1\x9A\x80", "\xE1\xA0\x8E", "\xE3\x80\x80", "\xEF\xBB\xBF"};
  for (const std::string_view blank : single)
    if (text.starts_with(blank)) size = 3;
  // U+2000 to U+200F, U+2028 to U+202F, U+205F to U+206F.
  if (text.size() >= 3 && first == 0xE2) {
    const auto second = static_cast<unsigned char>(text[1]);
    const auto third = static_cast<unsigned char>(text[2]);
    const bool is_general = second == 0x80 && (third <= 0x8F || third >= 0xA8);
    const bool is_format = second == 0x81 && third >= 0x9F;
    if ((is_general && third <= 0xAF) || (is_format && third <= 0xAF)) size = 3;
  }
  text.remove_prefix(size);
  return size > 0;
}

// With their full-width and small forms, and the minus sign.
bool begins_formula(std::string_view text) {
  constexpr std::array<std::string_view, 13> signs = {"=",
                                                      "+",
                                                      "-",
                                                      "@",
                                                      "\xEF\xBC\x9D",
                                                      "\xEF\xBC\x8B",
                                                      "\xEF\xBC\x8D",
                                                      "\xEF\xBC\xA0",
                                                      "\xEF\xB9\xA6",
                                                      "\xEF\xB9\xA2",
                                                      "\xEF\xB9\xA3",
                                                      "\xEF\xB9\xAB",
                                                      "\xE2\x88\x92"};
  return std::ranges::any_of(signs, [&](std::string_view sign) { return text.starts_with(sign); });
}

std::size_t digits_before(std::string_view text) { return std::min(text.find_first_not_of("0123456789"), text.size()); }

// "-5", "-0.25", "-1e-07": a minus, digits, and maybe a fraction and an exponent, nothing else.
bool is_negative_number(std::string_view text) {
  if (!text.starts_with('-')) return false;
  text.remove_prefix(1);
  const std::size_t whole = digits_before(text);
  text.remove_prefix(whole);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t fraction = digits_before(text);
    if (fraction == 0) return false;
    text.remove_prefix(fraction);
  }
  if (whole == 0) return false;
  if (!text.starts_with('e') && !text.starts_with('E')) return text.empty();
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && digits_before(text) == text.size();
}

// Whether a piece, without the apostrophes that it begins with, could be run.
bool could_act(std::string_view piece) {
  while (!piece.empty() && skip_one(piece)) continue;
  return begins_formula(piece);
}

// Calls visit(piece, whether it has a guard of ours if it was written by us), and `divider` with each divider.
void visit_pieces(std::string_view text, const auto& visit, const auto& divider) {
  const bool is_whole = text.find_first_of(kDividers) == std::string_view::npos;
  for (;;) {
    const std::size_t end = std::min(text.find_first_of(kDividers), text.size());
    const std::string_view piece = text.substr(0, end);
    const std::string_view plain = piece.substr(std::min(piece.find_first_not_of('\''), piece.size()));
    visit(piece, could_act(plain) && !(is_whole && is_negative_number(plain)));
    if (end == text.size()) return;
    divider(text[end]);
    text.remove_prefix(end + 1);
  }
}

}  // namespace

void append_csv_field(std::string_view text, std::string& out) {
  if (text.find_first_of(",;\t\"\r\n") == std::string_view::npos && !text.starts_with(' ') && !text.ends_with(' ')) {
    out += text;
    return;
  }
  out += '"';
  for (const char next : text) {
    if (next == '"') out += '"';
    out += next;
  }
  out += '"';
}

std::string guarded_text(std::string_view text) {
  std::string cell;
  visit_pieces(
      text, [&cell](std::string_view piece, bool acts) { (acts ? cell += '\'' : cell) += piece; },
      [&cell](char divider) { cell += divider; });
  return cell;
}

std::string unguarded_text(std::string_view cell) {
  std::string text;
  visit_pieces(
      cell, [&text](std::string_view piece, bool acts) { text += acts && piece.starts_with('\'') ? piece.substr(1) : piece; },
      [&text](char divider) { text += divider; });
  return guarded_text(text) == cell ? text : std::string(cell);
}

std::string csv_cell(std::string_view text) {
  std::string field;
  append_csv_field(guarded_text(text), field);
  return field;
}

}  // namespace inkling
