#include "io/corpus/pages/tex_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

struct TexCommand {
  std::string_view name;
  std::string_view text;
};

// Combining marks, by the command that sets them. A command that is named by a letter must not be followed by a letter.
constexpr std::array kAccents = {TexCommand{"`", "\u0300"}, TexCommand{"'", "\u0301"},  TexCommand{"^", "\u0302"},
                                 TexCommand{"~", "\u0303"}, TexCommand{"\"", "\u0308"}, TexCommand{"=", "\u0304"},
                                 TexCommand{".", "\u0307"}, TexCommand{"u", "\u0306"},  TexCommand{"v", "\u030C"},
                                 TexCommand{"H", "\u030B"}, TexCommand{"c", "\u0327"},  TexCommand{"d", "\u0323"},
                                 TexCommand{"b", "\u0331"}, TexCommand{"r", "\u030A"},  TexCommand{"k", "\u0328"}};

constexpr std::array kTexCommands = {
    TexCommand{"ss", "ß"}, TexCommand{"o", "ø"}, TexCommand{"O", "Ø"}, TexCommand{"l", "ł"}, TexCommand{"L", "Ł"},
    TexCommand{"ae", "æ"}, TexCommand{"AE", "Æ"}, TexCommand{"oe", "œ"}, TexCommand{"OE", "Œ"}, TexCommand{"aa", "å"},
    TexCommand{"AA", "Å"}, TexCommand{"i", "ı"}, TexCommand{"j", "ȷ"}, TexCommand{"dh", "ð"}, TexCommand{"DH", "Ð"},
    TexCommand{"th", "þ"}, TexCommand{"TH", "Þ"}, TexCommand{"dj", "đ"}, TexCommand{"DJ", "Đ"}, TexCommand{"ng", "ŋ"},
    TexCommand{"NG", "Ŋ"}, TexCommand{"textendash", "–"}, TexCommand{"textemdash", "—"}, TexCommand{"textquoteleft", "‘"},
    TexCommand{"textquoteright", "’"}, TexCommand{"textquotedblleft", "“"}, TexCommand{"textquotedblright", "”"},
    TexCommand{"ldots", "…"}, TexCommand{"dots", "…"}, TexCommand{"textregistered", "®"}, TexCommand{"texttrademark", "™"},
    TexCommand{"copyright", "©"}, TexCommand{"S", "§"}, TexCommand{"P", "¶"}, TexCommand{"pounds", "£"},
    TexCommand{"texteuro", "€"}, TexCommand{"textdegree", "°"}, TexCommand{"textmu", "µ"}, TexCommand{"textgreater", ">"},
    TexCommand{"textless", "<"}, TexCommand{"textbackslash", "\\"}, TexCommand{"textasciitilde", "~"},
    TexCommand{"textasciicircum", "^"}, TexCommand{"textunderscore", "_"}, TexCommand{"textbar", "|"},
    TexCommand{"textquotesingle", "'"}, TexCommand{"textquotedbl", "\""},
    // Commands that only change how the text after them looks.
    TexCommand{"textit", ""}, TexCommand{"textbf", ""}, TexCommand{"textrm", ""}, TexCommand{"textsc", ""},
    TexCommand{"texttt", ""}, TexCommand{"textsf", ""}, TexCommand{"textsuperscript", ""}, TexCommand{"textsubscript", ""},
    TexCommand{"emph", ""}, TexCommand{"mathrm", ""}, TexCommand{"mathit", ""}, TexCommand{"mathbf", ""}, TexCommand{"it", ""},
    TexCommand{"em", ""}, TexCommand{"bf", ""}, TexCommand{"mkbibquote", ""}, TexCommand{"url", ""}};

// Vietnamese letters have two; more are a mistake or an attack.
constexpr std::size_t kMostAccents = 8;
constexpr std::size_t kMostOfCommand = 8;  // bytes that a known command or an accent becomes

bool is_letter_of_tex(char character) {
  const char lower = static_cast<char>(static_cast<unsigned char>(character) | 0x20U);
  return lower >= 'a' && lower <= 'z';
}

bool is_tex_blank(char character) { return character == ' ' || character == '\t' || character == '\n' || character == '\r'; }

template <typename Table>
std::optional<std::string_view> text_named(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &TexCommand::name);
  if (found == table.end()) return std::nullopt;
  return found->text;
}

void compose(std::string& text, std::size_t from) {
  UErrorCode failure = U_ZERO_ERROR;
  const auto size = static_cast<std::int32_t>(text.size() - from);
  const icu::UnicodeString composed = icu::Normalizer2::getNFCInstance(failure)->normalize(
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data() + from, size)), failure);
  if (U_FAILURE(failure) != 0) return;
  text.resize(from);
  composed.toUTF8String(text);
}

class TexReader {
 public:
  TexReader(std::string_view tex, TexText kind, std::string& out, ReadingBudget& budget)
      : tex_(tex), kind_(kind), out_(&out), budget_(&budget) {}

  void read() {
    const std::size_t begin = out_->size();
    while (at_ < tex_.size()) {
      const char next = tex_[at_];
      if (next == '\\')
        command();
      else if (is_tex_blank(next) || (next == '~' && kind_ == TexText::prose))
        blank(begin);
      else if (next == '{' || next == '}')
        brace(next);
      else
        plain();
    }
    while (out_->size() > begin && out_->back() == ' ') out_->pop_back();
  }

 private:
  void brace(char next) {
    ++at_;
    if (next == '{') {
      ++depth_;
    } else {
      if (!quotes_.empty() && quotes_.back() == depth_) {
        *out_ += '"';
        quotes_.pop_back();
      }
      depth_ -= depth_ > 0 ? 1 : 0;
    }
  }

  void plain() {
    const std::size_t begin = at_;
    const auto is_plain = [](char next) {
      return next != '\\' && next != '{' && next != '}' && next != '~' && !is_tex_blank(next);
    };
    do {
      ++at_;
    } while (at_ < tex_.size() && is_plain(tex_[at_]));
    budget_->take(at_ - begin);
    *out_ += tex_.substr(begin, at_ - begin);
  }

  void blank(std::size_t begin) {
    ++at_;
    if (out_->size() > begin && out_->back() != ' ') *out_ += ' ';
  }

  // Reads the name of a command: letters, or one other character.
  std::string_view name() {
    const std::size_t begin = ++at_;
    while (at_ < tex_.size() && is_letter_of_tex(tex_[at_])) ++at_;
    if (at_ == begin && at_ < tex_.size()) at_ += std::max<std::size_t>(utf8_character_length(tex_.substr(at_)), 1);
    return tex_.substr(begin, at_ - begin);
  }

  void command() {
    const std::string_view its_name = name();
    budget_->take(kMostOfCommand + its_name.size());
    if (const auto mark = text_named(kAccents, its_name))
      accent(its_name, *mark);
    else
      command_named(its_name);
  }

  void command_named(std::string_view its_name) {
    if (its_name.empty()) {
      *out_ += '\\';
    } else if (its_name == "enquote") {
      skip_blanks();
      if (!tex_.substr(at_).starts_with('{')) return;
      *out_ += '"';
      quotes_.push_back(depth_ + 1);
    } else if (const auto text = text_named(kTexCommands, its_name)) {
      skip_blanks();
      *out_ += *text;
    } else if (is_letter_of_tex(its_name.front())) {
      if (tex_.substr(at_).starts_with('{')) return;  // it only changes how its argument looks
      *out_ += '\\';
      *out_ += its_name;
    } else if (its_name == "\\" || its_name == " ") {
      *out_ += ' ';
    } else if (its_name != "-" && its_name != "/") {
      *out_ += its_name;
    }
  }

  void skip_blanks() {
    while (at_ < tex_.size() && is_tex_blank(tex_[at_])) ++at_;
  }

  // Puts an accent, and those that follow it, on the next letter, which may be in braces, and may be a dotless i or j. Of more
  // accents in a row than letters have, the first ones stay as they are.
  void accent(std::string_view its_name, std::string_view mark) {
    std::array<TexCommand, kMostAccents> accents;
    std::size_t count = 0;
    for (;;) {
      if (kind_ == TexText::address && its_name == "~") return put_accents(accents, count, [&] { *out_ += '~'; });
      if (count == kMostAccents) {
        for (const TexCommand& one : accents) *out_ += std::string("\\").append(one.name);
        count = 0;
      }
      budget_->take(kMostOfCommand);
      accents.at(count++) = {its_name, mark};
      skip_blanks();
      while (at_ < tex_.size() && tex_[at_] == '{') brace('{');
      const std::string_view rest = tex_.substr(at_);
      if (rest.empty() || rest.front() == '}') return;
      if (rest.starts_with("\\i") || rest.starts_with("\\j") || rest.front() != '\\') break;
      its_name = name();
      const auto next = text_named(kAccents, its_name);
      if (!next) return put_accents(accents, count, [&] { command_named(its_name); });
      mark = *next;
    }
    put_accents(accents, count, [&] { accented_letter(); });
  }

  // Writes the letter and then its accents, the innermost first.
  void put_accents(std::span<const TexCommand> accents, std::size_t count, const auto& write_letter) {
    const std::size_t begin = out_->size();
    write_letter();
    while (count > 0) *out_ += accents[--count].text;
    compose(*out_, begin);
  }

  void accented_letter() {
    const std::string_view rest = tex_.substr(at_);
    if (rest.starts_with("\\i") || rest.starts_with("\\j")) {
      *out_ += rest[1];
      at_ += 2;
      skip_blanks();
    } else if (!rest.empty()) {
      const std::size_t length = std::max<std::size_t>(utf8_character_length(rest), 1);
      *out_ += rest.substr(0, length);
      at_ += length;
    }
  }

  std::size_t depth_ = 0;            // of braces
  std::vector<std::size_t> quotes_;  // depths of those that are quotes
  std::string_view tex_;
  TexText kind_;
  std::string* out_;
  ReadingBudget* budget_;
  std::size_t at_ = 0;
};

}  // namespace

void append_tex(std::string_view tex, TexText kind, std::string& out, ReadingBudget& budget) {
  TexReader(tex, kind, out, budget).read();
}

}  // namespace inkling
