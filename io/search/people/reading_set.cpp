#include "io/search/people/reading_set.hpp"

#include <limits>

#include "engine/core/errors.hpp"
#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::string_view kReading = "reading";

[[noreturn]] void refuse_set(std::string_view expectation, std::string_view found) {
  throw FormatError("the option \"reading\"",
                    std::string("expected ") + std::string(expectation) + ", found " + quoted_text(found));
}

void check_kind(const JsonPiece& value, JsonKind kind) {
  if (json_kind(value.text) != kind) refuse_set(kind_text(kind), value.text);
}

std::string text_in(const JsonPiece& value) {
  check_kind(value, JsonKind::string);
  return string_of_json(value.text);
}

bool truth_in(const JsonPiece& value) {
  check_kind(value, JsonKind::boolean);
  return value.text == "true";
}

std::vector<DocumentId> documents_in(const JsonPiece& value) {
  check_kind(value, JsonKind::array);
  std::vector<DocumentId> documents;
  for (JsonPieces pieces(value); pieces.has_next();) {
    const JsonPiece element = pieces.next_element();
    const std::optional<std::int64_t> document = parse_integer(element.text);
    if (!document || *document < 0 || *document > std::numeric_limits<DocumentId>::max())
      refuse_set("documents by their rows", element.text);
    documents.push_back(static_cast<DocumentId>(*document));
  }
  return documents;
}

ReadingSet set_in(const JsonPiece& written) {
  check_kind(written, JsonKind::object);
  ReadingSet set;
  for (JsonPieces pieces(written); pieces.has_next();) {
    const auto [name, value] = pieces.next_member();
    const std::string member = string_of_json(name.text);
    if (member == "pair")
      set.pair = text_in(value);
    else if (member == "from")
      set.from = text_in(value);
    else if (member == "drawn_by")
      set.drawn_by = text_in(value);
    else if (member == "decider")
      set.decider = text_in(value);
    else if (member == "documents")
      set.documents = documents_in(value);
    else if (member == "decision")
      set.is_decision = truth_in(value);
    else if (member == "grows")
      set.grows = truth_in(value);
    else if (member == "readers") {
      check_kind(value, JsonKind::array);
      for (JsonPieces names(value); names.has_next();) set.readers.push_back(text_in(names.next_element()));
    } else {
      refuse_set("members of this version", member);
    }
  }
  if (set.pair.empty() || set.readers.size() != 2 || set.documents.empty() != set.grows)
    refuse_set("a pair, two readers and documents", written.text.substr(0, 100));
  return set;
}

}  // namespace

std::string options_with(std::string_view options, const ReadingSet& set) {
  JsonWriter json;
  json.begin_object().member("pair", set.pair);
  if (!set.from.empty()) json.member("from", set.from);
  json.key("readers").array(set.readers);
  json.member("drawn_by", set.drawn_by).member("decider", set.decider);
  if (set.grows) json.member("grows", true);
  json.member("decision", set.is_decision).key("documents").array(set.documents);
  const std::string written = json.end_object().take();
  std::string all(options.substr(0, options.rfind('}')));
  all += JsonPieces({options, 0}).has_next() ? "," : "";
  return all + '"' + std::string(kReading) + "\":" + written + "}";
}

std::optional<ReadingSet> take_reading_set(std::string& options) {
  if (json_fault(options) || json_kind(options) != JsonKind::object) return std::nullopt;
  std::optional<ReadingSet> set;
  std::string others;
  for (JsonPieces pieces({options, 0}); pieces.has_next();) {
    const auto [name, value] = pieces.next_member();
    if (string_of_json(name.text) == kReading)
      set = set_in(value);
    else
      others += (others.empty() ? "" : ",") + std::string(name.text) + ":" + std::string(value.text);
  }
  if (set) options = "{" + others + "}";
  return set;
}

}  // namespace inkling
