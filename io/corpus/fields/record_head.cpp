#include "io/corpus/fields/record_head.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/text/decoding.hpp"

namespace inkling {
namespace {

constexpr std::size_t kLongestLine = 500;  // characters
constexpr std::size_t kLongestAddress = 2'000;
constexpr std::size_t kMostLinks = 5;
constexpr std::size_t kMostKeywords = 100;
constexpr std::string_view kBlanks = " \t\r\n";

// The text of a value that is no list.
std::string text_of_value(std::string_view json) {
  const JsonKind kind = json_kind(json);
  if (kind == JsonKind::string) return string_of_json(json);
  return kind == JsonKind::null ? std::string() : std::string(json);
}

// The text of a value within a list; of an object, its name.
std::string text_of_item(std::string_view json) {
  if (json_kind(json) != JsonKind::object) return text_of_value(json);
  for (const KeptField& member : kept_fields(json))
    if (member.name == "name") return text_of_value(member.json);
  return std::string(json);
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = kBlanks.find(c) != std::string_view::npos;
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return utf8_shortened(line, kLongestLine);
}

// The first four digits that are not part of a longer number: of "2021-03-04", "Mar 2021" and "[2021]".
std::string year_in(std::string_view text) {
  constexpr std::size_t digits = 4;
  for (std::size_t begin = 0; begin < text.size();) {
    if (!is_ascii_digit(text[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < text.size() && is_ascii_digit(text[end])) ++end;
    if (end - begin == digits) return std::string(text.substr(begin, digits));
    begin = end;
  }
  return {};
}

bool is_address(std::string_view text) {
  const std::string small = ascii_lower_case(text.substr(0, std::string_view("https://").size()));
  if (!small.starts_with("https://") && !small.starts_with("http://")) return false;
  constexpr std::string_view ends = "\"<>\\^`{|}";
  return text.size() <= kLongestAddress && std::ranges::all_of(text, [&](char c) {
           return static_cast<unsigned char>(c) > ' ' && c != 0x7F && ends.find(c) == std::string_view::npos;
         });
}

void add_link(std::vector<std::string>& links, std::string link) {
  const bool is_known = std::ranges::find(links, link) != links.end();
  if (!link.empty() && !is_known && links.size() < kMostLinks) links.push_back(std::move(link));
}

// One value may hold several addresses.
void add_addresses(std::vector<std::string>& links, std::string_view text) {
  constexpr std::string_view between = " \t\r\n;";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(between), text.size());
    if (is_address(text.substr(0, end))) add_link(links, std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// The items of a list: the values of an array, or the parts of a text that ';' divides.
void add_items(std::vector<std::string>& items, const std::string& text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    std::string item = one_line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const bool is_known = std::ranges::find(items, item) != items.end();
    if (!item.empty() && !is_known && items.size() < kMostKeywords) items.push_back(std::move(item));
  }
}

bool is_among(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, ascii_lower_case(name)) != names.end();
}

// Headings of a thesaurus, and kinds of publication, as PubMed, Embase, Web of Science and OpenAlex name them.
constexpr std::string_view kHeadings[] = {"mh", "mesh", "mesh_terms", "mesh terms", "de", "ot", "emtree", "id_keywords"};
constexpr std::string_view kKinds[] = {"pt", "publication_type", "publication type", "document_type", "document type", "m3",
                                       "dt"};

}  // namespace

std::optional<FieldRole> KeptField::role() const {
  return role_of_field(std::string_view(name).substr(name.rfind('.') + 1));  // npos + 1 is 0
}

std::string KeptField::text() const {
  if (json_kind(json) != JsonKind::array) return text_of_value(json);
  std::string all;
  for (JsonPieces values({.text = json}); values.has_next();)
    all += (all.empty() ? "" : "; ") + text_of_item(values.next_element().text);
  return all;
}

std::vector<KeptField> kept_fields(std::string_view json) {
  std::vector<KeptField> fields;
  if (json.empty() || json_fault(json) || json_kind(json) != JsonKind::object) return fields;
  for (JsonPieces members({.text = json}); members.has_next();) {
    const JsonMember member = members.next_member();
    fields.push_back({string_of_json(member.name.text), member.value.text});
  }
  return fields;
}

std::string address_of_doi(std::string_view text) {
  constexpr std::string_view prefixes[] = {"https://", "http://", "dx.doi.org/", "doi.org/", "doi:"};
  const auto trim = [&text] {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  };
  trim();
  for (const std::string_view prefix : prefixes) {
    if (ascii_lower_case(text.substr(0, prefix.size())) == prefix) text.remove_prefix(prefix.size());
    trim();
  }
  if (!text.starts_with("10.") || text.find('/') == std::string_view::npos || text.size() > kLongestAddress) return {};
  constexpr std::string_view plain = "-._~/:;()+,@!$&*=";
  std::string address = "https://doi.org/";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= ' ') return {};
    if (is_ascii_letter(c) || is_ascii_digit(c) || plain.find(c) != std::string_view::npos)
      address += c;
    else
      address += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return address;
}

RecordHead record_head(std::string_view json) {
  RecordHead head;
  std::vector<std::string> addresses;
  for (const KeptField& field : kept_fields(json)) {
    const std::optional<FieldRole> role = field.role();
    if (role == FieldRole::title && head.title.empty()) head.title = one_line(field.text());
    if (role == FieldRole::authors && head.authors.empty()) head.authors = one_line(field.text());
    if (role == FieldRole::year && head.year.empty()) head.year = year_in(field.text());
    if (role == FieldRole::journal && head.journal.empty()) head.journal = one_line(field.text());
    if (role == FieldRole::keywords || is_among(field.name, kHeadings)) add_items(head.keywords, field.text());
    if (is_among(field.name, kKinds) && field.text().size() > 2) add_items(head.kinds, field.text());
    if (role == FieldRole::doi) add_link(head.links, address_of_doi(field.text()));
    if (role == FieldRole::url) add_addresses(addresses, field.text());
  }
  for (std::string& address : addresses) add_link(head.links, std::move(address));
  return head;
}

}  // namespace inkling
