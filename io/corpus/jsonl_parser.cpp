#include "io/corpus/jsonl_parser.hpp"

#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/corpus/record_parser.hpp"

namespace inkling {
namespace {

using simdjson::dom::element_type;

static_assert(text_padding >= simdjson::SIMDJSON_PADDING);

constexpr std::size_t first_capacity = std::size_t{1} << 12U;

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

std::string_view kind_name(element_type type) {
  switch (type) {
    case element_type::ARRAY:
      return "an array";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "a boolean";
    case element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

RecordProblem bad_json(simdjson::error_code error) {
  if (error == simdjson::DEPTH_ERROR)
    return {fmt::format("expected JSON at most {} levels deep, found deeper", deepest_json)};
  return {fmt::format("expected one JSON object, found: {}", simdjson::error_message(error))};
}

// The text of a value, in `scratch` where it is no string; nothing for arrays and objects. Null is empty.
std::optional<std::string_view> value_text(simdjson::dom::element value, std::string& scratch) {
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
struct Fields {
  std::optional<simdjson::dom::element> text;
  std::optional<simdjson::dom::element> id;
  std::optional<simdjson::dom::element> label;
};

Fields fields_of(simdjson::dom::object object, const SourceOptions& options) {
  Fields fields;
  for (const auto& [key, value] : object) {
    if (!fields.text && key == options.text_field) fields.text = value;
    if (!fields.id && key == options.id_field) fields.id = value;
    if (!fields.label && key == options.label_field) fields.label = value;
  }
  return fields;
}

// One object after the other; what was given out is valid until the next.
class ObjectParser {
 public:
  ObjectParser(const SourceOptions& options, const DocumentVisitor& visit)
      : options_(&options), visit_(&visit) {
    if (parser_.allocate(first_capacity, deepest_json) != simdjson::SUCCESS) throw std::bad_alloc();
  }

  // Requires: padded.
  RecordVerdict parse(std::string_view json) {
    simdjson::dom::element root;
    constexpr bool copied = false;
    if (const auto error = parser_.parse(json.data(), json.size(), copied).get(root);
        error != simdjson::SUCCESS) {
      if (error == simdjson::MEMALLOC) throw std::bad_alloc();
      return bad_json(error);
    }
    simdjson::dom::object object;
    if (root.get(object) != simdjson::SUCCESS)
      return RecordProblem{fmt::format("expected a JSON object, found {}", kind_name(root.type()))};
    return visit(fields_of(object, *options_));
  }

 private:
  RecordVerdict visit(const Fields& fields) {
    if (!fields.text)
      return RecordProblem{fmt::format("expected the field \"{}\", found none", options_->text_field)};
    SourceDocument document;
    if (fields.text->get(document.text) != simdjson::SUCCESS)
      return RecordProblem{fmt::format("expected a string in the field \"{}\", found {}",
                                       options_->text_field, kind_name(fields.text->type()))};
    if (auto problem = take(fields.id, options_->id_field, document.id, id_)) return problem;
    if (auto problem = take(fields.label, options_->label_field, document.label, label_)) return problem;
    if (keeps_label(*options_, document.label)) (*visit_)(document);
    return std::nullopt;
  }

  static RecordVerdict take(const std::optional<simdjson::dom::element>& field, const std::string& name,
                            std::string_view& text, std::string& scratch) {
    if (!field) return std::nullopt;
    const std::optional<std::string_view> found = value_text(*field, scratch);
    if (!found)
      return RecordProblem{
          fmt::format("expected a string, a number or a boolean in the field \"{}\", found {}", name,
                      kind_name(field->type()))};
    text = *found;
    return std::nullopt;
  }

  const SourceOptions* options_;
  const DocumentVisitor* visit_;
  simdjson::dom::parser parser_;
  std::string id_;
  std::string label_;
};

}  // namespace

ChunkOutcome parse_jsonl(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  ChunkOutcome outcome;
  TextDecoder decoder(chunk.bytes.view(), options.encoding, options.bad_bytes);
  PaddedText scratch;
  ObjectParser parser(options, visit);
  const RecordRules rules = {.most_bytes = options.most_document_bytes, .skip_bad = options.skip_bad};
  parse_records(chunk.bytes.view(), rules, outcome, [&](std::string_view line) -> RecordVerdict {
    if (is_blank(line)) return std::nullopt;
    const std::optional<std::string_view> json = decoder.decode(line, scratch);
    if (!json) return bad_byte(line, decoder.bad_at());
    return parser.parse(*json);
  });
  outcome.lines += chunk.dropped_lines;
  outcome.bad_bytes = decoder.replaced();
  return outcome;
}

}  // namespace inkling
