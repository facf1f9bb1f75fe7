#include "io/source/json_record.hpp"

#include <new>

#include <fmt/format.h>

#include "io/text/padded_text.hpp"

namespace inkling {
namespace {

using simdjson::dom::element_type;

static_assert(kTextPadding >= simdjson::SIMDJSON_PADDING);

constexpr std::size_t kFirstCapacity = std::size_t{1} << 12U;

RecordProblem bad_json(simdjson::error_code error) {
  if (error == simdjson::DEPTH_ERROR)
    return {fmt::format("expected JSON at most {} levels deep, found deeper", kDeepestJson)};
  return {fmt::format("expected one JSON object, found: {}", simdjson::error_message(error))};
}

}  // namespace

bool is_blank_record(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::string_view json_kind_name(element_type type) {
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

JsonObjectParser::JsonObjectParser() {
  if (parser_.allocate(kFirstCapacity, kDeepestJson) != simdjson::SUCCESS) throw std::bad_alloc();
}

std::variant<simdjson::dom::object, RecordProblem> JsonObjectParser::parse(std::string_view json) {
  simdjson::dom::element root;
  constexpr bool copied = false;
  if (const auto error = parser_.parse(json.data(), json.size(), copied).get(root);
      error != simdjson::SUCCESS) {
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    return bad_json(error);
  }
  simdjson::dom::object object;
  if (root.get(object) != simdjson::SUCCESS)
    return RecordProblem{fmt::format("expected a JSON object, found {}", json_kind_name(root.type()))};
  return object;
}

}  // namespace inkling
