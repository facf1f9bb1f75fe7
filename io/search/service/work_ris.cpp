#include "io/search/service/work_ris.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/corpus/fields/record_head.hpp"
#include "io/corpus/source/reference_record.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

// The tag for values with this role; empty if there is none.
std::string_view tag_of(FieldRole role) {
  constexpr std::pair<FieldRole, std::string_view> tags[] = {
      {FieldRole::title, "TI"}, {FieldRole::authors, "AU"}, {FieldRole::year, "PY"},     {FieldRole::journal, "JF"},
      {FieldRole::doi, "DO"},   {FieldRole::url, "UR"},     {FieldRole::abstract, "AB"}, {FieldRole::keywords, "KW"}};
  const auto* const found = std::ranges::find(tags, role, [](const auto& tag) { return tag.first; });
  return found == std::end(tags) ? std::string_view() : found->second;
}

bool is_tag(std::string_view name) {
  return name.size() == 2 && name[0] >= 'A' && name[0] <= 'Z' &&
         ((name[1] >= 'A' && name[1] <= 'Z') || (name[1] >= '0' && name[1] <= '9'));
}

// Whether the text is the same after it was written as a line and read again.
bool fits_a_line(std::string_view text) {
  return !text.empty() && text.find_first_of("\r\n\t") == std::string_view::npos && text.front() != ' ' && text.back() != ' ';
}

// Whether it is a rating that ASReview noted before. It is left out, because the rating of this search counts.
bool is_verdict(std::string_view note) {
  return note.find("ASReview_relevant") != std::string_view::npos || note.find("ASReview_irrelevant") != std::string_view::npos ||
         note.find("ASReview_not_seen") != std::string_view::npos;
}

std::string ris_line(std::string_view tag, std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text.empty() ? std::string() : fmt::format("{}  - {}\r\n", tag, text);
}

// The items of a list: the elements of an array, or, if `divides_text`, the parts of a text that ';' divides.
std::vector<std::string> items_of(const WorkValue& value, bool divides_text) {
  std::vector<std::string> items;
  if (!value.json.empty() && json_kind(value.json) == JsonKind::array) {
    for (JsonPieces pieces({value.json, 0}); pieces.has_next();) {
      const std::string_view item = pieces.next_element().text;
      items.push_back(json_kind(item) == JsonKind::string ? string_of_json(item) : std::string(item));
    }
    return items;
  }
  for (std::string_view rest = value.text; !rest.empty();) {
    const std::size_t end = divides_text ? std::min(rest.find(';'), rest.size()) : rest.size();
    std::string_view one = rest.substr(0, end);
    one.remove_prefix(std::min(divides_text ? one.find_first_not_of(' ') : 0, one.size()));
    items.emplace_back(one);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return items;
}

// Collects the lines of one record, and the values that have no line of their own.
class RisRecord {
 public:
  // A field may be named as a tag, because it came with another format ("AU" of Web of Science). If another field has the role of
  // that tag ("authors"), the line is for the field with the role.
  RisRecord(std::span<const WorkValue> values, bool is_excluded) : is_excluded_(is_excluded) {
    for (const WorkValue& value : values)
      if (const auto role = role_of_field(value.name); role && !is_tag(value.name) && !value.text.empty())
        claimed_.insert(tag_of(*role));
  }

  void add(const WorkValue& value) {
    if (value.text.empty()) return;
    if (value.name == "id" || value.name == "document") return take("ID", {value.text});
    if (value.name == "TY" && fits_a_line(value.text)) {
      type_ = value.text;
      return;
    }
    if (value.name == "tags") lines_ += ris_line("N1", (is_excluded_ ? "Excluded: " : "Tags: ") + value.text);
    if (value.name == "note") lines_ += ris_line("N1", value.text);
    const std::optional<FieldRole> role = role_of_field(value.name);
    const std::string_view tag = value.name == "text" ? "AB" : role ? tag_of(*role) : std::string_view();
    const bool is_list = tag == "AU" || tag == "KW" || tag == "UR";
    const bool is_free = !is_tag(value.name) || !claimed_.contains(value.name);
    if (is_free && !tag.empty() && !taken_.contains(tag)) return take(tag, items_of(value, is_list));
    if (is_free && is_tag(value.name) && value.name != "ER" && !taken_.contains(value.name)) {
      std::vector<std::string> items = items_of(value, false);
      if (value.name == "N1") std::erase_if(items, is_verdict);
      if (std::ranges::all_of(items, fits_a_line)) return take(value.name, items);
    }
    others_ += others_.empty() ? '{' : ',';
    others_ += JsonWriter().value(value.name).take() + ':';
    others_ += value.json.empty() ? JsonWriter().value(value.text).take() : value.json;
  }

  [[nodiscard]] std::string text(std::string_view verdict) && {
    if (!others_.empty()) lines_ += ris_line("N1", std::string(kNoteOfFields) + others_ + '}');
    return ris_line("TY", type_) + ris_line("N1", std::string(verdict)) + lines_ + "ER  - \r\n\r\n";
  }

 private:
  void take(std::string_view tag, const std::vector<std::string>& items) {
    for (const std::string& item : items) lines_ += ris_line(tag, item);
    taken_.insert(std::string(tag));
  }

  bool is_excluded_;
  std::string type_ = "JOUR";
  std::string lines_;
  std::set<std::string_view> claimed_;
  std::set<std::string, std::less<>> taken_;
  std::string others_;  // JSON, without its end
};

}  // namespace

// The rating is written as ASReview reads and writes it (its documentation, "Data format", and asreview/data/ris of its source):
// as a note. It is the first note, because ASReview takes the first one that has one of its three texts. Zotero also shows and
// searches notes.
std::string ris_record(std::span<const WorkValue> values, std::optional<double> rating) {
  RisRecord record(values, rating && *rating < kGoodRating);
  for (const WorkValue& value : values) record.add(value);
  return std::move(record).text(!rating                  ? "ASReview_not_seen"
                                : *rating >= kGoodRating ? "ASReview_relevant"
                                                         : "ASReview_irrelevant");
}

}  // namespace inkling
