#include "io/corpus/fields/record_fields.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <numeric>

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/text/decoding.hpp"

namespace inkling {
namespace {

struct NamesOfRole {
  FieldRole role;
  std::string_view names;  // as `plain_field_name` makes them, with a blank between
};

// The names in exports of PubMed, Scopus, Embase, Web of Science, Zotero, EndNote, Mendeley, ASReview, Rayyan, Covidence,
// Dimensions, Lens and ClinicalTrials.gov, and the tags of RIS and NBIB.
constexpr NamesOfRole kNamesOfRoles[] = {
    {FieldRole::title,
     "articletitle dctitle documenttitle itemtitle manuscripttitle primarytitle studytitle ti titel title titre titulo"},
    {FieldRole::abstract,
     "ab abstract abstractnote abstracttext briefsummary dcdescriptionabstract notesabstract resume resumen zusammenfassung"},
    {FieldRole::authors, "au author authorfullnames authornames authors dccontributorauthor"},
    {FieldRole::year, "date dcdateissued publicationyear publishedyear pubyear py year"},
    {FieldRole::journal, "journal journalbook publicationtitle so sourcepublication sourcetitle"},
    {FieldRole::doi, "dcidentifierdoi di doi doilink itemdoi"},
    {FieldRole::url, "articleurl fulltextlink link studyurl url urls"},
    {FieldRole::keywords, "authorkeywords keywords manualtags"},
    {FieldRole::identifier,
     "accessionnumber eid id key lensid nctnumber pmid publicationid pubmedid pui recordid ut utuniquewosid"},
    {FieldRole::label, "label"},
    {FieldRole::rating, "asreviewlabel finalincluded include included labelincluded"},
};

struct KnownName {
  std::string_view name;
  FieldRole role;
};

constexpr std::size_t kKnownCount = [] {
  std::size_t count = 0;
  for (const NamesOfRole& one : kNamesOfRoles) count += 1 + static_cast<std::size_t>(std::ranges::count(one.names, ' '));
  return count;
}();

// Ascending by name.
constexpr std::array<KnownName, kKnownCount> kKnownNames = [] {
  std::array<KnownName, kKnownCount> known{};
  std::size_t next = 0;
  for (const NamesOfRole& one : kNamesOfRoles)
    for (std::size_t begin = 0, end = 0; begin < one.names.size(); begin = end + 1) {
      end = std::min(one.names.find(' ', begin), one.names.size());
      known[next++] = {one.names.substr(begin, end - begin), one.role};
    }
  std::ranges::sort(known, {}, &KnownName::name);
  return known;
}();

}  // namespace

void RecordFields::clear() {
  bytes_.clear();
  fields_.clear();
}

void RecordFields::add(std::string_view name, std::string_view value) {
  bytes_ += name;
  const std::size_t name_end = bytes_.size();
  append_json_string(value, bytes_);
  fields_.push_back({.name_end = name_end, .value_end = bytes_.size()});
}

void RecordFields::add_json(std::string_view name, std::string_view json) {
  bytes_ += name;
  const std::size_t name_end = bytes_.size();
  bytes_ += json;
  fields_.push_back({.name_end = name_end, .value_end = bytes_.size()});
}

std::string_view RecordFields::name_of(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : fields_[index - 1].value_end;
  return std::string_view(bytes_).substr(begin, fields_[index].name_end - begin);
}

std::string_view RecordFields::value_of(std::size_t index) const {
  const Field& field = fields_[index];
  return std::string_view(bytes_).substr(field.name_end, field.value_end - field.name_end);
}

// Indices of the fields, those of one name next to each other.
void RecordFields::sort_by_name() {
  order_.resize(fields_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::sort(order_, [&](std::size_t one, std::size_t other) {
    const int compared = name_of(one).compare(name_of(other));
    return compared != 0 ? compared < 0 : one < other;
  });
  for (std::size_t n = 0; n < order_.size(); ++n) {
    const bool goes_on = n + 1 < order_.size() && name_of(order_[n]) == name_of(order_[n + 1]);
    fields_[order_[n]].next = goes_on ? order_[n + 1] : 0;
    if (goes_on) fields_[order_[n + 1]].is_first = false;
  }
}

// The value of a name that comes once, or the list of its values.
void RecordFields::append_value(std::size_t first) {
  const bool is_list = fields_[first].next != 0;
  if (is_list) json_ += '[';
  json_ += value_of(first);
  for (std::size_t later = fields_[first].next; later != 0; later = fields_[later].next) {
    json_ += ',';
    json_ += value_of(later);
  }
  if (is_list) json_ += ']';
}

std::string_view RecordFields::json() {
  json_.clear();
  sort_by_name();
  for (std::size_t index = 0; index < fields_.size(); ++index) {
    if (!fields_[index].is_first) continue;
    json_ += json_.empty() ? '{' : ',';
    append_json_string(name_of(index), json_);
    json_ += ':';
    append_value(index);
  }
  if (!json_.empty()) json_ += '}';
  return json_;
}

std::string plain_field_name(std::string_view name) {
  constexpr std::size_t longest = 100;
  name = name.substr(0, longest);
  std::string bytes;
  if (is_ascii(name)) {
    std::ranges::copy_if(name, std::back_inserter(bytes), [](char c) { return is_ascii_letter(c) || is_ascii_digit(c); });
    return ascii_lower_case(bytes);
  }
  UErrorCode failure = U_ZERO_ERROR;
  const icu::UnicodeString parts = icu::Normalizer2::getNFKDInstance(failure)->normalize(
      icu::UnicodeString::fromUTF8(icu::StringPiece(name.data(), static_cast<std::int32_t>(name.size()))), failure);
  if (U_FAILURE(failure) != 0) return {};
  icu::UnicodeString plain;
  for (std::int32_t at = 0; at < parts.length(); at = parts.moveIndex32(at, 1))
    if (u_isalnum(parts.char32At(at)) != 0) plain.append(u_tolower(parts.char32At(at)));
  return plain.toUTF8String(bytes);
}

std::optional<FieldRole> role_of_field(std::string_view name) {
  const std::string plain = plain_field_name(name.substr(0, name.find('[')));  // dc.title[en]
  const auto* const found = std::ranges::lower_bound(kKnownNames, plain, {}, &KnownName::name);
  if (found == kKnownNames.end() || found->name != plain) return std::nullopt;
  return found->role;
}

}  // namespace inkling
