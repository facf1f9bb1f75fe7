#include "io/doors/commands/output_check.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/file_identity.hpp"
#include "io/base/system/file.hpp"
#include "io/base/system/folder.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/cli/usage_error.hpp"

namespace inkling {
namespace {

// Whether a folder holds the manifest of a pool.
bool is_pool_folder(const std::filesystem::path& folder) {
  const std::string manifest = pool_file_path(folder.generic_string(), PoolFile::manifest);
  if (!identity_of(manifest)) return false;
  try {
    const File file = open_regular_file(manifest);
    std::array<std::byte, 256> beginning{};
    const std::size_t count = file.read_at(beginning, 0);
    return looks_like_manifest({reinterpret_cast<const char*>(beginning.data()), count});
  } catch (const SystemError&) {
    return false;  // this command could not read it as a pool either
  }
}

// Refuses outputs in any pool, even one that the command does not read: there, files are in the pool itself or in a subfolder.
void refuse_any_pool(const NamedFile& output) {
  const std::optional<std::string> place = whole_path_of(output.path);
  if (!place) return;  // opening it will give the reason
  const std::filesystem::path folder = std::filesystem::path(*place).parent_path();
  for (const std::filesystem::path& pool : {folder, folder.parent_path()})
    if (is_pool_folder(pool))
      throw UsageError(fmt::format("{} {} lies within the pool {}: expected another place for the output", output.role,
                                   output.path, pool.generic_string()));
}

// Notes every file of the pool, because a file elsewhere may be a link to one of them.
void guard_pool(OutputGuard& guard, const std::string& pool) {
  guard.reads("the pool", pool);
  guard.reads("a file of the pool,", pool_file_path(pool, PoolFile::manifest));
  for (const std::string_view name : kPoolFileNames) guard.reads("a file of the pool,", pool_file_path(pool, name));
}

}  // namespace

void refuse_overwriting(std::span<const NamedFile> outputs, std::span<const NamedFile> inputs,
                        std::span<const std::string> pools) {
  OutputGuard guard;
  for (const NamedFile& input : inputs) guard.reads(input.role, input.path);
  for (const std::string& pool : pools)
    if (is_set_file(pool)) guard.reads("the set", pool);
  for (const std::string& pool : pools_behind(pools)) guard_pool(guard, pool);
  for (const NamedFile& output : outputs) {
    guard.writes(output.role, output.path);
    if (output.path != "-") refuse_any_pool(output);
  }
}

std::vector<NamedFile> files_called(const std::string& role, std::span<const std::string> paths) {
  std::vector<NamedFile> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back({role, path});
  return files;
}

std::vector<NamedFile> files_of(const ParsedOptions& options, std::initializer_list<const char*> names) {
  std::vector<NamedFile> files;
  files.reserve(names.size());
  for (const char* const name : names)
    if (options.has(name)) files.push_back({"--" + std::string(name), options.text(name)});
  return files;
}

}  // namespace inkling
