#include "io/corpus/pool/format/sealed_json.hpp"

#include <algorithm>
#include <charconv>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::string_view kBeforeSeal = R"(  "checksum": ")";
constexpr std::string_view kAfterSeal = "\"\n}\n";
constexpr std::size_t kSealDigits = 16;

// The text of a record, on one line.
std::string record_text(const FileRecord& record) {
  std::vector<std::string> checksums;
  checksums.reserve(record.checksums.size());
  for (const std::uint64_t checksum : record.checksums) checksums.push_back('"' + checksum_digits(checksum) + '"');
  return fmt::format(R"(    {{"name": {}, "bytes": {}, "checksums": [{}]}})", JsonWriter().value(record.name).take(),
                     record.bytes, fmt::join(checksums, ", "));
}

FileRecord file_record(const JsonMembers& json, simdjson::dom::element file, std::span<const std::string_view> names) {
  FileRecord record;
  record.name = json.string(file, "name");
  if (std::ranges::find(names, record.name) == names.end())
    json.fail(fmt::format("expected names of files of a pool, found {}", JsonWriter().value(record.name).take()));
  record.bytes = static_cast<std::uint64_t>(json.integer(file, "bytes"));
  for (const simdjson::dom::element checksum : json.array(file, "checksums")) {
    std::string_view digits;
    const bool is_string = checksum.get(digits) == simdjson::SUCCESS;
    const std::optional<std::uint64_t> number = is_string ? parse_checksum_digits(digits) : std::nullopt;
    if (!number) json.fail(fmt::format("expected checksums of {} hexadecimal digits", kSealDigits));
    record.checksums.push_back(*number);
  }
  const std::uint64_t blocks = record.bytes / kChecksumBlockBytes + (record.bytes % kChecksumBlockBytes != 0 ? 1 : 0);
  if (record.checksums.size() != blocks) {
    json.fail(fmt::format("expected {} checksums of {}, found {}", digit_groups(blocks), record.name,
                          digit_groups(record.checksums.size())));
  }
  return record;
}

}  // namespace

std::string checksum_digits(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }

std::optional<std::uint64_t> parse_checksum_digits(std::string_view digits) {
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, number, 16);
  if (error != std::errc() || stopped != end || checksum_digits(number) != digits) return std::nullopt;
  return number;
}

std::string sealed_json(std::string beginning) {
  beginning += kBeforeSeal;
  const std::uint64_t checksum = checksum_of(std::as_bytes(std::span(beginning)));
  beginning += checksum_digits(checksum);
  beginning += kAfterSeal;
  return beginning;
}

std::optional<std::size_t> seal_position(std::string_view text) {
  const std::size_t tail = kBeforeSeal.size() + kSealDigits + kAfterSeal.size();
  if (text.size() < tail || !text.ends_with(kAfterSeal)) return std::nullopt;
  if (!text.substr(text.size() - tail).starts_with(kBeforeSeal)) return std::nullopt;
  return text.size() - kSealDigits - kAfterSeal.size();
}

std::optional<std::uint64_t> seal_of(std::string_view text) {
  const std::optional<std::size_t> digits = seal_position(text);
  return digits ? parse_checksum_digits(text.substr(*digits, kSealDigits)) : std::nullopt;
}

void check_seal(const std::string& path, std::string_view text) {
  const std::optional<std::size_t> digits = seal_position(text);
  if (digits && seal_of(text) != checksum_of(std::as_bytes(std::span(text.substr(0, *digits)))))
    throw CorruptFileError(path, "damaged: its checksum does not fit");
}

std::string file_records_text(std::span<const FileRecord> records) {
  std::vector<std::string> lines;
  lines.reserve(records.size());
  for (const FileRecord& record : records) lines.push_back("\n" + record_text(record));
  return fmt::format("  \"checksum_block\": {},\n  \"files\": [{}\n  ],\n", kChecksumBlockBytes, fmt::join(lines, ","));
}

std::vector<FileRecord> file_records_in(const JsonMembers& json, simdjson::dom::element root,
                                        std::span<const std::string_view> names) {
  const std::int64_t block = json.integer(root, "checksum_block");
  if (block != static_cast<std::int64_t>(kChecksumBlockBytes))
    json.fail(fmt::format("expected \"checksum_block\" to be {}, found {}", kChecksumBlockBytes, block));
  std::vector<FileRecord> records;
  for (const simdjson::dom::element file : json.array(root, "files")) {
    records.push_back(file_record(json, file, names));
    const std::size_t count = records.size();
    if (count > 1 && records[count - 2].name >= records[count - 1].name) json.fail("expected the names of \"files\" to ascend");
  }
  return records;
}

simdjson::padded_string padded(std::string_view text) {
  simdjson::padded_string padded(text);
  if (padded.size() != text.size()) throw std::bad_alloc();
  return padded;
}

bool succeeded(simdjson::error_code error) {
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  return error == simdjson::SUCCESS;
}

SealedJson::SealedJson(std::string path, std::string_view text, const SealedFormat& format) : JsonMembers(std::move(path)) {
  check_seal(this->path(), text);
  std::string_view name;
  const bool is_json = succeeded(parser_.parse(padded(text)).get(root_)) && root_["format"].get(name) == simdjson::SUCCESS;
  if (!is_json || name != format.name)
    fail(fmt::format("expected {} {}, a file that inkling wrote", format.article, format.name));
  const std::int64_t version = integer(root_, "format_version");
  if (version != format.version) {
    std::string_view program;
    if (root_["needs_program"].get(program) != simdjson::SUCCESS) program = "newer than this one";
    fail(fmt::format("expected {} {} of version {}, found version {}, which needs inkling {} or later", format.article,
                     format.name, format.version, version, utf8_shortened(program, 40)));
  }
  if (!seal_position(text)) fail("damaged: expected a file that ends in its checksum");
}

void JsonMembers::fail(const std::string& expectation) const { throw CorruptFileError(path_, expectation); }

std::int64_t JsonMembers::integer(Element object, std::string_view key, std::int64_t most) const {
  std::int64_t number = 0;
  if (object[key].get(number) != simdjson::SUCCESS || number < 0 || number > most)
    fail(fmt::format("expected \"{}\" to be an integer from 0 to {}", key, most));
  return number;
}

std::string JsonMembers::string(Element object, std::string_view key) const {
  std::string_view text;
  if (object[key].get(text) != simdjson::SUCCESS) fail(fmt::format("expected \"{}\" to be a string", key));
  return std::string(text);
}

bool JsonMembers::boolean(Element object, std::string_view key) const {
  bool truth = false;
  if (object[key].get(truth) != simdjson::SUCCESS) fail(fmt::format("expected \"{}\" to be true or false", key));
  return truth;
}

simdjson::dom::array JsonMembers::array(Element object, std::string_view key) const {
  simdjson::dom::array elements;
  if (object[key].get(elements) != simdjson::SUCCESS) fail(fmt::format("expected \"{}\" to be an array", key));
  return elements;
}

JsonMembers::Element JsonMembers::object(Element object, std::string_view key) const {
  Element found;
  if (object[key].get(found) != simdjson::SUCCESS || !found.is_object())
    fail(fmt::format("expected \"{}\" to be an object", key));
  return found;
}

std::uint64_t JsonMembers::checksum(Element object, std::string_view key) const {
  std::string_view digits;
  const bool is_string = object[key].get(digits) == simdjson::SUCCESS;
  const std::optional<std::uint64_t> number = is_string ? parse_checksum_digits(digits) : std::nullopt;
  if (!number) fail(fmt::format("expected \"{}\" to be a checksum of {} hexadecimal digits", key, kSealDigits));
  return *number;
}

}  // namespace inkling
