#include "io/pool/set/pool_reading.hpp"

#include <cerrno>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {

Manifest manifest_in(const PoolFolder& folder) {
  try {
    return parse_manifest(folder.path_of(PoolFile::manifest), read_small_file(folder, PoolFile::manifest));
  } catch (const SystemError& error) {
    if (error.error_number() == ENOENT) folder.fail_without_manifest();
    throw;
  }
}

const FileRecord& record_in(const PoolFolder& folder, const Manifest& manifest, std::string_view name) {
  const FileRecord* const record = manifest.file(name);
  if (record != nullptr) return *record;
  throw CorruptFileError(folder.path_of(PoolFile::manifest), fmt::format("expected the file {}", name));
}

}  // namespace inkling
