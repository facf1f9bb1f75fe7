// CSL-JSON: a list of JSON objects, each a reference, as Zotero, Mendeley, Pandoc and CrossRef write it.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <simdjson.h>

#include "io/corpus/source/json_record.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/source/reference_record.hpp"

namespace inkling {
namespace {

using simdjson::dom::element;

constexpr std::array kCslTags = {
    ReferenceTag{"id", FieldRole::identifier},     ReferenceTag{"title", FieldRole::title},
    ReferenceTag{"abstract", FieldRole::abstract}, ReferenceTag{"author", FieldRole::authors},
    ReferenceTag{"issued", FieldRole::year},       ReferenceTag{"container-title", FieldRole::journal},
    ReferenceTag{"DOI", FieldRole::doi},           ReferenceTag{"URL", FieldRole::url},
    ReferenceTag{"keyword", FieldRole::keywords}};

std::string_view text_at(simdjson::dom::object object, std::string_view key) {
  std::string_view text;
  return object.at_key(key).get(text) == simdjson::SUCCESS ? text : std::string_view();
}

// The parts of a name, in the order in which it is written.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kNameParts = {
    {{"non-dropping-particle", " "}, {"family", " "}, {"given", ", "}, {"dropping-particle", " "}, {"suffix", ", "}}};

// "Núñez, José", with the particles of the name before it; empty if it is no name.
std::string person_name(simdjson::dom::object name) {
  std::array<std::string_view, kNameParts.size()> parts;
  for (const auto& [key, value] : name) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) continue;
    if (key == "literal" && !text.empty()) return std::string(text);
    for (std::size_t n = 0; n < parts.size(); ++n)
      if (key == kNameParts[n].first && parts[n].empty()) parts[n] = text;
  }
  std::string all;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (!all.empty() && !parts[n].empty()) all += kNameParts[n].second;
    all += parts[n];
  }
  return all;
}

// "2019-05-03" of {"date-parts":[[2019,5,3]]}, or what a person wrote; empty if it is no date.
std::string date_text(simdjson::dom::object date) {
  std::string all;
  simdjson::dom::array parts;
  if (date.at_key("date-parts").at(0).get(parts) == simdjson::SUCCESS) {
    for (const element part : parts) {
      std::int64_t number = 0;
      std::string_view text;
      if (part.get(number) == simdjson::SUCCESS)
        all += all.empty() ? fmt::format("{}", number) : fmt::format("-{:02}", number);
      else if (part.get(text) == simdjson::SUCCESS && !text.empty())
        all += (all.empty() ? "" : text.size() < 2 ? "-0" : "-") + std::string(text);
    }
  }
  for (const std::string_view key : {"raw", "literal"})
    if (all.empty()) all = text_at(date, key);
  return all;
}

class CslParser {
 public:
  CslParser(const SourceOptions& options, const DocumentVisitor& visit) : visit_(&visit), reference_(kCslTags, options) {}

  void report() { reference_.report(); }

  // Requires: padded; the text of one object.
  RecordVerdict parse(std::string_view json) {
    const auto parsed = parser_.parse(json);
    if (const auto* problem = std::get_if<RecordProblem>(&parsed)) return *problem;
    reference_.begin(json.size());
    for (const auto& [key, value] : std::get<simdjson::dom::object>(parsed)) add(key, value);
    return reference_.visit(*visit_);
  }

 private:
  void add(std::string_view key, element value) {
    std::string_view text;
    simdjson::dom::object object;
    simdjson::dom::array list;
    if (value.is_null()) return;
    if (value.get(text) == simdjson::SUCCESS) return reference_.add(key, text);
    if (value.get(object) == simdjson::SUCCESS) {
      const std::string date = date_text(object);
      return date.empty() ? reference_.add_json(key, simdjson::minify(value)) : reference_.add(key, date);
    }
    if (value.get(list) == simdjson::SUCCESS)
      for (const element one : list) add_of_list(key, one);
    else if (key == kCslTags.front().tag)  // a number
      reference_.add(key, simdjson::minify(value));
    else
      reference_.add_json(key, simdjson::minify(value));
  }

  // A name, or one of the texts of which CrossRef writes lists.
  void add_of_list(std::string_view key, element one) {
    std::string_view text;
    simdjson::dom::object object;
    std::string name;
    if (one.get(object) == simdjson::SUCCESS) name = person_name(object);
    if (one.get(text) == simdjson::SUCCESS) return reference_.add(key, text);
    if (!name.empty()) return reference_.add(key, name);
    reference_.add_json(key, simdjson::minify(one));
  }

  const DocumentVisitor* visit_;
  ReferenceRecord reference_;
  JsonObjectParser parser_;
};

}  // namespace

// What is between the objects, and the brackets of the list, is passed over.
ChunkOutcome parse_csl(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  CslParser parser(options, visit);
  TextDecoder decoder(chunk.bytes.view(), options.encoding, options.bad_bytes);
  PaddedText decoded;
  const auto parse = [&](std::string_view record) -> RecordVerdict {
    const std::size_t begin = std::min(record.find_first_not_of(" \t\r\n,[]"), record.size());
    const std::string_view json = record.substr(begin);
    if (json.empty()) return std::nullopt;
    const std::optional<std::string_view> text = decoder.decode(json, decoded);
    RecordVerdict problem = text ? parser.parse(*text) : bad_byte(json, decoder.bad_at(), options.encoding);
    if (problem) problem->position += begin;
    return problem;
  };
  ChunkOutcome outcome = parse_chunk(chunk, RecordEnd::after_object, options.reading, parse);
  outcome.bad_bytes = decoder.replaced();
  parser.report();
  return outcome;
}

}  // namespace inkling
