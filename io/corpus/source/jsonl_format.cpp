// One JSON object a line.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/fields/record_fields.hpp"
#include "io/corpus/source/json_record.hpp"
#include "io/corpus/source/record_format.hpp"

namespace inkling {
namespace {

using simdjson::dom::element_type;
using JsonElement = std::optional<simdjson::dom::element>;

// The text of a value; `scratch` holds it if the value is not a string. Empty for null; nothing for arrays and objects.
std::optional<std::string_view> text_of_json_value(simdjson::dom::element value, std::string& scratch) {
  switch (value.type()) {
    case element_type::STRING: return value.get_string().value_unsafe();
    case element_type::NULL_VALUE: return "";
    case element_type::BOOL: return value.get_bool().value_unsafe() ? "true" : "false";
    case element_type::INT64: scratch = std::to_string(value.get_int64().value_unsafe()); return scratch;
    case element_type::UINT64: scratch = std::to_string(value.get_uint64().value_unsafe()); return scratch;
    case element_type::DOUBLE: scratch = number_text(value.get_double().value_unsafe()); return scratch;
    default: return std::nullopt;
  }
}

// The three fields of an object; the first of each name.
struct JsonFields {
  JsonElement text;
  JsonElement id;
  JsonElement label;
  bool has_others = false;
};

JsonFields fields_of(simdjson::dom::object object, const SourceOptions& options) {
  JsonFields fields;
  for (const auto& [key, value] : object) {
    const bool is_text = key == options.text_field;
    const bool is_id = key == options.id_field;
    const bool is_label = key == options.label_field;
    if (!fields.text && is_text) fields.text = value;
    if (!fields.id && is_id) fields.id = value;
    if (!fields.label && is_label) fields.label = value;
    fields.has_others |= !is_text && !is_id && (!is_label || value.is_array());
  }
  return fields;
}

// The path "a.b" is the field "b" of the object "a", unless the object has a key "a.b" itself.
JsonElement field_at_path(simdjson::dom::object object, std::string_view path) {
  simdjson::dom::element value;
  if (object.at_key(path).get(value) == simdjson::SUCCESS) return value;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    simdjson::dom::object inner;
    if (object.at_key(path.substr(0, dot)).get(inner) != simdjson::SUCCESS) continue;
    if (JsonElement found = field_at_path(inner, path.substr(dot + 1))) return found;
  }
  return std::nullopt;
}

// The names of the fields, with those of nested objects as "a.b"; only the first ones of an object that has many.
std::vector<std::string> names_in(simdjson::dom::object object) {
  constexpr std::size_t most = 100;
  std::vector<std::string> names;
  for (const auto& [key, value] : object) {
    if (names.size() >= most) break;
    names.emplace_back(key);
    simdjson::dom::object inner;
    if (value.get(inner) != simdjson::SUCCESS) continue;
    for (const auto& field : inner)
      if (names.size() < most) names.push_back(fmt::format("{}.{}", key, field.key));
  }
  return names;
}

RecordProblem missing_field(simdjson::dom::object object, const std::string& wanted) {
  constexpr std::size_t most_shown = 8;
  const std::vector<std::string> names = names_in(object);
  std::string found;
  for (std::size_t n = 0; n < std::min(names.size(), most_shown); ++n) found += (n == 0 ? "" : ", ") + quoted_text(names[n]);
  if (names.size() > most_shown) found += ", ...";
  return {fmt::format("expected the field {} (--text-field names another), found {}", quoted_text(wanted),
                      found.empty() ? "none" : found)};
}

// What to do with JSON that is not an object on each line.
std::string hint_for_json(std::string_view json, const RecordProblem& problem) {
  const std::string_view start = json.substr(std::min(json.find_first_not_of(" \t"), json.size()));
  if (start.starts_with('[')) return problem.expectation + "; \"jq -c '.[]'\" writes each object of a list on a line";
  const std::size_t end = start.find_last_not_of(" \t\r");
  if (start.starts_with('{') && (end == 0 || start[end] == ','))
    return problem.expectation + "; \"jq -c .\" writes each object on a line";
  return problem.expectation;
}

// Reads one object after another. What it hands over is valid until the next one.
class JsonDocumentParser {
 public:
  JsonDocumentParser(const SourceOptions& options, const DocumentVisitor& visit)
      : options_(&options),
        visit_(&visit),
        text_fields_(fields_listed_in(options.text_field)),
        has_paths_(text_fields_.size() > 1 || is_path(options.text_field) || is_path(options.id_field) ||
                   is_path(options.label_field)),
        budget_(budget_of_records(options.reading)) {}

  // Requires: padded.
  RecordVerdict parse(std::string_view json) {
    budget_.renew(json.size());
    const auto parsed = parser_.parse(json);
    if (const auto* problem = std::get_if<RecordProblem>(&parsed))
      return RecordProblem{hint_for_json(json, *problem), problem->position};
    const auto object = std::get<simdjson::dom::object>(parsed);
    if (options_->seen && seen_.names.empty()) seen_.names = names_in(object);
    JsonFields fields = fields_of(object, *options_);
    if (has_paths_) find_paths(object, fields);
    find_text_names(object, fields);
    note_fields(fields);
    others_.clear();
    if (fields.has_others && options_->keep_fields) keep_others({.text = json}, {});
    return visit(object, fields);
  }

  // Notes in `options.seen` the fields of all records.
  void report() {
    if (!options_->seen) return;
    if (has_text_) seen_.found.insert(options_->text_field);
    if (has_id_) seen_.found.insert(options_->id_field);
    if (has_label_) seen_.found.insert(options_->label_field);
    options_->seen->add(seen_);
  }

 private:
  static bool is_path(const std::string& field) { return field.find('.') != std::string::npos; }

  void find_paths(simdjson::dom::object object, JsonFields& fields) const {
    if (!fields.text && text_fields_.size() == 1) fields.text = field_at_path(object, options_->text_field);
    if (!fields.id) fields.id = field_at_path(object, options_->id_field);
    if (!fields.label) fields.label = field_at_path(object, options_->label_field);
  }

  // Finds the fields that make the text of this object. If it has none of the default name, they are title and abstract,
  // by their known names; mostly they have the same names as in the object before.
  void find_text_names(simdjson::dom::object object, const JsonFields& fields) {
    takes_title_ = !fields.text && options_->text_field == SourceOptions().text_field;
    if (!takes_title_) return;
    constexpr std::array roles = {FieldRole::title, FieldRole::abstract};
    for (std::size_t n = 0; n < roles.size(); ++n) {
      std::string& name = title_and_abstract_[n];
      if (!name.empty() && object.at_key(name).error() == simdjson::SUCCESS) continue;
      name.clear();
      for (const auto& [key, value] : object)
        if (name.empty() && role_of_field(key) == roles[n]) name = key;
    }
    has_text_ = has_text_ || !title_and_abstract_[0].empty() || !title_and_abstract_[1].empty();
  }
  [[nodiscard]] std::span<const std::string> text_names() const {
    return takes_title_ ? std::span<const std::string>(title_and_abstract_) : text_fields_;
  }

  // Whether the member need not be kept, because it is the text, id or label. A list of labels is kept, because the
  // document has only one of them, and so is the title, because it is shown above the text.
  [[nodiscard]] bool is_taken(const std::string& name, const JsonPiece& value) const {
    if (takes_title_ && name == title_and_abstract_[0]) return false;
    if (name == options_->label_field) return json_kind(value.text) != JsonKind::array;
    return name == options_->id_field || std::ranges::find(text_names(), name) != text_names().end();
  }

  [[nodiscard]] bool leads_to_taken(const std::string& name) const {
    const std::string beginning = name + '.';
    return has_paths_ &&
           (options_->id_field.starts_with(beginning) || options_->label_field.starts_with(beginning) ||
            std::ranges::any_of(text_fields_, [&](const std::string& field) { return field.starts_with(beginning); }));
  }

  // Keeps the members that are not taken, as they are written. If a nested object has a taken member, its other members
  // are kept one by one, under names with points ("a.b"). Recurses as deep as the names in the options have points.
  void keep_others(const JsonPiece& object, const std::string& path) {
    for (JsonPieces members(object); members.has_next();) {
      const JsonMember member = members.next_member();
      const std::string name = path + string_of_json(member.name.text);
      if (is_taken(name, member.value)) continue;
      if (json_kind(member.value.text) == JsonKind::object && leads_to_taken(name))
        keep_others(member.value, name + '.');
      else
        add_other(name, member.value.text);
    }
  }

  void add_other(const std::string& name, std::string_view json) {
    constexpr std::size_t bytes_of_member = 128;
    budget_.take(bytes_of_member + name.size() + json.size());
    others_.add_json(name, json);
  }

  void note_fields(const JsonFields& fields) {
    has_text_ = has_text_ || fields.text;
    has_id_ = has_id_ || fields.id;
    has_label_ = has_label_ || fields.label;
  }

  RecordVerdict visit(simdjson::dom::object object, const JsonFields& fields) {
    SourceDocument document;
    RecordVerdict problem;
    if (!fields.text && text_names().size() > 1)
      problem = take_texts(object, document);
    else if (!fields.text)
      problem = missing_field(object, options_->text_field);
    else if (fields.text->get(document.text) != simdjson::SUCCESS)
      problem = no_string(options_->text_field, *fields.text);
    if (problem) return problem;
    if ((problem = take(fields.id, options_->id_field, document.id, id_))) return problem;
    if ((problem = take(label_in(fields.label), options_->label_field, document.label, label_))) return problem;
    if ((problem = unstorable_label(document.label))) return problem;
    document.fields = others_.json();
    if (keeps_label(*options_, document.label)) (*visit_)(document);
    return std::nullopt;
  }

  static RecordProblem no_string(const std::string& field, simdjson::dom::element found) {
    return {fmt::format("expected a string in the field \"{}\", found {}", field, json_kind_name(found))};
  }

  // Makes a text of several fields, a line each. Fields that are absent or null are left out, but one must be there.
  RecordVerdict take_texts(simdjson::dom::object object, SourceDocument& document) {
    texts_.clear();
    bool found_any = false;
    for (const std::string& field : text_names()) {
      const JsonElement value = field.empty() ? std::nullopt : field_at_path(object, field);
      if (!value) continue;
      if (options_->seen && !seen_.found.contains(field)) seen_.found.insert(field);
      found_any = true;
      std::string_view part;
      if (value->is_null()) continue;
      if (value->get(part) != simdjson::SUCCESS) return no_string(field, *value);
      if (texts_.size() > 0) texts_.append("\n");
      texts_.append(part);
      if (&field == &text_names().front()) document.title_bytes = part.size();
    }
    document.text = texts_.view();
    return found_any ? std::nullopt : RecordVerdict(missing_field(object, options_->text_field));
  }

  // The label in a field. Of a list it is the first one that is wanted, else the first one; nothing if the list is empty.
  JsonElement label_in(const JsonElement& field) {
    simdjson::dom::array list;
    if (!field || field->get(list) != simdjson::SUCCESS) return field;
    ++seen_.label_lists;
    JsonElement first;
    for (const simdjson::dom::element label : list) {
      if (!first) first = label;
      const std::optional<std::string_view> text = text_of_json_value(label, label_);
      if (text && std::ranges::find(options_->labels, *text) != options_->labels.end()) return label;
    }
    return first;
  }

  static RecordVerdict take(const JsonElement& field, const std::string& name, std::string_view& text, std::string& scratch) {
    if (!field) return std::nullopt;
    const std::optional<std::string_view> found = text_of_json_value(*field, scratch);
    if (!found)
      return RecordProblem{
          fmt::format("expected a string, a number or a boolean in the field \"{}\", found {}", name, json_kind_name(*field))};
    text = *found;
    return std::nullopt;
  }

  const SourceOptions* options_;
  const DocumentVisitor* visit_;
  std::vector<std::string> text_fields_;
  bool takes_title_ = false;  // and the abstract, as this object calls them; empty for none
  std::array<std::string, 2> title_and_abstract_;
  bool has_paths_;
  ReadingBudget budget_;
  JsonObjectParser parser_;
  PaddedText texts_;
  std::string id_;
  std::string label_;
  RecordFields others_;
  bool has_text_ = false;
  bool has_id_ = false;
  bool has_label_ = false;
  SeenFields seen_;
};

}  // namespace

// Each line that is not blank is an object. Its text must be a string; id and label may be strings, numbers and
// booleans (the shortest text that reads back the same), null or absent; a label may be a list of them. If a key comes
// twice, the first one counts. Other members may be any JSON, and become fields of the document.
ChunkOutcome parse_jsonl(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  JsonDocumentParser parser(options, visit);
  ChunkOutcome outcome = parse_lines_of_text(
      chunk, options, [&](std::string_view json) { return is_blank_record(json) ? std::nullopt : parser.parse(json); });
  parser.report();
  return outcome;
}

}  // namespace inkling
