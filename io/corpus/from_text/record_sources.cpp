#include "io/corpus/from_text/record_sources.hpp"

#include <new>
#include <utility>

#include <simdjson.h>

#include "io/base/file/json_writer.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostSources = 1'000;

using Element = simdjson::dom::element;

std::string text_of(const auto& element) {
  std::string_view text;
  return element.get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

std::int64_t count_of(const simdjson::simdjson_result<Element>& element) {
  std::int64_t count = 0;
  return element.get(count) == simdjson::SUCCESS && count > 0 ? count : 0;
}

// The names of all sources of a recipe without "records".
std::string names_in(const simdjson::simdjson_result<Element>& recipe) {
  simdjson::dom::array sources;
  std::string names;
  if (recipe["sources"].get(sources) == simdjson::SUCCESS)
    for (const Element source : sources) names += (names.empty() ? "" : ", ") + text_of(source);
  return names;
}

}  // namespace

void add_records(std::vector<FileOfRecords>& sources, const FileOfRecords& more) {
  const bool is_next = sources.empty() || sources.back().name != more.name;
  if (is_next && sources.size() < kMostSources) return sources.push_back(more);
  if (is_next) sources.back().name.clear();
  sources.back().documents += more.documents;
  sources.back().left_out += more.left_out;
  if (sources.back().why.empty()) sources.back().why = more.why;
  sources.back().known += more.known;
}

std::string records_json(const std::vector<FileOfRecords>& sources) {
  JsonWriter json;
  json.begin_array();
  for (const FileOfRecords& source : sources) {
    json.begin_object().member("source", source.name).member("format", source.format).member("documents", source.documents);
    if (source.left_out > 0) json.member("left_out", source.left_out);
    if (!source.why.empty()) json.member("why", source.why);
    if (source.known > 0) json.member("known", source.known);
    json.end_object();
  }
  return json.end_array().take();
}

std::string records_member(const std::vector<FileOfRecords>& sources) {
  if (sources.size() <= 1 && (sources.empty() || sources.front().left_out + sources.front().known == 0)) return {};
  return std::string(kRecordsMember) + records_json(sources);
}

std::vector<FileOfRecords> record_sources(const Manifest& manifest) {
  simdjson::dom::parser parser;
  const auto recipe = parser.parse(manifest.recipe);
  if (recipe.error() == simdjson::MEMALLOC) throw std::bad_alloc();
  std::vector<FileOfRecords> sources;
  std::int64_t documents = 0;
  simdjson::dom::array records;
  if (recipe["records"].get(records) == simdjson::SUCCESS) {
    for (const Element one : records) {
      sources.push_back({.name = text_of(one["source"]),
                         .format = text_of(one["format"]),
                         .documents = count_of(one["documents"]),
                         .left_out = count_of(one["left_out"]),
                         .why = text_of(one["why"]),
                         .known = count_of(one["known"])});
      documents += sources.back().documents;
    }
  }
  if (!sources.empty() && documents == manifest.rows) return sources;
  return {{.name = names_in(recipe), .format = text_of(recipe["format"]), .documents = manifest.rows}};
}

std::size_t source_of_row(const std::vector<FileOfRecords>& sources, std::int64_t row) {
  std::size_t n = 0;
  for (; n + 1 < sources.size() && row >= sources[n].documents; ++n) row -= sources[n].documents;
  return n;
}

}  // namespace inkling
