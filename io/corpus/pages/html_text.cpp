#include "io/corpus/pages/html_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

struct Entity {
  std::string_view name;
  std::uint32_t point;
};

// The entities of HTML 4, ascending by name; those that later versions added are signs of mathematics.
constexpr std::array kEntities = {
    Entity{"AElig", 0x00C6},   Entity{"Aacute", 0x00C1},  Entity{"Acirc", 0x00C2},    Entity{"Agrave", 0x00C0},
    Entity{"Alpha", 0x0391},   Entity{"Aring", 0x00C5},   Entity{"Atilde", 0x00C3},   Entity{"Auml", 0x00C4},
    Entity{"Beta", 0x0392},    Entity{"Ccedil", 0x00C7},  Entity{"Chi", 0x03A7},      Entity{"Dagger", 0x2021},
    Entity{"Delta", 0x0394},   Entity{"ETH", 0x00D0},     Entity{"Eacute", 0x00C9},   Entity{"Ecirc", 0x00CA},
    Entity{"Egrave", 0x00C8},  Entity{"Epsilon", 0x0395}, Entity{"Eta", 0x0397},      Entity{"Euml", 0x00CB},
    Entity{"Gamma", 0x0393},   Entity{"Iacute", 0x00CD},  Entity{"Icirc", 0x00CE},    Entity{"Igrave", 0x00CC},
    Entity{"Iota", 0x0399},    Entity{"Iuml", 0x00CF},    Entity{"Kappa", 0x039A},    Entity{"Lambda", 0x039B},
    Entity{"Mu", 0x039C},      Entity{"Ntilde", 0x00D1},  Entity{"Nu", 0x039D},       Entity{"OElig", 0x0152},
    Entity{"Oacute", 0x00D3},  Entity{"Ocirc", 0x00D4},   Entity{"Ograve", 0x00D2},   Entity{"Omega", 0x03A9},
    Entity{"Omicron", 0x039F}, Entity{"Oslash", 0x00D8},  Entity{"Otilde", 0x00D5},   Entity{"Ouml", 0x00D6},
    Entity{"Phi", 0x03A6},     Entity{"Pi", 0x03A0},      Entity{"Prime", 0x2033},    Entity{"Psi", 0x03A8},
    Entity{"Rho", 0x03A1},     Entity{"Scaron", 0x0160},  Entity{"Sigma", 0x03A3},    Entity{"THORN", 0x00DE},
    Entity{"Tau", 0x03A4},     Entity{"Theta", 0x0398},   Entity{"Uacute", 0x00DA},   Entity{"Ucirc", 0x00DB},
    Entity{"Ugrave", 0x00D9},  Entity{"Upsilon", 0x03A5}, Entity{"Uuml", 0x00DC},     Entity{"Xi", 0x039E},
    Entity{"Yacute", 0x00DD},  Entity{"Yuml", 0x0178},    Entity{"Zeta", 0x0396},     Entity{"aacute", 0x00E1},
    Entity{"acirc", 0x00E2},   Entity{"acute", 0x00B4},   Entity{"aelig", 0x00E6},    Entity{"agrave", 0x00E0},
    Entity{"alefsym", 0x2135}, Entity{"alpha", 0x03B1},   Entity{"amp", 0x0026},      Entity{"and", 0x2227},
    Entity{"ang", 0x2220},     Entity{"apos", 0x0027},    Entity{"aring", 0x00E5},    Entity{"asymp", 0x2248},
    Entity{"atilde", 0x00E3},  Entity{"auml", 0x00E4},    Entity{"bdquo", 0x201E},    Entity{"beta", 0x03B2},
    Entity{"brvbar", 0x00A6},  Entity{"bull", 0x2022},    Entity{"cap", 0x2229},      Entity{"ccedil", 0x00E7},
    Entity{"cedil", 0x00B8},   Entity{"cent", 0x00A2},    Entity{"chi", 0x03C7},      Entity{"circ", 0x02C6},
    Entity{"clubs", 0x2663},   Entity{"cong", 0x2245},    Entity{"copy", 0x00A9},     Entity{"crarr", 0x21B5},
    Entity{"cup", 0x222A},     Entity{"curren", 0x00A4},  Entity{"dArr", 0x21D3},     Entity{"dagger", 0x2020},
    Entity{"darr", 0x2193},    Entity{"deg", 0x00B0},     Entity{"delta", 0x03B4},    Entity{"diams", 0x2666},
    Entity{"divide", 0x00F7},  Entity{"eacute", 0x00E9},  Entity{"ecirc", 0x00EA},    Entity{"egrave", 0x00E8},
    Entity{"empty", 0x2205},   Entity{"emsp", 0x2003},    Entity{"ensp", 0x2002},     Entity{"epsilon", 0x03B5},
    Entity{"equiv", 0x2261},   Entity{"eta", 0x03B7},     Entity{"eth", 0x00F0},      Entity{"euml", 0x00EB},
    Entity{"euro", 0x20AC},    Entity{"exist", 0x2203},   Entity{"fnof", 0x0192},     Entity{"forall", 0x2200},
    Entity{"frac12", 0x00BD},  Entity{"frac14", 0x00BC},  Entity{"frac34", 0x00BE},   Entity{"frasl", 0x2044},
    Entity{"gamma", 0x03B3},   Entity{"ge", 0x2265},      Entity{"gt", 0x003E},       Entity{"hArr", 0x21D4},
    Entity{"harr", 0x2194},    Entity{"hearts", 0x2665},  Entity{"hellip", 0x2026},   Entity{"iacute", 0x00ED},
    Entity{"icirc", 0x00EE},   Entity{"iexcl", 0x00A1},   Entity{"igrave", 0x00EC},   Entity{"image", 0x2111},
    Entity{"infin", 0x221E},   Entity{"int", 0x222B},     Entity{"iota", 0x03B9},     Entity{"iquest", 0x00BF},
    Entity{"isin", 0x2208},    Entity{"iuml", 0x00EF},    Entity{"kappa", 0x03BA},    Entity{"lArr", 0x21D0},
    Entity{"lambda", 0x03BB},  Entity{"lang", 0x2329},    Entity{"laquo", 0x00AB},    Entity{"larr", 0x2190},
    Entity{"lceil", 0x2308},   Entity{"ldquo", 0x201C},   Entity{"le", 0x2264},       Entity{"lfloor", 0x230A},
    Entity{"lowast", 0x2217},  Entity{"loz", 0x25CA},     Entity{"lrm", 0x200E},      Entity{"lsaquo", 0x2039},
    Entity{"lsquo", 0x2018},   Entity{"lt", 0x003C},      Entity{"macr", 0x00AF},     Entity{"mdash", 0x2014},
    Entity{"micro", 0x00B5},   Entity{"middot", 0x00B7},  Entity{"minus", 0x2212},    Entity{"mu", 0x03BC},
    Entity{"nabla", 0x2207},   Entity{"nbsp", 0x00A0},    Entity{"ndash", 0x2013},    Entity{"ne", 0x2260},
    Entity{"ni", 0x220B},      Entity{"not", 0x00AC},     Entity{"notin", 0x2209},    Entity{"nsub", 0x2284},
    Entity{"ntilde", 0x00F1},  Entity{"nu", 0x03BD},      Entity{"oacute", 0x00F3},   Entity{"ocirc", 0x00F4},
    Entity{"oelig", 0x0153},   Entity{"ograve", 0x00F2},  Entity{"oline", 0x203E},    Entity{"omega", 0x03C9},
    Entity{"omicron", 0x03BF}, Entity{"oplus", 0x2295},   Entity{"or", 0x2228},       Entity{"ordf", 0x00AA},
    Entity{"ordm", 0x00BA},    Entity{"oslash", 0x00F8},  Entity{"otilde", 0x00F5},   Entity{"otimes", 0x2297},
    Entity{"ouml", 0x00F6},    Entity{"para", 0x00B6},    Entity{"part", 0x2202},     Entity{"permil", 0x2030},
    Entity{"perp", 0x22A5},    Entity{"phi", 0x03C6},     Entity{"pi", 0x03C0},       Entity{"piv", 0x03D6},
    Entity{"plusmn", 0x00B1},  Entity{"pound", 0x00A3},   Entity{"prime", 0x2032},    Entity{"prod", 0x220F},
    Entity{"prop", 0x221D},    Entity{"psi", 0x03C8},     Entity{"quot", 0x0022},     Entity{"rArr", 0x21D2},
    Entity{"radic", 0x221A},   Entity{"rang", 0x232A},    Entity{"raquo", 0x00BB},    Entity{"rarr", 0x2192},
    Entity{"rceil", 0x2309},   Entity{"rdquo", 0x201D},   Entity{"real", 0x211C},     Entity{"reg", 0x00AE},
    Entity{"rfloor", 0x230B},  Entity{"rho", 0x03C1},     Entity{"rlm", 0x200F},      Entity{"rsaquo", 0x203A},
    Entity{"rsquo", 0x2019},   Entity{"sbquo", 0x201A},   Entity{"scaron", 0x0161},   Entity{"sdot", 0x22C5},
    Entity{"sect", 0x00A7},    Entity{"shy", 0x00AD},     Entity{"sigma", 0x03C3},    Entity{"sigmaf", 0x03C2},
    Entity{"sim", 0x223C},     Entity{"spades", 0x2660},  Entity{"sub", 0x2282},      Entity{"sube", 0x2286},
    Entity{"sum", 0x2211},     Entity{"sup", 0x2283},     Entity{"sup1", 0x00B9},     Entity{"sup2", 0x00B2},
    Entity{"sup3", 0x00B3},    Entity{"supe", 0x2287},    Entity{"szlig", 0x00DF},    Entity{"tau", 0x03C4},
    Entity{"there4", 0x2234},  Entity{"theta", 0x03B8},   Entity{"thetasym", 0x03D1}, Entity{"thinsp", 0x2009},
    Entity{"thorn", 0x00FE},   Entity{"tilde", 0x02DC},   Entity{"times", 0x00D7},    Entity{"trade", 0x2122},
    Entity{"uArr", 0x21D1},    Entity{"uacute", 0x00FA},  Entity{"uarr", 0x2191},     Entity{"ucirc", 0x00FB},
    Entity{"ugrave", 0x00F9},  Entity{"uml", 0x00A8},     Entity{"upsih", 0x03D2},    Entity{"upsilon", 0x03C5},
    Entity{"uuml", 0x00FC},    Entity{"weierp", 0x2118},  Entity{"xi", 0x03BE},       Entity{"yacute", 0x00FD},
    Entity{"yen", 0x00A5},     Entity{"yuml", 0x00FF},    Entity{"zeta", 0x03B6},     Entity{"zwj", 0x200D},
    Entity{"zwnj", 0x200C},
};

bool is_html_blank(char character) {
  return character == ' ' || character == '\t' || character == '\n' || character == '\r' || character == '\f';
}

bool is_name_character(char character) {
  const char lower = static_cast<char>(static_cast<unsigned char>(character) | 0x20U);
  return (lower >= 'a' && lower <= 'z') || (character >= '0' && character <= '9');
}

char lower_letter(char character) {
  return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

// Whether the text begins with the word, in any letter case. Requires: the word is in lower case.
bool begins_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::ranges::equal(text.substr(0, word.size()), word, {}, lower_letter);
}

// The position of the word, in any letter case; the size if it is not there. Requires: the word is in lower case.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  const char first[] = {word.front(), word.front() >= 'a' ? static_cast<char>(word.front() - 'a' + 'A') : word.front()};
  for (std::size_t at = from;; ++at) {
    at = first[0] == first[1] ? text.find(first[0], at) : text.find_first_of({first, 2}, at);
    if (at == std::string_view::npos) return text.size();
    if (begins_with_word(text.substr(at), word)) return at;
  }
}

// Tags whose begin and end become line ends, ascending.
constexpr std::array<std::string_view, 40> kBlocks = {
    "address", "article", "aside", "blockquote", "body",     "br",         "caption", "center", "dd",   "details",
    "dir",     "div",     "dl",    "dt",         "fieldset", "figcaption", "figure",  "footer", "form", "h1",
    "h2",      "h3",      "h4",    "h5",         "h6",       "header",     "hr",      "li",     "main", "nav",
    "ol",      "option",  "p",     "pre",        "section",  "table",      "td",      "th",     "tr",   "ul"};
// Tags whose content is not shown.
constexpr std::array<std::string_view, 8> kHidden = {"iframe", "noscript", "object",   "script",
                                                     "style",  "svg",      "template", "textarea"};

class HtmlReader {
 public:
  explicit HtmlReader(std::string_view html) : html_(html) { found_.text.reserve(html.size() / 4); }

  HtmlText read() {
    while (at_ < html_.size()) {
      const std::size_t tag = std::min(html_.find('<', at_), html_.size());
      append_text(html_.substr(at_, tag - at_), found_.text);
      at_ = tag;
      if (at_ < html_.size()) markup();
    }
    trim(found_.text);
    return std::move(found_);
  }

 private:
  static void trim(std::string& text) {
    while (!text.empty() && is_html_blank(text.back())) text.pop_back();
  }

  // Appends one blank for several, and none at the begin of a line.
  static void append_blank(std::string& out) {
    if (!out.empty() && out.back() != ' ' && out.back() != '\n') out += ' ';
  }

  void append_text(std::string_view text, std::string& out) {
    for (std::size_t at = 0; at < text.size();) {
      if (is_html_blank(text[at])) {
        append_blank(out);
        ++at;
      } else if (text[at] == '&') {
        at += entity(text.substr(at), out);
      } else {
        const std::size_t begin = at;
        do {
          ++at;
        } while (at < text.size() && text[at] != '&' && !is_html_blank(text[at]));
        out += text.substr(begin, at - begin);
      }
    }
  }

  // Appends the character of an entity. Returns how many bytes of the text it took.
  std::size_t entity(std::string_view text, std::string& out) {
    std::size_t end = text.size() > 1 && text[1] == '#' ? 2 : 1;
    while (end < text.size() && is_name_character(text[end])) ++end;
    const std::string_view name = text.substr(1, end - 1);
    const std::optional<std::uint32_t> point = name.starts_with('#') ? numbered(name.substr(1)) : named(name);
    if (!point) {
      out += '&';
      return 1;
    }
    if (*point == 0xA0)
      append_blank(out);
    else
      append_character(*point, out);
    return end < text.size() && text[end] == ';' ? end + 1 : end;
  }

  static std::optional<std::uint32_t> named(std::string_view name) {
    const auto* const found = std::ranges::lower_bound(kEntities, name, {}, &Entity::name);
    if (found == kEntities.end() || found->name != name) return std::nullopt;
    return found->point;
  }

  static std::optional<std::uint32_t> numbered(std::string_view digits) {
    const bool hexadecimal = digits.starts_with('x') || digits.starts_with('X');
    if (hexadecimal) digits.remove_prefix(1);
    std::uint32_t point = 0;
    const char* const end = digits.data() + digits.size();
    const auto [parsed, error] = std::from_chars(digits.data(), end, point, hexadecimal ? 16 : 10);
    if (digits.empty() || parsed != end) return std::nullopt;
    return error == std::errc() ? point : 0;
  }

  // Handles the markup at a "<".
  void markup() {
    const std::string_view rest = html_.substr(at_);
    if (rest.starts_with("<!--")) {
      const std::size_t end = html_.find("-->", at_ + 4);
      at_ = end == std::string_view::npos ? html_.size() : end + 3;
    } else if (rest.starts_with("<!") || rest.starts_with("<?")) {
      skip_to_tag_end();
    } else if (rest.size() > 1 && (rest[1] == '/' || is_letter(rest[1]))) {
      tag();
    } else {
      found_.text += '<';
      ++at_;
    }
  }

  static bool is_letter(char character) { return is_name_character(character) && (character < '0' || character > '9'); }

  void tag() {
    const bool closes = html_[at_ + 1] == '/';
    std::size_t end = at_ + (closes ? 2 : 1);
    std::string name;
    constexpr std::size_t longest = 16;
    for (; end < html_.size() && is_name_character(html_[end]); ++end)
      if (name.size() < longest) name += lower_letter(html_[end]);
    at_ = end;
    const bool is_empty = skip_to_tag_end();
    if (std::ranges::binary_search(kBlocks, name)) {
      trim(found_.text);
      if (!found_.text.empty()) found_.text += '\n';
    }
    if (closes || is_empty) return;
    if (name == "title" && found_.title.empty()) return title();
    if (std::ranges::binary_search(kHidden, name)) skip_element(name);
  }

  // Skips the attributes of a tag; their values in quotes may hold ">". Returns whether the tag is of the form "<x/>".
  bool skip_to_tag_end() {
    char quote = '\0';
    char before = '\0';
    for (; at_ < html_.size(); ++at_) {
      const char next = html_[at_];
      if (quote != '\0') {
        if (next == quote) quote = '\0';
      } else if (next == '>') {
        ++at_;
        return before == '/';
      } else if ((next == '"' || next == '\'') && before == '=') {
        quote = next;
      }
      if (!is_html_blank(next)) before = next;
    }
    return false;
  }

  void skip_element(const std::string& name) {
    at_ = find_word(html_, "</" + name, at_);
    if (at_ == html_.size()) return;
    at_ += 2;
    skip_to_tag_end();
  }

  void title() {
    const std::size_t end = find_word(html_, "</title", at_);
    append_text(html_.substr(at_, end - at_), found_.title);
    trim(found_.title);
    at_ = end;
    if (at_ == html_.size()) return;
    ++at_;
    skip_to_tag_end();
  }

  std::string_view html_;
  std::size_t at_ = 0;
  HtmlText found_;
};

}  // namespace

HtmlText html_text(std::string_view html) { return HtmlReader(html).read(); }

std::string_view encoding_of_html(std::string_view bytes) {
  constexpr std::size_t most = 4096;
  constexpr std::string_view mark = "charset=";
  const std::string_view head = bytes.substr(0, most);
  for (std::size_t meta = find_word(head, "<meta", 0); meta < head.size(); meta = find_word(head, "<meta", meta + 1)) {
    const std::string_view tag = head.substr(meta, std::min(head.find('>', meta), head.size()) - meta);
    const std::size_t found = find_word(tag, mark, 0);
    if (found == tag.size()) continue;
    std::string_view name = tag.substr(found + mark.size());
    while (!name.empty() && (name.front() == '"' || name.front() == '\'' || name.front() == ' ')) name.remove_prefix(1);
    const std::size_t end = std::min(name.find_first_of("\"' ;/>"), name.size());
    return name.substr(0, end);
  }
  return {};
}

bool begins_as_html(std::string_view head) {
  while (!head.empty() && is_html_blank(head.front())) head.remove_prefix(1);
  if (head.starts_with("<?xml")) {
    const std::size_t end = head.find("?>");
    if (end == std::string_view::npos) return false;
    head.remove_prefix(end + 2);
    while (!head.empty() && is_html_blank(head.front())) head.remove_prefix(1);
  }
  while (head.starts_with("<!--")) {
    const std::size_t end = head.find("-->");
    if (end == std::string_view::npos) return false;
    head.remove_prefix(end + 3);
    while (!head.empty() && is_html_blank(head.front())) head.remove_prefix(1);
  }
  return begins_with_word(head, "<!doctype html") || begins_with_word(head, "<html");
}

}  // namespace inkling
