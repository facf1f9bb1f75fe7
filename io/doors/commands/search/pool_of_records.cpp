#include "io/doors/commands/search/pool_of_records.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/doors/commands/build_target.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/search/records_added.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

bool is_file_of_records(const std::string& path) {
  const std::optional<struct stat> status = status_of(path);
  return status && S_ISREG(status->st_mode) && !is_set_file(path);
}

bool can_write_beside(const std::string& path) {
  const std::string folder = fs::absolute(path).parent_path().string();
  return ::access(folder.c_str(), W_OK | X_OK) == 0;
}

// Not a cache, because the searches of the pool lie beside it.
fs::path folder_of_data() {
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread changes the environment
  const char* const data = std::getenv("XDG_DATA_HOME");
  const char* const home = std::getenv("HOME");
  // NOLINTEND(concurrency-mt-unsafe)
  if (data != nullptr && *data == '/') return fs::path(data) / "inkling";
  return fs::path(home == nullptr ? "/" : home) / ".local" / "share" / "inkling";
}

std::string pool_name_of(const std::string& path) {
  if (std::string beside = path + ".pool"; can_write_beside(path) || pool_at(beside)) return beside;
  const std::string whole = fs::canonical(path).string();
  return (folder_of_data() / fmt::format("{}-{:016x}.pool", fs::path(whole).filename().string(),
                                         std::hash<std::string>{}(whole)))
      .string();
}

// When the system saw a file change, which no copy and no archive sets back.
auto time_of_change(const struct stat& status) {
  return std::tuple(status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
}

bool is_older_than(const std::string& pool, const struct stat& source) {
  const std::optional<struct stat> manifest = status_of(pool_file_path(pool, PoolFile::manifest));
  return !manifest || time_of_change(*manifest) < time_of_change(source);
}

void build_pool(const std::string& path, const std::string& pool) {
  const std::string source = path.starts_with('-') ? "./" + path : path;
  fs::create_directories(fs::absolute(pool).parent_path());
  try {
    const TextBuildSummary built =
        build_records(std::array<std::string, 5>{source, "--out", pool, "--keep-text", "--force"});
    tell(fmt::format("{}: {} documents of {}\n", visible_text(pool), digit_groups(built.corpus.documents),
                     visible_text(path)));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}; 'inkling build {} --out POOL' takes options that say what it holds",
                                 error.what(), visible_text(path)));
  }
}

}  // namespace

std::string own_data() { return folder_of_data().string(); }

std::string existing_pool_of(const std::string& path) {
  if (!is_file_of_records(path)) return path;
  std::string pool = pool_name_of(path);
  return pool_at(pool) ? pool : path;
}

std::string pool_of_records(const std::string& path) {
  if (!is_file_of_records(path)) return path;
  std::string pool = pool_name_of(path);
  const struct stat before = status_of(path).value();
  if (pool_at(pool) && !is_older_than(pool, before)) return pool;
  if (pool_at(pool) && fs::exists(session_file_beside(pool)))
    add_records(pool, std::array{path}, {}, pool);
  else
    build_pool(path, pool);
  const std::optional<struct stat> after = status_of(path);
  if (!after || time_of_change(*after) != time_of_change(before))
    throw FormatError(path, "was written to while it was being read; try again");
  return pool;
}

}  // namespace inkling
