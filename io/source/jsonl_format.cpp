// One JSON object a line.
#include <optional>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/source/json_record.hpp"
#include "io/source/record_format.hpp"

namespace inkling {
namespace {

using simdjson::dom::element_type;

// The text of a value, in `scratch` where the value is not a string; nothing for arrays and objects. Null gives
// an empty text.
std::optional<std::string_view> text_of_json_value(simdjson::dom::element value, std::string& scratch) {
  switch (value.type()) {
    case element_type::STRING:
      return value.get_string().value_unsafe();
    case element_type::NULL_VALUE:
      return "";
    case element_type::BOOL:
      return value.get_bool().value_unsafe() ? "true" : "false";
    case element_type::INT64:
      scratch = std::to_string(value.get_int64().value_unsafe());
      return scratch;
    case element_type::UINT64:
      scratch = std::to_string(value.get_uint64().value_unsafe());
      return scratch;
    case element_type::DOUBLE:
      scratch = number_text(value.get_double().value_unsafe());
      return scratch;
    default:
      return std::nullopt;
  }
}

// The three fields of an object; the first of each name.
struct JsonFields {
  std::optional<simdjson::dom::element> text;
  std::optional<simdjson::dom::element> id;
  std::optional<simdjson::dom::element> label;
};

JsonFields fields_of(simdjson::dom::object object, const SourceOptions& options) {
  JsonFields fields;
  for (const auto& [key, value] : object) {
    if (!fields.text && key == options.text_field) fields.text = value;
    if (!fields.id && key == options.id_field) fields.id = value;
    if (!fields.label && key == options.label_field) fields.label = value;
  }
  return fields;
}

// Reads one object after another. What it hands over is valid until the next one.
class JsonDocumentParser {
 public:
  JsonDocumentParser(const SourceOptions& options, const DocumentVisitor& visit)
      : options_(&options), visit_(&visit) {}

  // Requires: padded.
  RecordVerdict parse(std::string_view json) {
    const auto parsed = parser_.parse(json);
    if (const auto* problem = std::get_if<RecordProblem>(&parsed)) return *problem;
    return visit(fields_of(std::get<simdjson::dom::object>(parsed), *options_));
  }

 private:
  RecordVerdict visit(const JsonFields& fields) {
    if (!fields.text)
      return RecordProblem{fmt::format("expected the field \"{}\", found none", options_->text_field)};
    SourceDocument document;
    if (fields.text->get(document.text) != simdjson::SUCCESS)
      return RecordProblem{fmt::format("expected a string in the field \"{}\", found {}",
                                       options_->text_field, json_kind_name(*fields.text))};
    if (auto problem = take(fields.id, options_->id_field, document.id, id_)) return problem;
    if (auto problem = take(fields.label, options_->label_field, document.label, label_)) return problem;
    if (auto problem = unstorable_label(document.label)) return problem;
    if (keeps_label(*options_, document.label)) (*visit_)(document);
    return std::nullopt;
  }

  static RecordVerdict take(const std::optional<simdjson::dom::element>& field, const std::string& name,
                            std::string_view& text, std::string& scratch) {
    if (!field) return std::nullopt;
    const std::optional<std::string_view> found = text_of_json_value(*field, scratch);
    if (!found)
      return RecordProblem{
          fmt::format("expected a string, a number or a boolean in the field \"{}\", found {}", name,
                      json_kind_name(*field))};
    text = *found;
    return std::nullopt;
  }

  const SourceOptions* options_;
  const DocumentVisitor* visit_;
  JsonObjectParser parser_;
  std::string id_;
  std::string label_;
};

}  // namespace

// Each line that is not blank is an object. Its text must be a string; id and label may be strings, numbers and
// booleans (the shortest text that reads back the same), null or absent. Where a key comes twice, the first one
// counts. Other fields need only be JSON.
ChunkOutcome parse_jsonl(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  JsonDocumentParser parser(options, visit);
  return parse_lines_of_text(chunk, options, [&](std::string_view json) {
    return is_blank_record(json) ? std::nullopt : parser.parse(json);
  });
}

}  // namespace inkling
