#include "io/parts/folder/folder_kind.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/base/file/json_writer.hpp"

namespace inkling {
namespace {

std::string folder_record_text(const FileRecord& record) {
  JsonWriter json;
  json.begin_object().member("name", record.name).member("bytes", record.bytes);
  json.key("checksums").begin_array();
  for (const std::uint64_t checksum : record.checksums) json.value(checksum_digits(checksum));
  return "\n    " + json.end_array().end_object().take();
}

}  // namespace

std::string folder_manifest_text(const FolderKind& kind, const FolderManifest& manifest) {
  const auto quoted = [](std::string_view text) { return JsonWriter().value(text).take(); };
  std::vector<std::string> files;
  files.reserve(manifest.files.size());
  for (const FileRecord& record : manifest.files) files.push_back(folder_record_text(record));
  return sealed_json(
      fmt::format("{{\n  \"format\": {},\n  \"format_version\": {},\n  \"needs_program\": {},\n"
                  "  \"program\": {},\n  \"facts\": {},\n  \"checksum_block\": {},\n  \"files\": [{}\n  ],\n",
                  quoted(kind.format.name), kind.format.version, quoted(kind.needs_program), quoted(manifest.program_version),
                  manifest.facts, kChecksumBlockBytes, fmt::join(files, ",")));
}

FolderManifestReader::FolderManifestReader(const FolderKind& kind, const std::string& path, std::string_view text)
    : kind_(kind), json_(path, text, kind.format) {
  const std::int64_t block = json_.integer(json_.root(), "checksum_block");
  if (block != static_cast<std::int64_t>(kChecksumBlockBytes))
    json_.fail(fmt::format("expected \"checksum_block\" to be {}, found {}", kChecksumBlockBytes, block));
}

std::vector<FileRecord> FolderManifestReader::files() const {
  std::vector<FileRecord> files;
  for (const SealedJson::Element file : json_.array(json_.root(), "files")) {
    files.push_back(record_of(file));
    if (files.size() > 1 && files[files.size() - 2].name >= files.back().name)
      json_.fail("expected the names of \"files\" to ascend");
  }
  return files;
}

FileRecord FolderManifestReader::record_of(SealedJson::Element file) const {
  FileRecord record;
  record.name = json_.string(file, "name");
  if (record.name == PoolFile::manifest || std::ranges::find(kind_.files, record.name) == kind_.files.end())
    json_.fail(fmt::format("expected names of files of {}", kind_.noun));
  record.bytes = static_cast<std::uint64_t>(json_.integer(file, "bytes"));
  for (const SealedJson::Element checksum : json_.array(file, "checksums")) {
    std::string_view digits;
    const bool is_string = checksum.get(digits) == simdjson::SUCCESS;
    const auto number = is_string ? parse_checksum_digits(digits) : std::nullopt;
    if (!number) json_.fail("expected checksums of 16 hexadecimal digits");
    record.checksums.push_back(*number);
  }
  const std::uint64_t blocks = record.bytes / kChecksumBlockBytes + (record.bytes % kChecksumBlockBytes != 0 ? 1 : 0);
  if (record.checksums.size() != blocks)
    json_.fail(fmt::format("expected {} checksums of {}, found {}", blocks, record.name, record.checksums.size()));
  return record;
}

}  // namespace inkling
