#include "io/commands/output_check.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/cli/usage_error.hpp"
#include "io/file/file_identity.hpp"
#include "io/file/output_file.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

// A terminal, a pipe or a device is written to and read as it comes; nothing of it can be destroyed.
bool is_no_file(const std::string& path) {
  if (path == "-") return true;
  std::error_code ignored;
  const auto type = std::filesystem::status(path, ignored).type();
  using Type = std::filesystem::file_type;
  return type == Type::character || type == Type::fifo || type == Type::socket || type == Type::block;
}

// Where a file lies, or will lie. Where it cannot be followed, the path as it is: opening it will say why.
std::filesystem::path final_place(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  return error ? std::filesystem::path(path) : whole;
}

bool are_same(const std::string& one, const std::string& other) {
  const std::optional<FileIdentity> identity = identity_of(one);
  if (identity && identity == identity_of(other)) return true;
  return final_place(one) == final_place(other);
}

[[noreturn]] void refuse(const NamedFile& output, const std::string& what) {
  throw UsageError(
      fmt::format("{} {} {}: expected another place for the output", output.role, output.path, what));
}

// Whether a folder holds the manifest of a pool.
bool is_pool_folder(const std::filesystem::path& folder) {
  const std::string manifest = pool_file_path(folder.string(), PoolFile::manifest);
  if (!identity_of(manifest)) return false;
  try {
    const Descriptor file = open_regular_file(AT_FDCWD, manifest, manifest);
    std::array<std::byte, 256> beginning{};
    const std::size_t count = read_at(file.number(), beginning, 0);
    return looks_like_manifest({reinterpret_cast<const char*>(beginning.data()), count});
  } catch (const SystemError&) {
    return false;  // nothing that this command could read
  }
}

// Also of a pool that the command does not read. Files of pools lie in the pool or in a folder of it.
void refuse_any_pool(const NamedFile& output) {
  const std::filesystem::path folder = final_place(output.path).parent_path();
  for (const std::filesystem::path& pool : {folder, folder.parent_path()})
    if (is_pool_folder(pool)) refuse(output, fmt::format("lies within the pool {}", pool.string()));
}

void refuse_pool_file(const NamedFile& output, const std::string& pool) {
  if (lies_within(output.path, pool)) refuse(output, fmt::format("lies within the pool {}", pool));
  const auto check = [&](std::string_view name) {
    const std::string file = pool_file_path(pool, name);
    if (are_same(output.path, file)) refuse(output, fmt::format("is {}, a file of the pool", file));
  };
  check(PoolFile::manifest);
  for (const std::string_view name : kPoolFileNames) check(name);
}

}  // namespace

void refuse_overwriting(std::span<const NamedFile> outputs, std::span<const NamedFile> inputs,
                        std::span<const std::string> pools) {
  for (std::size_t n = 0; n < outputs.size(); ++n) {
    const NamedFile& output = outputs[n];
    if (is_no_file(output.path)) continue;
    for (const NamedFile& input : inputs) {
      if (!is_no_file(input.path) && are_same(output.path, input.path))
        refuse(output, fmt::format("is the same file as {} {}, which is read", input.role, input.path));
    }
    for (const NamedFile& other : outputs.first(n)) {
      if (!is_no_file(other.path) && are_same(output.path, other.path))
        refuse(output, fmt::format("is the same file as {} {}", other.role, other.path));
    }
    for (const std::string& pool : pools) refuse_pool_file(output, pool);
    refuse_any_pool(output);
  }
}

}  // namespace inkling
