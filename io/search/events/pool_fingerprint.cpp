#include "io/search/events/pool_fingerprint.hpp"

#include <string_view>

#include <fmt/format.h>

namespace inkling {
namespace {

std::string hash_of(std::string_view text) { return fmt::format("{:016x}", checksum_of(std::as_bytes(std::span(text)))); }

// One line: the name, the length and the checksums of a file, where the pool has it.
void append_file(std::string& text, const Manifest& manifest, std::string_view name) {
  const FileRecord* const record = manifest.file(name);
  if (record == nullptr) return;
  text += fmt::format("{} {}", name, record->bytes);
  for (const std::uint64_t checksum : record->checksums) text += fmt::format(" {:016x}", checksum);
  text += '\n';
}

}  // namespace

std::string pool_fingerprint(const Manifest& manifest) {
  std::string text = fmt::format("rows {}\ncolumns {}\n", manifest.rows, manifest.columns);
  append_file(text, manifest, PoolFile::vocabulary);
  const std::string offsets = PoolFile::offsets_of(PoolFile::ids);
  const bool has_ids = manifest.file(offsets) != nullptr;
  append_file(text, manifest, has_ids ? offsets : std::string(PoolFile::row_offsets));
  append_file(text, manifest, has_ids ? PoolFile::bytes_of(PoolFile::ids) : std::string(PoolFile::row_features));
  return hash_of(text);
}

std::string joint_fingerprint(std::span<const std::string> fingerprints) {
  if (fingerprints.size() == 1) return fingerprints.front();
  std::string text;
  for (const std::string& fingerprint : fingerprints) text += fingerprint + "\n";
  return hash_of(text);
}

}  // namespace inkling
