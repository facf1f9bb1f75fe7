#include "io/corpus/source/reference_record.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "engine/core/nearest_name.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/fields/record_head.hpp"
#include "io/corpus/source/record_format.hpp"

namespace inkling {
namespace {

// What a value takes here and among the fields, beside its text.
constexpr std::size_t kBytesOfValue = 256;
constexpr std::size_t kRoles = static_cast<std::size_t>(FieldRole::rating) + 1;

std::size_t number_of(FieldRole role) { return static_cast<std::size_t>(role); }

// Names are short, and mostly differ at an end, which takes less than a call that compares them.
bool is_same_name(std::string_view one, std::string_view other) {
  return one.size() == other.size() &&
         (one.empty() || (one.front() == other.front() && one.back() == other.back() && (one.size() <= 2 || one == other)));
}

bool is_list(FieldRole role) { return role == FieldRole::authors || role == FieldRole::keywords || role == FieldRole::url; }

std::string_view name_of_role(FieldRole role) {
  switch (role) {
    case FieldRole::title: return "title";
    case FieldRole::abstract: return "abstract";
    case FieldRole::authors: return "authors";
    case FieldRole::year: return "year";
    case FieldRole::journal: return "journal";
    case FieldRole::doi: return "doi";
    case FieldRole::url: return "url";
    case FieldRole::keywords: return "keywords";
    case FieldRole::identifier:
    case FieldRole::label:
    case FieldRole::rating: break;
  }
  return {};
}

// "2019" of "2019/05/03/" and of "Apr 2019", the first four digits with no other beside them; empty if there are none.
std::string_view year_of_date(std::string_view date) {
  constexpr std::string_view digits = "0123456789";
  constexpr std::size_t size = 4;
  for (std::size_t at = date.find_first_of(digits); at != std::string_view::npos; at = date.find_first_of(digits, at)) {
    const std::size_t end = std::min(date.find_first_not_of(digits, at), date.size());
    if (end - at == size) return date.substr(at, size);
    at = end;
  }
  return {};
}

}  // namespace

ReferenceRecord::ReferenceRecord(std::span<const ReferenceTag> known, const SourceOptions& options)
    : known_(known),
      options_(&options),
      budget_(budget_of_records(options.reading)),
      text_fields_(fields_listed_in(options.text_field)),
      usual_text_(options.text_field == SourceOptions().text_field) {}

void ReferenceRecord::begin(std::size_t bytes) {
  budget_.renew(bytes);
  bytes_.clear();
  values_.clear();
}

void ReferenceRecord::add(std::string_view tag, std::string_view value) {
  budget_.take(kBytesOfValue + tag.size() + value.size());
  Value added;
  added.tag_begin = bytes_.size();
  bytes_ += tag;
  added.text_begin = bytes_.size();
  bytes_ += value;
  added.end = bytes_.size();
  const auto found = std::ranges::find_if(known_, [&](const ReferenceTag& row) { return is_same_name(row.tag, tag); });
  if (found != known_.end()) added.known = static_cast<std::size_t>(found - known_.begin());
  values_.push_back(added);
}

void ReferenceRecord::add_json(std::string_view tag, std::string_view json) {
  add(tag, json);
  values_.back().known.reset();
  values_.back().is_json = true;
}

void ReferenceRecord::extend(std::string_view separator, std::string_view more) {
  budget_.take(separator.size() + more.size());
  Value& last = values_.back();
  if (last.end > last.text_begin) bytes_ += separator;
  bytes_ += more;
  last.end = bytes_.size();
}

// Programs put notes into "<p>" and break long lines, so both are undone.
void ReferenceRecord::unfold_notes(std::string_view tag) {
  const auto begin_of_fields = [&](const Value& value) {
    constexpr std::size_t paragraph = std::string_view("<p>").size();
    const std::size_t at = tag_of(value) == tag ? text_of(value).find(kNoteOfFields) : paragraph + 1;
    return at <= paragraph ? at + kNoteOfFields.size() : 0;
  };
  if (std::ranges::all_of(values_, [&](const Value& value) { return begin_of_fields(value) == 0; })) return;
  for (const Value& value : std::exchange(values_, {})) {
    const std::size_t begin = begin_of_fields(value);
    std::string json(begin > 0 ? text_of(value).substr(begin) : std::string_view());
    std::ranges::replace(json, '\n', ' ');
    if (json.ends_with("</p>")) json.erase(json.size() - std::string_view("</p>").size());
    if (json.empty() || json_fault(json) || json_kind(json) != JsonKind::object) {
      values_.push_back(value);
      continue;
    }
    for (const KeptField& field : kept_fields(json)) {
      const bool is_text = json_kind(field.json) == JsonKind::string;
      add_json(field.name, is_text ? std::string_view(field.text()) : field.json);
      values_.back().is_json = !is_text;
    }
  }
}

std::string_view ReferenceRecord::tag_of(const Value& value) const {
  return std::string_view(bytes_).substr(value.tag_begin, value.text_begin - value.tag_begin);
}

std::string_view ReferenceRecord::text_of(const Value& value) const {
  return std::string_view(bytes_).substr(value.text_begin, value.end - value.text_begin);
}

std::string_view ReferenceRecord::name_of(const Value& value) const {
  const bool has_role = value.is_chosen && known_[*value.known].role != FieldRole::identifier;
  return has_role ? name_of_role(known_[*value.known].role) : tag_of(value);
}

// Chooses for each role the first tag of the table that has a value, and all its values if the role is a list.
void ReferenceRecord::choose() {
  std::array<std::size_t, kRoles> best{};
  best.fill(known_.size());
  std::array<bool, kRoles> taken{};
  for (const Value& value : values_) {
    if (!value.known || value.end == value.text_begin) continue;
    std::size_t& row = best[number_of(known_[*value.known].role)];
    row = std::min(row, *value.known);
  }
  for (Value& value : values_) {
    value.is_chosen = false;
    if (!value.known || value.end == value.text_begin) continue;
    const FieldRole role = known_[*value.known].role;
    bool& is_taken = taken[number_of(role)];
    value.is_chosen = best[number_of(role)] == *value.known && (is_list(role) || !is_taken);
    is_taken = is_taken || value.is_chosen;
  }
}

const ReferenceRecord::Value* ReferenceRecord::chosen(FieldRole role) const {
  for (const Value& value : values_)
    if (value.is_chosen && known_[*value.known].role == role) return &value;
  return nullptr;
}

bool ReferenceRecord::has_name(const Value& value, std::string_view name) const {
  return value.end > value.text_begin && (is_same_name(name_of(value), name) || is_same_name(tag_of(value), name));
}

// Whether the record has the tags of Web of Science in BibTeX, as R's bibliometrix has them: then "id" holds keywords.
bool ReferenceRecord::has_wos_tags() const {
  return std::ranges::any_of(values_, [&](const Value& value) {
    const std::string_view tag = tag_of(value);
    return is_same_name(tag, "de") || is_same_name(tag, "ut") || is_same_name(tag, "sr");
  });
}

// Appends all values of that name, with "; " between them.
bool ReferenceRecord::append_named(std::string_view name) {
  bool found = false;
  for (const Value& value : values_) {
    if (!has_name(value, name)) continue;
    if (std::exchange(found, true)) text_.append("; ");
    text_.append(text_of(value));
  }
  return found;
}

RecordVerdict ReferenceRecord::take_text(SourceDocument& document) {
  text_.clear();
  bool found = false;
  static const std::vector<std::string> usual = {"title", "abstract"};
  const std::vector<std::string>& names = usual_text_ ? usual : text_fields_;
  for (const std::string& name : names) {
    const std::size_t before = text_.size();
    if (found) text_.append("\n");
    if (!append_named(name)) {
      text_.truncate(before);
      continue;
    }
    found = true;
    seen_.found.insert(usual_text_ ? options_->text_field : name);
    if (name == names.front() && names.size() > 1) document.title_bytes = text_.size();
  }
  document.text = text_.view();
  if (found) return std::nullopt;
  if (usual_text_) return RecordProblem{"expected a title or an abstract in the record, found neither"};
  return missing_field(options_->text_field);
}

RecordProblem ReferenceRecord::missing_field(std::string_view name) const {
  constexpr std::size_t most_shown = 500;
  std::vector<std::string> names;
  for (const Value& value : values_)
    if (names.size() < most_shown && std::ranges::find(names, name_of(value)) == names.end()) names.emplace_back(name_of(value));
  return {
      fmt::format("expected the field {}{}, found {}", quoted_text(name), did_you_mean("", name, names), fmt::join(names, ", "))};
}

std::string_view ReferenceRecord::take_named(const std::string& name, const Value* usual, bool& found) {
  for (const Value& value : values_) {
    if (!has_name(value, name)) continue;
    found = true;
    return text_of(value);
  }
  return usual == nullptr ? std::string_view() : text_of(*usual);
}

// Whether the document's text or id holds the value already.
bool ReferenceRecord::is_elsewhere(const Value& value) const {
  if (value.end == value.text_begin) return true;
  if (usual_text_) {
    if (value.is_chosen && known_[*value.known].role == FieldRole::abstract) return true;
  } else {
    for (const std::string& name : text_fields_)
      if (has_name(value, name) && name_of(value) != "title") return true;
  }
  return value.is_chosen && known_[*value.known].role == FieldRole::identifier && options_->id_field == SourceOptions().id_field;
}

void ReferenceRecord::add_field(const Value& value) {
  const std::string_view text = text_of(value);
  if (value.is_json) return fields_.add_json(name_of(value), text);
  if (!value.is_chosen || known_[*value.known].role != FieldRole::year) return fields_.add(name_of(value), text);
  const std::string_view year = year_of_date(text);
  if (!year.empty()) fields_.add("year", year);
  if (year.empty() || !text.starts_with(year) || text.find_first_not_of('/', year.size()) != std::string_view::npos)
    fields_.add(tag_of(value) == "year" && !year.empty() ? "date" : tag_of(value), text);
}

RecordVerdict ReferenceRecord::visit(const DocumentVisitor& visit) {
  choose();
  if (options_->seen && seen_.names.empty())
    for (const Value& value : values_) seen_.names.emplace_back(name_of(value));
  SourceDocument document;
  if (RecordVerdict problem = take_text(document)) return problem;
  const Value* identifier = chosen(FieldRole::identifier);
  if (identifier == nullptr) identifier = chosen(FieldRole::doi);
  bool has_id = identifier != nullptr && options_->id_field == SourceOptions().id_field;
  const Value* const usual_id = has_id ? identifier : nullptr;
  document.id = has_id && has_wos_tags() ? text_of(*identifier) : take_named(options_->id_field, usual_id, has_id);
  document.id_is_pmid = has_id && identifier != nullptr && tag_of(*identifier) == "PMID";
  bool has_label = false;
  document.label = take_named(options_->label_field, nullptr, has_label);
  if (has_id) seen_.found.insert(options_->id_field);
  if (has_label) seen_.found.insert(options_->label_field);
  if (RecordVerdict problem = unstorable_label(document.label)) return problem;
  if (!keeps_label(*options_, document.label)) return std::nullopt;
  fields_.clear();
  for (const Value& value : values_)
    if (!is_elsewhere(value)) add_field(value);
  document.fields = fields_.json();
  visit(document);
  return std::nullopt;
}

void ReferenceRecord::report() {
  if (options_->seen) options_->seen->add(seen_);
}

}  // namespace inkling
