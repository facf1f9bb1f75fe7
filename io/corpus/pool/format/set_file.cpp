#include "io/corpus/pool/format/set_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/system/file.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"

namespace inkling {
namespace {

constexpr SealedFormat kSetFormat = {.name = "inkling set", .article = "an", .version = 1};
constexpr std::string_view kSetBeginning = R"({
  "format": "inkling set",
)";

std::string json_text_of(std::string_view text) { return JsonWriter().value(text).take(); }

std::string shard_text(const ShardRecord& shard) {
  return fmt::format("\n    {{\"path\": {}, \"rows\": {}, \"first_row\": {}, \"manifest\": \"{}\"}}", json_text_of(shard.path),
                     shard.rows, shard.first_row, checksum_digits(shard.manifest));
}

// The text of a sealed file. Throws SystemError.
std::string text_of_regular_file(const std::string& path) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30U;
  if (std::optional<std::string> text = text_of_file(path, most)) return *std::move(text);
  throw CorruptFileError(path, "expected an inkling set, found a far larger file");
}

}  // namespace

std::string set_file_text(const SetFile& set) {
  std::string shards;
  for (const ShardRecord& shard : set.shards) {
    if (!shards.empty()) shards += ',';
    shards += shard_text(shard);
  }
  std::string texts;
  if (set.fingerprint) texts += fmt::format("  \"fingerprint\": {},\n", json_text_of(*set.fingerprint));
  if (set.copies)
    texts += fmt::format("  \"equal_texts\": {{\"path\": {}, \"copies\": {}, \"checksum\": \"{}\"}},\n",
                         json_text_of(set.copies->path), set.copies->count, checksum_digits(set.copies->checksum));
  return sealed_json(fmt::format(R"({}  "format_version": {},
  "needs_program": {},
  "program": {},
  "rows": {},
  "columns": {},
  "nonzeros": {},
  "counts": "{}",
{}  "shards": [{}
  ],
)",
                                 kSetBeginning, SetFile::current_version, json_text_of(SetFile::needs_program),
                                 json_text_of(set.program_version), set.rows, set.columns, set.nonzeros,
                                 checksum_digits(set.counts), texts, shards));
}

SetFile parse_set_file(const std::string& path, std::string_view text) {
  const SealedJson json(path, text, kSetFormat);
  SetFile set;
  set.rows = json.integer(json.root(), "rows");
  set.columns = json.integer(json.root(), "columns", kMostRowsOrColumns);
  set.nonzeros = json.integer(json.root(), "nonzeros");
  set.counts = json.checksum(json.root(), "counts");
  set.program_version = json.string(json.root(), "program");
  if (json.has(json.root(), "fingerprint")) set.fingerprint = json.string(json.root(), "fingerprint");
  if (json.has(json.root(), "equal_texts")) {
    const SealedJson::Element copies = json.object(json.root(), "equal_texts");
    set.copies = {.path = json.string(copies, "path"),
                  .count = json.integer(copies, "copies", std::max<std::int64_t>(set.rows - 1, 0)),
                  .checksum = json.checksum(copies, "checksum")};
    if (set.copies->path.empty() != (set.copies->count == 0)) json.fail("expected a file of copies where there are some");
  }
  std::int64_t next_row = 0;
  for (const SealedJson::Element shard : json.array(json.root(), "shards")) {
    set.shards.push_back({.path = json.string(shard, "path"),
                          .rows = json.integer(shard, "rows", kMostRowsOrColumns),
                          .first_row = json.integer(shard, "first_row"),
                          .manifest = json.checksum(shard, "manifest")});
    const ShardRecord& added = set.shards.back();
    if (added.path.empty()) json.fail("expected the path of each shard");
    if (added.first_row != next_row || added.rows > set.rows - next_row)
      json.fail("expected the rows of the shards to follow one another and to add up");
    next_row += added.rows;
  }
  if (set.shards.empty()) json.fail("expected at least one shard");
  if (next_row != set.rows) json.fail("expected the rows of the shards to follow one another and to add up");
  return set;
}

bool looks_like_set_file(std::string_view text) { return text.starts_with(kSetBeginning); }

bool is_set_file(const std::string& path) {
  try {
    const File file = open_regular_file(path);
    std::array<char, 64> beginning{};
    const std::size_t size = file.read_at(std::as_writable_bytes(std::span(beginning)), 0);
    return looks_like_set_file({beginning.data(), size});
  } catch (const SystemError&) {
    return false;
  }
}

SetFile read_set_file(const std::string& path) { return parse_set_file(path, text_of_regular_file(path)); }

std::string path_in_set(const std::string& set_path, const std::string& path) {
  const std::size_t slash = set_path.rfind('/');
  if (std::filesystem::path(path).has_root_directory() || slash == std::string::npos) return path;
  return set_path.substr(0, slash + 1) + path;
}

}  // namespace inkling
