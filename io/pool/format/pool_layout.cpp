#include "io/pool/format/pool_layout.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>
#include <xxhash.h>

#include "io/file/corrupt_file_error.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::string_view kBeginning = R"({
  "format": "inkling pool",
)";
constexpr std::string_view kBeforeChecksum = R"(  "checksum": ")";
constexpr std::string_view kManifestEnd = "\"\n}\n";
constexpr std::size_t kHexDigits = 16;

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::string json_string(std::string_view text) { return JsonWriter().value(text).take(); }

// The text of a record, on one line.
std::string record_text(const FileRecord& record) {
  std::vector<std::string> checksums;
  checksums.reserve(record.checksums.size());
  for (const std::uint64_t checksum : record.checksums) checksums.push_back('"' + hex(checksum) + '"');
  return fmt::format(R"(    {{"name": {}, "bytes": {}, "checksums": [{}]}})", json_string(record.name),
                     record.bytes, fmt::join(checksums, ", "));
}

// Where the digits of the checksum begin, where the text ends as every manifest of this version does.
std::optional<std::size_t> checksum_position(std::string_view text) {
  const std::size_t tail = kBeforeChecksum.size() + kHexDigits + kManifestEnd.size();
  if (text.size() < tail || !text.ends_with(kManifestEnd)) return std::nullopt;
  if (!text.substr(text.size() - tail).starts_with(kBeforeChecksum)) return std::nullopt;
  return text.size() - kHexDigits - kManifestEnd.size();
}

// 16 lower-case hexadecimal digits, as `hex` writes them.
std::optional<std::uint64_t> parse_hex(std::string_view digits) {
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, number, 16);
  if (error != std::errc() || stopped != end || hex(number) != digits) return std::nullopt;
  return number;
}

// Reads the members of a manifest whose checksum is right: what it finds is what some program wrote, or a
// forgery.
class ManifestReader {
 public:
  ManifestReader(const std::string& path, simdjson::dom::element root) : path_(path), root_(root) {}

  [[nodiscard]] Manifest read() const {
    Manifest manifest;
    manifest.rows = integer(root_, "rows", kMostRowsOrColumns);
    manifest.columns = integer(root_, "columns", kMostRowsOrColumns);
    manifest.nonzeros = integer(root_, "nonzeros");
    manifest.program_version = string(root_, "program");
    const std::int64_t block = integer(root_, "checksum_block");
    if (block != static_cast<std::int64_t>(kChecksumBlockBytes))
      fail(fmt::format("expected \"checksum_block\" to be {}, found {}", kChecksumBlockBytes, block));
    for (const simdjson::dom::element file : array(root_, "files")) {
      manifest.files.push_back(record(file));
      const std::size_t count = manifest.files.size();
      if (count > 1 && manifest.files[count - 2].name >= manifest.files[count - 1].name)
        fail("expected the names of \"files\" to ascend");
    }
    return manifest;
  }

 private:
  [[noreturn]] void fail(const std::string& expectation) const { throw CorruptFileError(path_, expectation); }

  [[nodiscard]] std::int64_t integer(simdjson::dom::element object, std::string_view key,
                                     std::int64_t most = std::numeric_limits<std::int64_t>::max()) const {
    std::int64_t number = 0;
    if (object[key].get(number) != simdjson::SUCCESS || number < 0 || number > most)
      fail(fmt::format("expected \"{}\" to be an integer from 0 to {}", key, most));
    return number;
  }

  [[nodiscard]] std::string string(simdjson::dom::element object, std::string_view key) const {
    std::string_view text;
    if (object[key].get(text) != simdjson::SUCCESS) fail(fmt::format("expected \"{}\" to be a string", key));
    return std::string(text);
  }

  [[nodiscard]] simdjson::dom::array array(simdjson::dom::element object, std::string_view key) const {
    simdjson::dom::array elements;
    if (object[key].get(elements) != simdjson::SUCCESS)
      fail(fmt::format("expected \"{}\" to be an array", key));
    return elements;
  }

  [[nodiscard]] FileRecord record(simdjson::dom::element file) const {
    FileRecord record;
    record.name = string(file, "name");
    if (std::ranges::find(kPoolFileNames, record.name) == kPoolFileNames.end())
      fail(fmt::format("expected names of files of a pool, found {}", json_string(record.name)));
    record.bytes = static_cast<std::uint64_t>(integer(file, "bytes"));
    for (const simdjson::dom::element checksum : array(file, "checksums")) {
      std::string_view digits;
      const bool is_string = checksum.get(digits) == simdjson::SUCCESS;
      const std::optional<std::uint64_t> number = is_string ? parse_hex(digits) : std::nullopt;
      if (!number) fail(fmt::format("expected checksums of {} hexadecimal digits", kHexDigits));
      record.checksums.push_back(*number);
    }
    const std::uint64_t blocks =
        record.bytes / kChecksumBlockBytes + (record.bytes % kChecksumBlockBytes != 0);
    if (record.checksums.size() != blocks) {
      fail(fmt::format("expected {} checksums of {}, found {}", digit_groups(blocks), record.name,
                       digit_groups(record.checksums.size())));
    }
    return record;
  }

  const std::string& path_;
  simdjson::dom::element root_;
};

// Whether there is no error; too little memory is no error of the text.
bool succeeded(simdjson::error_code error) {
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  return error == simdjson::SUCCESS;
}

// The text of the recipe as it was written; a parser of values would lose how numbers were spelled.
// Requires: valid JSON.
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
  if (root["format_version"].get(version) != simdjson::SUCCESS || version <= Manifest::current_version)
    return;
  std::string_view program;
  if (root["needs_program"].get(program) != simdjson::SUCCESS) program = "newer than this one";
  throw CorruptFileError(
      path, "expected version {} of the pool format, found version {}, which needs inkling {} or later",
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
  return fmt::format("damaged: the {} bytes from {} on are not what was written", digit_groups(bytes),
                     digit_groups(position));
}

std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

const FileRecord* Manifest::file(std::string_view name) const {
  const auto found = std::ranges::lower_bound(
      files, name, {}, [](const FileRecord& file) { return std::string_view(file.name); });
  return found == files.end() || found->name != name ? nullptr : &*found;
}

std::string manifest_text(const Manifest& manifest) {
  std::vector<std::string> files;
  files.reserve(manifest.files.size());
  for (const FileRecord& file : manifest.files) files.push_back("\n" + record_text(file));
  std::string text =
      fmt::format(R"({}  "format_version": {},
  "needs_program": {},
  "program": {},
  "rows": {},
  "columns": {},
  "nonzeros": {},
  "recipe": {},
  "checksum_block": {},
  "files": [{}
  ],
{})",
                  kBeginning, Manifest::current_version, json_string(Manifest::needs_program),
                  json_string(manifest.program_version), manifest.rows, manifest.columns, manifest.nonzeros,
                  manifest.recipe, kChecksumBlockBytes, fmt::join(files, ","), kBeforeChecksum);
  const std::uint64_t checksum = checksum_of(std::as_bytes(std::span(text)));
  return text + hex(checksum) + std::string(kManifestEnd);
}

Manifest parse_manifest(const std::string& path, std::string_view text) {
  const std::optional<std::size_t> digits = checksum_position(text);
  if (digits && hex(checksum_of(std::as_bytes(std::span(text.substr(0, *digits))))) !=
                    text.substr(*digits, kHexDigits)) {
    throw CorruptFileError(path, "damaged: its checksum does not fit");
  }
  const simdjson::padded_string json(text);
  if (json.size() != text.size()) throw std::bad_alloc();
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const bool is_json = succeeded(parser.parse(json).get(root));
  if (is_json) refuse_newer(path, root);
  if (!is_json || !digits)
    throw CorruptFileError(path, "damaged: expected a manifest that ends in its checksum");

  std::string_view format;
  std::int64_t version = 0;
  if (root["format"].get(format) != simdjson::SUCCESS || format != "inkling pool" ||
      root["format_version"].get(version) != simdjson::SUCCESS || version != Manifest::current_version) {
    throw CorruptFileError(path, "expected an inkling pool of format version {}", Manifest::current_version);
  }
  Manifest manifest = ManifestReader(path, root).read();
  std::optional<std::string> recipe = recipe_as_written(json);
  if (!recipe) throw CorruptFileError(path, "expected \"recipe\" to be an object");
  manifest.recipe = std::move(*recipe);
  return manifest;
}

bool looks_like_manifest(std::string_view text) { return text.starts_with(kBeginning); }

}  // namespace inkling
