#include "io/parts/shards/build_plan.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/system/file.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {
namespace {

constexpr SealedFormat kPlanFormat = {.name = "inkling plan", .article = "an", .version = 1};

std::string reading_json(const BuildPlan& plan) {
  const SourceOptions& source = plan.source;
  JsonWriter json;
  json.begin_object();
  json.member("format", source.format);
  json.member("encoding", name_of(source.encoding, kTextEncodingNames));
  if (!source.other_encoding.empty()) json.member("other_encoding", source.other_encoding);
  json.member("bad_bytes", name_of(source.bad_bytes, kBadBytesNames));
  json.member("text_field", source.text_field).member("id_field", source.id_field);
  json.member("label_field", source.label_field);
  json.member("delimiter", std::string_view(&source.delimiter, 1));
  json.key("labels").array(source.labels);
  json.member("skip_bad", source.reading.skip_bad);
  json.member("most_document_bytes", source.reading.most_document_bytes);
  json.member("most_expansion", source.reading.unpacking.most_expansion);
  json.member("most_unpacked_bytes", source.reading.unpacking.most_unpacked_bytes);
  json.key("wanted_fields").array(plan.wanted_fields);
  json.member("keep_text", plan.texts == TextKeeping::keep).member("keep_fields", source.keep_fields);
  json.member("allow_empty", plan.may_be_empty);
  return json.end_object().take();
}

std::string planned_file_json(const PlannedFile& file) {
  JsonWriter json;
  json.begin_object();
  json.member("root", file.piece.root).member("path", file.piece.path);
  json.member("in_folder", file.piece.in_folder).member("size", file.size).member("modified", file.modified);
  if (file.piece.range) json.member("begin", file.piece.range->begin).member("end", file.piece.range->end);
  if (file.kind) json.member("kind", file.kind->format).member("delimiter", std::string_view(&file.kind->delimiter, 1));
  return json.end_object().take();
}

char delimiter_in(const JsonMembers& json, JsonMembers::Element object) {
  const std::string delimiter = json.string(object, "delimiter");
  if (delimiter.size() != 1) json.fail("expected \"delimiter\" to be one character");
  return delimiter.front();
}

std::vector<std::string> strings_in(const JsonMembers& json, JsonMembers::Element object, std::string_view key) {
  std::vector<std::string> strings;
  for (const JsonMembers::Element element : json.array(object, key)) {
    std::string_view text;
    if (element.get(text) != simdjson::SUCCESS) json.fail(fmt::format("expected strings in \"{}\"", key));
    strings.emplace_back(text);
  }
  return strings;
}

template <typename Enum, std::size_t size>
Enum named(const JsonMembers& json, JsonMembers::Element object, std::string_view key, const EnumName<Enum> (&table)[size]) {
  const std::optional<Enum> value = value_of(json.string(object, key), table);
  if (!value) json.fail(fmt::format("expected \"{}\" to be one that this program knows", key));
  return *value;
}

void read_reading(const JsonMembers& json, JsonMembers::Element reading, BuildPlan& plan) {
  SourceOptions& source = plan.source;
  source.format = json.string(reading, "format");
  source.encoding = named(json, reading, "encoding", kTextEncodingNames);
  if (reading["other_encoding"].error() == simdjson::SUCCESS) source.other_encoding = json.string(reading, "other_encoding");
  source.bad_bytes = named(json, reading, "bad_bytes", kBadBytesNames);
  source.text_field = json.string(reading, "text_field");
  source.id_field = json.string(reading, "id_field");
  source.label_field = json.string(reading, "label_field");
  source.delimiter = delimiter_in(json, reading);
  source.labels = strings_in(json, reading, "labels");
  source.reading.skip_bad = json.boolean(reading, "skip_bad");
  source.reading.most_document_bytes = static_cast<std::uint64_t>(json.integer(reading, "most_document_bytes"));
  double expansion = 0.0;
  if (reading["most_expansion"].get(expansion) != simdjson::SUCCESS) json.fail("expected \"most_expansion\" to be a number");
  source.reading.unpacking.most_expansion = expansion;
  source.reading.unpacking.most_unpacked_bytes = static_cast<std::uint64_t>(json.integer(reading, "most_unpacked_bytes"));
  plan.wanted_fields = strings_in(json, reading, "wanted_fields");
  plan.texts = json.boolean(reading, "keep_text") ? TextKeeping::keep : TextKeeping::drop;
  source.keep_fields = json.boolean(reading, "keep_fields");
  plan.may_be_empty = json.boolean(reading, "allow_empty");
}

std::string vectors_json(const BuildPlan& plan) {
  if (!plan.vectors) return {};
  return fmt::format("  \"vectors\": {{\"file\":{},\"centre\":{}}},\n", planned_file_json(plan.vectors->file),
                     JsonWriter().array(plan.vectors->centre).take());
}

PlannedFile planned_file_in(const JsonMembers& json, JsonMembers::Element object) {
  PlannedFile file;
  file.piece.root = json.string(object, "root");
  file.piece.path = json.string(object, "path");
  file.piece.in_folder = json.boolean(object, "in_folder");
  file.size = static_cast<std::uint64_t>(json.integer(object, "size"));
  if (object["modified"].get(file.modified) != simdjson::SUCCESS) json.fail("expected \"modified\" to be an integer");
  if (object["begin"].error() == simdjson::SUCCESS) {
    FilePiece::Range range;
    range.begin = static_cast<std::uint64_t>(json.integer(object, "begin"));
    range.end = static_cast<std::uint64_t>(json.integer(object, "end"));
    if (range.begin >= range.end || range.end > file.size)
      json.fail("expected parts of files that begin before they end, within the file");
    file.piece.range = range;
  }
  if (JsonMembers::has(object, "kind")) file.kind = SourceKind{json.string(object, "kind"), delimiter_in(json, object)};
  return file;
}

PlannedVectors planned_vectors_in(const JsonMembers& json, JsonMembers::Element object) {
  PlannedVectors vectors = {.file = planned_file_in(json, json.object(object, "file")), .centre = {}};
  for (const JsonMembers::Element element : json.array(object, "centre")) {
    double number = 0.0;
    if (element.get(number) != simdjson::SUCCESS) json.fail("expected numbers in \"centre\"");
    vectors.centre.push_back(static_cast<float>(number));
  }
  return vectors;
}

}  // namespace

std::uint64_t PlanPart::bytes() const {
  std::uint64_t bytes = 0;
  for (const PlannedFile& file : files) bytes += file.bytes();
  return bytes;
}

std::string BuildPlan::name_as_given(std::string_view path) const {
  for (std::size_t n = 0; n < std::min(roots.size(), sources.size()); ++n) {
    if (!path.starts_with(roots[n])) continue;
    const std::string_view rest = path.substr(roots[n].size());
    if (rest.empty()) return sources[n];
    if (rest.starts_with('/')) return joined_path(sources[n], std::string(rest.substr(1)));
  }
  return std::string(path);
}

std::string plan_text(const BuildPlan& plan) {
  std::string text = fmt::format(
      "{{\n  \"format\": \"{}\",\n  \"format_version\": {},\n  \"needs_program\": {},\n  \"program\": {},\n"
      "  \"sources\": {},\n  \"roots\": {},\n{}  \"reading\": {},\n  \"recipe\": {{\"text\":{}}},\n  \"parts\": [",
      kPlanFormat.name, BuildPlan::current_version, JsonWriter().value(plan.program_version).take(),
      JsonWriter().value(plan.program_version).take(), JsonWriter().array(plan.sources).take(),
      JsonWriter().array(plan.roots).take(), vectors_json(plan), reading_json(plan), recipe_json(plan.recipe));
  std::string_view between_parts = "\n";
  for (const PlanPart& part : plan.parts) {
    text += fmt::format("{}    {{\"bytes\": {}, \"files\": [", std::exchange(between_parts, ",\n"), part.bytes());
    std::string_view between_files = "\n";
    for (const PlannedFile& file : part.files)
      text += fmt::format("{}      {}", std::exchange(between_files, ",\n"), planned_file_json(file));
    text += "\n    ]}";
  }
  return sealed_json(text + "\n  ],\n");
}

BuildPlan parse_plan(const std::string& path, std::string_view text) {
  const SealedJson json(path, text, kPlanFormat);
  BuildPlan plan;
  plan.checksum = *seal_of(text);
  plan.program_version = json.string(json.root(), "program");
  plan.sources = strings_in(json, json.root(), "sources");
  if (JsonMembers::has(json.root(), "roots")) plan.roots = strings_in(json, json.root(), "roots");
  if (JsonMembers::has(json.root(), "vectors")) plan.vectors = planned_vectors_in(json, json.object(json.root(), "vectors"));
  read_reading(json, json.object(json.root(), "reading"), plan);
  try {
    const std::string recipe = simdjson::minify(json.object(json.root(), "recipe"));
    const std::optional<TextRecipe> of_text = recipe_of_manifest(recipe);
    if (!of_text) json.fail("expected the recipe of a text");
    plan.recipe = *of_text;
  } catch (const CorruptFileError&) {
    throw;
  } catch (const FormatError& error) {
    json.fail(error.expectation());
  }
  for (const JsonMembers::Element element : json.array(json.root(), "parts")) {
    PlanPart& part = plan.parts.emplace_back();
    for (const JsonMembers::Element file : json.array(element, "files")) part.files.push_back(planned_file_in(json, file));
  }
  if (plan.parts.empty()) json.fail("expected at least one part");
  return plan;
}

std::string text_of_sealed_file(const std::string& path, std::string_view what) {
  constexpr std::uint64_t most = std::uint64_t{4} << 30U;
  if (std::optional<std::string> text = text_of_file(path, most)) return *std::move(text);
  throw CorruptFileError(path, "expected {}, found a far larger file", what);
}

}  // namespace inkling
