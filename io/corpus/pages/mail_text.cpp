#include "io/corpus/pages/mail_text.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "io/corpus/pages/html_text.hpp"
#include "io/corpus/pages/named_encoding.hpp"

namespace inkling {
namespace {

char lower_of_mail(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

bool same_word(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, lower_of_mail, lower_of_mail);
}

std::string_view without_blanks(std::string_view text) {
  const auto is_blank = [](char next) { return next == ' ' || next == '\t' || next == '\r' || next == '\n'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Removes a line with its end from the front.
std::string_view take_mail_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  return line;
}

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

int hexadecimal(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const char lower = lower_of_mail(digit);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// RFC 2045, 6.7: "=C3=A9", and "=" at the end of a line that continues. In headers "_" is a blank (RFC 2047, 4.2).
std::string from_quoted_printable(std::string_view text, bool in_header) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t plain = std::min(text.find_first_of(in_header ? "=_" : "=", at), text.size());
    bytes += text.substr(at, plain - at);
    at = plain;
    if (at == text.size()) break;
    if (text[at] == '_') {
      bytes += ' ';
      ++at;
      continue;
    }
    const std::string_view rest = text.substr(at + 1);
    const std::size_t blanks = std::min(rest.find_first_not_of(" \t\r"), rest.size());
    if (rest.size() >= 2 && hexadecimal(rest[0]) >= 0 && hexadecimal(rest[1]) >= 0) {
      bytes += static_cast<char>(hexadecimal(rest[0]) * 16 + hexadecimal(rest[1]));
      at += 3;
    } else if (blanks == rest.size() || rest[blanks] == '\n') {
      at = std::min(at + blanks + 2, text.size());
    } else {
      bytes += '=';
      ++at;
    }
  }
  return bytes;
}

// RFC 2045, 6.8; other characters are skipped.
std::string from_base64(std::string_view text) {
  static constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  static const std::array<signed char, 256> values = [&] {
    std::array<signed char, 256> table{};
    table.fill(-1);
    for (std::size_t n = 0; n < letters.size(); ++n) table[static_cast<unsigned char>(letters[n])] = static_cast<signed char>(n);
    return table;
  }();
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  unsigned bits = 0;
  unsigned count = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    const signed char value = values[static_cast<unsigned char>(letter)];
    if (value < 0) continue;
    bits = bits << 6U | static_cast<unsigned>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFFU);
  }
  return bytes;
}

// RFC 2047: "=?utf-8?Q?caf=C3=A9?=". Blanks between two such words do not count.
class EncodedWords {
 public:
  EncodedWords(std::string_view text, UnnamedEncoding& otherwise, ReadingBudget& budget)
      : text_(text), otherwise_(&otherwise), budget_(&budget) {}

  std::string decode() {
    std::size_t plain = 0;
    for (std::size_t at = text_.find("=?"); at != std::string_view::npos; at = text_.find("=?", at)) {
      const std::size_t end = word(at);
      if (end == 0) {
        at += 2;
        continue;
      }
      const std::string_view before = text_.substr(plain, at - plain);
      if (plain == 0 || !without_blanks(before).empty()) flush(before);
      take_bytes();
      plain = at = end;
    }
    flush(text_.substr(plain));
    return std::move(out_);
  }
  [[nodiscard]] std::int64_t replaced() const { return replaced_; }

 private:
  // Decodes the words that were collected, together because a character may span several words; then appends plain text.
  void flush(std::string_view plain) {
    replaced_ += append_in_encoding(bytes_, bytes_encoding_, *otherwise_, out_);
    bytes_.clear();
    replaced_ += append_in_encoding(plain, {}, *otherwise_, out_);
  }

  void take_bytes() {
    if (!same_word(encoding_, bytes_encoding_)) flush({});
    bytes_encoding_ = encoding_;
    bytes_ += decoded_;
  }

  // Reads the word at `begin`. Returns its end, or 0 if no word begins there.
  std::size_t word(std::size_t begin) {
    const std::size_t language = text_.find('?', begin + 2);
    if (language == std::string_view::npos || language + 2 >= text_.size() || text_[language + 2] != '?') return 0;
    const std::size_t end = text_.find("?=", language + 3);
    budget_->work(std::min(end, text_.size()) - begin);
    if (end == std::string_view::npos) return 0;
    encoding_ = text_.substr(begin + 2, language - begin - 2);
    encoding_ = encoding_.substr(0, encoding_.find('*'));
    const std::string_view content = text_.substr(language + 3, end - language - 3);
    if (content.find_first_of(" \t") != std::string_view::npos) return 0;
    const char way = lower_of_mail(text_[language + 1]);
    if (way != 'q' && way != 'b') return 0;
    decoded_ = way == 'q' ? from_quoted_printable(content, true) : from_base64(content);
    return end + 2;
  }

  std::string_view text_;
  UnnamedEncoding* otherwise_;
  ReadingBudget* budget_;
  std::string out_;
  std::string bytes_;
  std::string_view bytes_encoding_;
  std::string_view encoding_;
  std::string decoded_;
  std::int64_t replaced_ = 0;
};

struct RawHeader {
  std::string_view name;
  std::string value;  // unfolded
};

// Removes the headers and the blank line after them from the front. The first line that is not a header ends them.
std::vector<RawHeader> take_headers(std::string_view& message, ReadingBudget& budget) {
  std::vector<RawHeader> headers;
  while (!message.empty()) {
    std::string_view rest = message;
    const std::string_view line = without_end(take_mail_line(rest));
    if (line.empty()) {
      message = rest;
      break;
    }
    const std::size_t colon = line.find(':');
    budget.take(line.size());
    if ((line.front() == ' ' || line.front() == '\t') && !headers.empty()) {
      headers.back().value += ' ';
      headers.back().value += without_blanks(line);
    } else if (colon == std::string_view::npos || colon == 0 ||
               line.substr(0, colon).find_first_of(" \t") != std::string_view::npos) {
      if (!line.starts_with("From ") && !line.starts_with(">From ")) break;
    } else {
      budget.take(sizeof(RawHeader) + sizeof(MailHeader));
      headers.push_back({line.substr(0, colon), std::string(without_blanks(line.substr(colon + 1)))});
    }
    message = rest;
  }
  return headers;
}

std::string_view value_of(const std::vector<RawHeader>& headers, std::string_view name) {
  const auto found = std::ranges::find_if(headers, [&](const RawHeader& header) { return same_word(header.name, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->value);
}

// The value of a parameter in a header such as `text/plain; charset="utf-8"; format=flowed`.
std::string_view parameter(std::string_view value, std::string_view name, ReadingBudget& budget) {
  for (std::size_t at = value.find(';'); at != std::string_view::npos; at = value.find(';', at + 1)) {
    const std::string_view rest = without_blanks(value.substr(at + 1));
    const std::size_t equal = rest.find('=');
    budget.work(std::min(equal, rest.size()));
    if (equal == std::string_view::npos || !same_word(without_blanks(rest.substr(0, equal)), name)) continue;
    const std::string_view found = without_blanks(rest.substr(equal + 1));
    if (!found.starts_with('"')) return without_blanks(found.substr(0, found.find(';')));
    return found.substr(1, found.find('"', 1) - 1);
  }
  return {};
}

std::string_view type_of(std::string_view value) { return without_blanks(value.substr(0, value.find(';'))); }

bool is_within(std::string_view type, std::string_view kind) {
  return type.size() >= kind.size() && same_word(type.substr(0, kind.size()), kind);
}

class MailReader {
 public:
  MailReader(UnnamedEncoding& otherwise, ReadingBudget& budget) : otherwise_(&otherwise), budget_(&budget) {}

  MailText read(std::string_view message) {
    MailText mail;
    const std::vector<RawHeader> headers = take_headers(message, *budget_);
    for (const RawHeader& header : headers) {
      std::string name;
      mail.replaced += append_in_encoding(header.name, {}, *otherwise_, name);
      EncodedWords words(header.value, *otherwise_, *budget_);
      mail.headers.push_back({std::move(name), words.decode()});
      mail.replaced += words.replaced();
    }
    part(headers, message, mail.text);
    mail.replaced += replaced_;
    return mail;
  }

 private:
  void part(const std::vector<RawHeader>& headers, std::string_view body, std::string& out) {
    const ReadingBudget::Level level(*budget_);
    budget_->work(body.size());
    const std::string_view content = value_of(headers, "Content-Type");
    const std::string_view type = content.empty() ? "text/plain" : type_of(content);
    if (is_within(type, "multipart/")) return parts(content, body, out);
    const std::optional<std::string> own = decoded(value_of(headers, "Content-Transfer-Encoding"), body);
    const std::string_view bytes = own ? *own : body;
    budget_->take(own ? bytes.size() : 0);
    if (is_within(type, "message/rfc822")) {
      std::string_view inner = bytes;
      const std::vector<RawHeader> its_headers = take_headers(inner, *budget_);
      part(its_headers, inner, out);
      return budget_->give_back(own ? bytes.size() : 0);
    }
    if (!is_within(type, "text/") || is_within(type_of(value_of(headers, "Content-Disposition")), "attachment")) return;
    std::string text;
    const std::string_view encoding = parameter(content, "charset", *budget_);
    if (is_within(type, "text/html")) {
      replaced_ += append_in_encoding(bytes, encoding.empty() ? encoding_of_html(bytes) : encoding, *otherwise_, text);
      text = html_text(text, *budget_).text;
    } else {
      replaced_ += append_in_encoding(bytes, encoding, *otherwise_, text);
    }
    append(text, out);
  }

  void append(std::string_view text, std::string& out) {
    text = without_blanks(text);
    if (text.empty()) return;
    budget_->work(text.size());
    if (!out.empty()) out += "\n\n";
    out += text;
  }

  // Nothing for a body that is not encoded: a copy at each level would take the letter as often as it has levels.
  static std::optional<std::string> decoded(std::string_view way, std::string_view body) {
    if (same_word(way, "quoted-printable")) return from_quoted_printable(body, false);
    if (same_word(way, "base64")) return from_base64(body);
    return std::nullopt;
  }

  // Appends the texts of parts. Of alternatives only one is taken: the plain one, else the last one that has a text.
  void parts(std::string_view content, std::string_view body, std::string& out) {
    const bool alternatives = is_within(type_of(content), "multipart/alternative");
    std::string chosen;
    bool has_plain = false;
    for_each_part(body, parameter(content, "boundary", *budget_), [&](std::string_view one) {
      const std::vector<RawHeader> headers = take_headers(one, *budget_);
      if (!alternatives) return part(headers, one, out);
      const std::string_view its = value_of(headers, "Content-Type");
      std::string text;
      if (!has_plain) part(headers, one, text);
      has_plain = has_plain || (!text.empty() && (its.empty() || is_within(type_of(its), "text/plain")));
      if (!text.empty()) chosen = std::move(text);
    });
    append(chosen, out);
  }

  // RFC 2046, 5.1: a line "--boundary" precedes each part, and "--boundary--" follows the last.
  template <typename Take>
  static void for_each_part(std::string_view body, std::string_view boundary, const Take& take) {
    if (boundary.empty()) return;
    std::optional<std::string_view> open;
    for (std::string_view rest = body; !rest.empty();) {
      const std::string_view from = rest;
      const std::string_view line = take_mail_line(rest);
      if (!line.starts_with("--") || !line.substr(2).starts_with(boundary)) continue;
      const std::string_view after = without_blanks(line.substr(2 + boundary.size()));
      if (!after.empty() && after != "--") continue;
      if (open) take(open->substr(0, open->size() - from.size()));
      if (!after.empty()) return;
      open = rest;
    }
    if (open) take(*open);
  }

  UnnamedEncoding* otherwise_;
  ReadingBudget* budget_;
  std::int64_t replaced_ = 0;
};

}  // namespace

std::string_view MailText::header(std::string_view name) const {
  const auto found = std::ranges::find_if(headers, [&](const MailHeader& header) { return same_word(header.name, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->value);
}

MailText mail_text(std::string_view message, UnnamedEncoding& otherwise, ReadingBudget& budget) {
  return MailReader(otherwise, budget).read(message);
}

}  // namespace inkling
