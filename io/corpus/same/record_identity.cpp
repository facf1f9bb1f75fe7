#include "io/corpus/same/record_identity.hpp"

#include <algorithm>
#include <cstddef>

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <xxhash.h>

#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/fields/record_fields.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling {
namespace {

constexpr std::size_t kShortTitleBytes = 24;
constexpr std::size_t kLeastAbstract = 40;
constexpr std::size_t kLongestTitle = 2'000;

struct Rule {
  std::string_view name;
  bool SameBy::*is_on;
};
constexpr std::array kRules = {Rule{"doi", &SameBy::doi}, Rule{"pmid", &SameBy::pmid}, Rule{"title", &SameBy::title},
                               Rule{"text", &SameBy::text}};

std::uint64_t hash_of(std::string_view text) {
  return text.empty() ? 0 : std::max<std::uint64_t>(XXH3_64bits(text.data(), text.size()), 1);
}

std::uint32_t short_hash_of(std::string_view text) {
  return text.empty() ? 0 : std::max<std::uint32_t>(static_cast<std::uint32_t>(hash_of(text)), 1);
}

// Databases write α or alpha.
constexpr std::array<const char*, 25> kGreek = {
    "alpha", "beta",    "gamma", "delta", "epsilon", "zeta",  "eta", "theta",   "iota", "kappa", "lambda", "mu",   "nu",
    "xi",    "omicron", "pi",    "rho",   "sigma",   "sigma", "tau", "upsilon", "phi",  "chi",   "psi",    "omega"};
constexpr UChar32 kAlpha = 0x3B1;

// Of each byte of ASCII: the letter in lower case or the digit that it is, or 0.
constexpr auto kFolded = [] {
  std::array<char, 0x80> folded = {};
  for (char c = '0'; c <= '9'; ++c) folded[static_cast<std::size_t>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) folded[static_cast<std::size_t>(c)] = folded[static_cast<std::size_t>(c - 'a' + 'A')] = c;
  return folded;
}();

// What is a letter or a digit, in lower case and without accents.
std::string folded(std::string_view text) {
  std::string all(text.size(), 0);
  std::size_t size = 0;
  bool is_ascii = true;
  for (const char c : text) {
    is_ascii = is_ascii && static_cast<unsigned char>(c) < kFolded.size();
    const char plain = kFolded[static_cast<unsigned char>(c) % kFolded.size()];
    all[size] = plain;
    size += plain != 0 ? 1 : 0;
  }
  all.resize(is_ascii ? size : 0);
  if (is_ascii) return all;
  UErrorCode failure = U_ZERO_ERROR;
  const icu::UnicodeString parts = icu::Normalizer2::getNFKDInstance(failure)->normalize(
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size()))).foldCase(), failure);
  if (U_FAILURE(failure) != 0) return all;
  icu::UnicodeString plain;
  for (std::int32_t at = 0; at < parts.length(); at = parts.moveIndex32(at, 1)) {
    const UChar32 letter = u_tolower(parts.char32At(at));
    if (letter >= kAlpha && letter < kAlpha + static_cast<UChar32>(kGreek.size()))
      plain.append(icu::UnicodeString(kGreek[static_cast<std::size_t>(letter - kAlpha)], -1, US_INV));
    else if (u_isalnum(letter) != 0)
      plain.append(letter);
  }
  plain.toUTF8String(all);
  return all;
}

// Without "<sub>", "</i>", "&amp;" and "&#946;".
std::string without_markup(std::string_view text) {
  constexpr std::size_t longest = 16;
  if (text.find('<') == std::string_view::npos && text.find('&') == std::string_view::npos) return std::string(text);
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_tag = text[at] == '<' && at + 1 < text.size() && (text[at + 1] == '/' || is_ascii_letter(text[at + 1]));
    const bool is_entity = text[at] == '&' && at + 1 < text.size() && (text[at + 1] == '#' || is_ascii_letter(text[at + 1]));
    const std::size_t end = is_tag ? text.find('>', at) : is_entity ? text.find(';', at) : std::string_view::npos;
    const bool is_markup =
        end != std::string_view::npos && end - at <= longest && text.substr(at, end - at).find(' ') == std::string_view::npos;
    if (is_markup)
      at = end;
    else
      plain += text[at];
  }
  return plain;
}

bool names_another_record(const std::string& note) {
  return std::ranges::any_of(std::array{"erratum", "correct", "corrig", "retract", "reply", "comment", "response", "letter"},
                             [&](const char* word) { return note.find(word) != std::string::npos; });
}

// Without the section of the journal before the title ("Short report: ...") and a note after it ("... [Review].").
std::string_view bare_title(std::string_view title) {
  constexpr std::array<std::string_view, 10> sections = {
      "shortreport", "briefreport",        "originalarticle",    "researcharticle", "reviewarticle",
      "review",      "shortcommunication", "briefcommunication", "casereport",      "originalpaper"};
  const std::size_t colon = title.find(':');
  if (colon < 2 * kShortTitleBytes && std::ranges::find(sections, folded(title.substr(0, colon))) != sections.end())
    title.remove_prefix(colon + 1);
  const std::size_t end = title.find_last_not_of(" .");
  if (end == std::string_view::npos || title[end] != ']') return title;
  const std::size_t begin = title.find_last_of('[', end);
  const bool is_note =
      begin != std::string_view::npos && title.substr(0, begin).find_first_not_of(" .[") != std::string_view::npos;
  if (!is_note || names_another_record(folded(title.substr(begin, end - begin)))) return title;
  return title.substr(0, begin);
}

// The first run of letters and digits that has a digit: "494" of "pp. 494-6", "e0187376", "s12" of "S12-S15".
std::string first_number(std::string_view text) {
  std::string run;
  bool has_digit = false;
  for (const char c : ascii_lower_case(text)) {
    if (is_ascii_letter(c) || is_ascii_digit(c)) {
      run += c;
      has_digit |= is_ascii_digit(c);
    } else if (has_digit) {
      break;
    } else {
      run.clear();
    }
  }
  return has_digit ? run : std::string();
}

std::string digits_in(std::string_view text, std::size_t least, std::size_t most) {
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_ascii_digit(text[end])) ++end;
    if (end - begin >= least && end - begin <= most) return std::string(text.substr(begin, end - begin));
    begin = std::max(end, begin + 1);
  }
  return {};
}

// The first and the last word of the surname, or of the whole name where nothing says which word it is.
std::array<std::uint32_t, 2> words_of_author(std::string_view authors) {
  const std::string_view one = authors.substr(0, std::min({authors.find_first_of(";,&"), authors.find(" and ")}));
  std::array<std::string, 2> words;
  for (std::size_t begin = 0; begin < one.size();) {
    const std::size_t end = std::min(one.find_first_of(" .-'\t\n", begin), one.size());
    const std::string word = folded(one.substr(begin, end - begin));
    if (word.size() > 1) {
      if (words[0].empty()) words[0] = word;
      words[1] = word;
    }
    begin = end + 1;
  }
  return {short_hash_of(words[0]), short_hash_of(words[1])};
}

// Whether an id is a DOI and not, say, the path of a file.
bool is_doi(std::string_view id) {
  constexpr std::size_t least_digits = 4;
  const std::size_t at = id.find("10.");
  if (at != 0 && !id.substr(0, at).ends_with("doi.org/") && ascii_lower_case(id.substr(0, at)) != "doi:") return false;
  const std::string_view number = id.substr(at + 3);
  const std::size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
  return digits >= least_digits && number.substr(digits).starts_with('/');
}

std::uint64_t doi_in(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  std::string small = ascii_lower_case(text);
  if (const std::size_t at = small.find("10."); at != std::string::npos) small.erase(0, at);
  small.resize(std::min(small.find_first_of(blanks), small.size()));
  small.resize(small.find_last_not_of(".,;/") + 1);  // npos + 1 is 0
  return small.starts_with("10.") && small.find('/') != std::string::npos ? hash_of(small) : 0;
}

// What a value says: of a list its first one, of an object its name. At most these two lie within one another.
std::string text_in(std::string_view json, int most_levels = 2) {
  if (json.starts_with('"')) {
    if (json.size() < 2 || json.back() != '"') return {};
    if (json.find('\\') == std::string_view::npos) return std::string(json.substr(1, json.size() - 2));
    return json_fault(json) ? std::string() : string_of_json(json);
  }
  const bool is_list = json.starts_with('[');
  if (!is_list && !json.starts_with('{')) return json == "null" ? std::string() : std::string(json);
  JsonPieces pieces({.text = json});
  if (most_levels == 0 || !pieces.has_next()) return {};
  if (is_list) return text_in(pieces.next_element().text, most_levels - 1);
  while (pieces.has_next())
    if (const JsonMember member = pieces.next_member(); member.name.text == "\"name\"") return text_in(member.value.text, 0);
  return {};
}

}  // namespace

std::optional<SameBy> same_by_in(std::string_view rules) {
  SameBy by = kAllApart;
  if (rules == "none") return by;
  while (true) {
    const std::string_view name = rules.substr(0, rules.find(','));
    const auto* const rule = std::ranges::find(kRules, name, &Rule::name);
    if (rule == kRules.end()) return std::nullopt;
    by.*rule->is_on = true;
    if (name.size() == rules.size()) return by;
    rules.remove_prefix(name.size() + 1);
  }
}

std::string same_by_text(SameBy by) {
  std::string text;
  for (const Rule& rule : kRules)
    if (by.*rule.is_on) text += (text.empty() ? "" : ",") + std::string(rule.name);
  return text.empty() ? "none" : text;
}

IdentityReader::Part IdentityReader::part_of(std::string_view quoted_name) {
  constexpr std::size_t most_names = 1'000;
  const auto known = known_.find(quoted_name);
  if (known != known_.end()) return known->second;
  constexpr std::array<std::pair<std::string_view, Part>, 23> names = {{{"volume", Part::volume},
                                                                        {"vl", Part::volume},
                                                                        {"vi", Part::volume},
                                                                        {"v", Part::volume},
                                                                        {"vol", Part::volume},
                                                                        {"pages", Part::page},
                                                                        {"page", Part::page},
                                                                        {"sp", Part::page},
                                                                        {"bp", Part::page},
                                                                        {"pg", Part::page},
                                                                        {"p", Part::page},
                                                                        {"ar", Part::page},
                                                                        {"pagestart", Part::page},
                                                                        {"startpage", Part::page},
                                                                        {"firstpage", Part::page},
                                                                        {"artno", Part::page},
                                                                        {"articlenumber", Part::page},
                                                                        {"beginningpage", Part::page},
                                                                        {"pagerange", Part::page},
                                                                        {"fpage", Part::page},
                                                                        {"pmid", Part::pmid},
                                                                        {"pubmedid", Part::pmid},
                                                                        {"pm", Part::pmid}}};
  const std::string plain = plain_field_name(quoted_name);
  Part part = Part::none;
  if (const auto* const found = std::ranges::find(names, plain, &std::pair<std::string_view, Part>::first); found != names.end())
    part = found->second;
  else if (const std::optional<FieldRole> role = role_of_field(plain))
    part = *role == FieldRole::doi       ? Part::doi
           : *role == FieldRole::title   ? Part::title
           : *role == FieldRole::authors ? Part::authors
           : *role == FieldRole::year    ? Part::year
           : *role == FieldRole::url     ? Part::link
                                         : Part::none;
  if (known_.size() < most_names) known_.emplace(quoted_name, part);
  return part;
}

// The first value of a part counts.
bool IdentityReader::is_taken(Part part, const RecordIdentity& identity) const noexcept {
  switch (part) {
    case Part::none: return true;
    case Part::doi: return identity.doi != 0 && !doi_is_link_;
    case Part::link: return identity.doi != 0;
    case Part::pmid: return identity.pmid != 0;
    case Part::title: return identity.title != 0;
    case Part::authors: return identity.author[0] != 0;
    case Part::volume: return identity.volume != 0;
    case Part::page: return identity.page != 0;
    case Part::year: return identity.year != 0;
  }
  return true;
}

// Requires: nothing is taken of this part.
void IdentityReader::take(Part part, std::string_view json, RecordIdentity& identity) {
  const std::string text = text_in(json);
  switch (part) {
    case Part::none: return;
    case Part::doi:
      identity.doi = doi_in(text);
      doi_is_link_ = false;
      return;
    case Part::link:
      if (text.find("doi.org/10.") == std::string::npos) return;
      identity.doi = doi_in(text);
      doi_is_link_ = identity.doi != 0;
      return;
    case Part::pmid: identity.pmid = hash_of(digits_in(text, 1, 9)); return;
    case Part::title: {
      title_bytes_ = text.size();
      const std::string title = folded(bare_title(without_markup(std::string_view(text).substr(0, kLongestTitle))));
      identity.title = hash_of(title);
      if (title.size() < kShortTitleBytes) identity.extent |= RecordIdentity::kShortTitle;
      return;
    }
    case Part::authors: identity.author = words_of_author(text); return;
    case Part::volume: identity.volume = short_hash_of(digits_in(text, 1, 9)); return;
    case Part::page: identity.page = short_hash_of(first_number(text)); return;
    case Part::year:
      for (const char digit : digits_in(text, 4, 4)) identity.year = identity.year * 10 + static_cast<std::uint32_t>(digit - '0');
      return;
  }
}

RecordIdentity IdentityReader::read(const SourceDocument& document) {
  RecordIdentity identity;
  title_bytes_ = 0;
  doi_is_link_ = false;
  if (document.fields.starts_with('{')) {
    for (JsonPieces members({.text = document.fields}); members.has_next();) {
      const JsonMember member = members.next_member();
      if (const Part part = part_of(member.name.text); !is_taken(part, identity)) take(part, member.value.text, identity);
    }
  }
  if (document.id_is_pmid && identity.pmid == 0) identity.pmid = hash_of(digits_in(document.id, 1, 9));
  if (identity.doi == 0 && is_doi(document.id)) identity.doi = doi_in(document.id);
  if (identity == RecordIdentity()) return identity;
  if (document.text.size() >= title_bytes_ + kLeastAbstract) identity.extent |= RecordIdentity::kAbstract;
  return identity;
}

}  // namespace inkling
