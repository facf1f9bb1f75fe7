#include "io/corpus/pool/format/pool_layout.hpp"

#include <utility>

#include <fmt/format.h>
#include <simdjson.h>
#include <xxhash.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"

namespace inkling {
namespace {

constexpr std::string_view kBeginning = R"({
  "format": "inkling pool",
)";

std::string json_string(std::string_view text) { return JsonWriter().value(text).take(); }

// Reads the members of a manifest whose checksum is right. They may still be wrong, because anyone can compute a
// checksum.
Manifest manifest_in(const JsonMembers& json, simdjson::dom::element root) {
  Manifest manifest;
  manifest.rows = json.integer(root, "rows", kMostRowsOrColumns);
  manifest.columns = json.integer(root, "columns", kMostRowsOrColumns);
  manifest.nonzeros = json.integer(root, "nonzeros");
  manifest.program_version = json.string(root, "program");
  manifest.files = file_records_in(json, root, kPoolFileNames);
  return manifest;
}

// The text of the recipe as it was written; parsing its values would lose how numbers were written. Requires: valid JSON.
std::optional<std::string> recipe_as_written(const simdjson::padded_string& json) {
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  simdjson::ondemand::object recipe;
  std::string_view text;
  if (!succeeded(parser.iterate(json).get(document))) return std::nullopt;
  if (document["recipe"].get(recipe) != simdjson::SUCCESS) return std::nullopt;
  if (recipe.raw_json().get(text) != simdjson::SUCCESS) return std::nullopt;
  return std::string(text);
}

void refuse_newer(const std::string& path, simdjson::dom::element root) {
  std::int64_t version = 0;
  if (root["format_version"].get(version) != simdjson::SUCCESS || version <= Manifest::current_version) return;
  std::string_view program;
  if (root["needs_program"].get(program) != simdjson::SUCCESS) program = "newer than this one";
  throw CorruptFileError(path, "expected version {} of the pool format, found version {}, which needs inkling {} or later",
                         Manifest::current_version, version, utf8_shortened(program, 40));
}

}  // namespace

std::string pool_file_path(std::string_view pool, std::string_view name) {
  return fmt::format("{}{}{}", pool, pool.ends_with('/') ? "" : "/", name);
}

std::string file_size_problem(std::uint64_t bytes, std::uint64_t expected) {
  return fmt::format("{}: {} bytes of {}", bytes < expected ? "truncated" : "too long", digit_groups(bytes),
                     digit_groups(expected));
}

std::string block_problem(std::uint64_t position, std::uint64_t bytes) {
  return fmt::format("damaged: the {} bytes from {} on are not what was written", digit_groups(bytes), digit_groups(position));
}

std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

const FileRecord* Manifest::file(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(files, name, {}, [](const FileRecord& file) { return std::string_view(file.name); });
  return found == files.end() || found->name != name ? nullptr : &*found;
}

std::string manifest_text(const Manifest& manifest) {
  return sealed_json(fmt::format(R"({}  "format_version": {},
  "needs_program": {},
  "program": {},
  "rows": {},
  "columns": {},
  "nonzeros": {},
  "recipe": {},
{})",
                                 kBeginning, Manifest::current_version, json_string(Manifest::needs_program),
                                 json_string(manifest.program_version), manifest.rows, manifest.columns, manifest.nonzeros,
                                 manifest.recipe, file_records_text(manifest.files)));
}

Manifest parse_manifest(const std::string& path, std::string_view text) {
  check_seal(path, text);
  const simdjson::padded_string json = padded(text);
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const bool is_json = succeeded(parser.parse(json).get(root));
  if (is_json) refuse_newer(path, root);
  if (!is_json || !seal_position(text)) throw CorruptFileError(path, "damaged: expected a manifest that ends in its checksum");

  std::string_view format;
  std::int64_t version = 0;
  if (root["format"].get(format) != simdjson::SUCCESS || format != "inkling pool" ||
      root["format_version"].get(version) != simdjson::SUCCESS || version != Manifest::current_version) {
    throw CorruptFileError(path, "expected an inkling pool of format version {}", Manifest::current_version);
  }
  Manifest manifest = manifest_in(JsonMembers(path), root);
  std::optional<std::string> recipe = recipe_as_written(json);
  if (!recipe) throw CorruptFileError(path, "expected \"recipe\" to be an object");
  manifest.recipe = std::move(*recipe);
  return manifest;
}

bool looks_like_manifest(std::string_view text) { return text.starts_with(kBeginning); }

}  // namespace inkling
