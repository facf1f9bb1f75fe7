#include "io/doors/serve/openapi.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/serve/page_files.hpp"
#include "io/search/service/search_request.hpp"

namespace inkling {
namespace {

constexpr std::string_view kRequestName = R"("schema":{"$ref":"#/components/schemas/RequestName"})";

std::string json_quoted(std::string_view text) { return JsonWriter().value(text).take(); }

bool is_needed(const RequestForm& form, std::string_view name) {
  const bool answers_offer = form.verb == SearchVerb::rate || form.verb == SearchVerb::skip;
  return std::ranges::find(form.needed, name) != form.needed.end() || (answers_offer && name == "document");
}

// The parameters as search_routes.cpp reads them.
std::string parameters_of(const RequestForm& form) {
  std::string text = R"([{"$ref":"#/components/parameters/session"})";
  if (form.makes) text += R"(,{"$ref":"#/components/parameters/If-Match"},{"$ref":"#/components/parameters/Inkling-User"})";
  if (form.method == "POST") return text + "]";
  for (const std::string_view name : form.members) {
    if (form.path.find(fmt::format("{{{}}}", name)) != std::string_view::npos) {
      text += fmt::format(R"(,{{"name":"{}","in":"path","required":true,"schema":{{"type":"integer","minimum":0}}}})", name);
    } else if (schema_of_member(name).starts_with(R"({"type":"string")")) {
      text += fmt::format(R"(,{{"name":"{}","in":"query","schema":{}}})", name, schema_of_member(name));
    } else {
      const bool counts = name == form.value;
      text += fmt::format(R"(,{{"name":"{}","in":"query","schema":{{"type":"integer","minimum":{},"default":{})", name,
                          counts ? 1 : 0, counts ? form.count : 0);
      text += counts ? fmt::format(R"(,"maximum":{}}}}})", form.most) : "}}";
    }
  }
  if (form.method == "DELETE") text += fmt::format(R"(,{{"name":"request","in":"query","required":true,{}}})", kRequestName);
  return text + "]";
}

std::string body_of(const RequestForm& form) {
  std::string properties = R"("request":{"$ref":"#/components/schemas/RequestName"})";
  std::string needed = R"("request")";
  for (const std::string_view name : form.members) {
    properties += fmt::format(R"(,"{}":{})", name, schema_of_member(name));
    if (is_needed(form, name)) needed += fmt::format(R"(,"{}")", name);
  }
  if (form.verb == SearchVerb::rate || form.verb == SearchVerb::skip)
    properties += R"(,"ms":{"type":"integer","minimum":0,"description":"how long it was looked at"})";
  return fmt::format(R"({{"required":true,"content":{{"application/json":{{"schema":{{"type":"object","properties":{{{}}},)"
                     R"("required":[{}],"additionalProperties":false}}}}}}}})",
                     properties, needed);
}

std::string responses_of(const RequestForm& form) {
  std::string text = fmt::format(
      R"({{"{}":{{"description":"{}","content":{{"application/json":{{"schema":{{"$ref":"#/components/schemas/{}"}}}})",
      form.makes ? 201 : 200, form.makes ? "done, and durable" : "", form.answer);
  for (const std::string_view type : form.other_types) text += fmt::format(R"(,"{}":{{"schema":{{"type":"string"}}}})", type);
  text += R"(},"headers":{"ETag":{"schema":{"type":"string"},"description":"the number of the last event"}}})";
  const auto add = [&](std::initializer_list<int> statuses) {
    for (const int status : statuses) text += fmt::format(R"(,"{0}":{{"$ref":"#/components/responses/{0}"}})", status);
  };
  add({400, 401, 403, 404, 409, 429, 431, 503});
  if (form.verb == SearchVerb::next) add({410});
  if (form.makes) add({413});
  if (form.makes || !form.value.empty()) add({422});
  if (form.method == "POST") add({415});
  return text + "}";
}

std::string path_of(const RequestForm& form) {
  return fmt::format(R"("{}":{{"operationId":"{}","summary":{},"parameters":{},{}"responses":{}}})",
                     ascii_lower_case(form.method), form.name, json_quoted(form.sentence), parameters_of(form),
                     form.method == "POST" ? "\"requestBody\":" + body_of(form) + "," : "", responses_of(form));
}

std::string written_out(const JsonPiece& value);

std::string reference_to(std::string_view kind, std::string_view name) {
  return fmt::format(R"({{"$ref":"#/components/{}/{}"}})", kind, name);
}

std::string content(std::string_view type, std::string_view schema) {
  return fmt::format(R"("content":{{"{}":{{"schema":{}}}}})", type, schema);
}

// "closed": an object with these members and no other; those whose names end in '?' may be absent.
std::string closed_object(const JsonPiece& members) {
  std::string properties;
  std::string needed;
  for (JsonPieces pieces(members); pieces.has_next();) {
    const JsonMember member = pieces.next_member();
    std::string name = string_of_json(member.name.text);
    if (name.ends_with('?'))
      name.pop_back();
    else
      needed += (needed.empty() ? "" : ",") + json_quoted(name);
    properties += (properties.empty() ? "" : ",") + json_quoted(name) + ":" + written_out(member.value);
  }
  return fmt::format(R"("type":"object","properties":{{{}}},"required":[{}],"additionalProperties":false)", properties, needed);
}

// "refusals": "400 404", each of which is among the responses of the components. The header of any request can be too long.
std::string refusals_of(const std::string& statuses) {
  std::string text = R"("431":)" + reference_to("responses", "431");
  for (std::size_t at = 0; at < statuses.size(); at += 4) {
    const std::string status = statuses.substr(at, 3);
    text += fmt::format(R"(,"{}":{})", status, reference_to("responses", status));
  }
  return text;
}

std::string object_written_out(const JsonPiece& object) {
  std::string text;
  bool is_answer = false;
  bool is_described = false;
  for (JsonPieces pieces(object); pieces.has_next();) {
    const JsonMember member = pieces.next_member();
    const std::string name = string_of_json(member.name.text);
    if (!text.empty()) text += ',';
    is_answer = is_answer || name == "json";
    is_described = is_described || name == "description";
    if (name == "closed")
      text += closed_object(member.value);
    else if (name == "refusals")
      text += refusals_of(string_of_json(member.value.text));
    else if (name == "json")
      text += content("application/json", written_out(member.value));
    else if (name == "takes")
      text += R"("required":true,)" + content("application/json", written_out(member.value));
    else if (name == "problem")
      text += fmt::format(R"("description":{},{})", member.value.text,
                          content("application/problem+json", reference_to("schemas", "Problem")));
    else
      text += fmt::format("{}:{}", member.name.text, written_out(member.value));
  }
  if (is_answer && !is_described) text += R"(,"description":"")";
  return "{" + text + "}";
}

// What openapi.json says in short, as OpenAPI has it (README.md).
std::string written_out(const JsonPiece& value) {
  const JsonKind kind = json_kind(value.text);
  if (kind == JsonKind::object) return object_written_out(value);
  if (kind == JsonKind::string && value.text.starts_with("\"="))
    return reference_to("schemas", string_of_json(value.text).substr(1));
  if (kind != JsonKind::array) return std::string(value.text);
  std::string text;
  for (JsonPieces pieces(value); pieces.has_next();) text += (text.empty() ? "" : ",") + written_out(pieces.next_element());
  return "[" + text + "]";
}

std::string made_text() {
  constexpr std::string_view before_paths = "\"paths\": {";
  std::string text(openapi_frame());
  std::string paths;
  for (const RequestForm& form : request_forms()) {
    const auto same_path = [&](const RequestForm& other) { return other.path == form.path; };
    if (form.method.empty()) continue;
    if (&form != &*std::ranges::find_if(request_forms(), same_path)) continue;  // was written with the first form of this path
    std::string operations;
    for (const RequestForm& other : request_forms())
      if (same_path(other)) operations += (operations.empty() ? "" : ",") + path_of(other);
    paths += fmt::format("\n  \"/api/v1/sessions/{{session}}{}\":{{{}}},", form.path, operations);
  }
  text.insert(text.find(before_paths) + before_paths.size(), paths);
  return written_out({text});
}

}  // namespace

const std::string& openapi_text() {
  static const std::string text = made_text();
  return text;
}

}  // namespace inkling
