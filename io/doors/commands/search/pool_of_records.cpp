#include "io/doors/commands/search/pool_of_records.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/corpus/from_text/pool_extension.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/open_pool.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/doors/commands/build_target.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/search/records_added.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

bool is_file_of_records(const std::string& path) {
  const std::optional<FileStatus> status = status_at(path.c_str());
  return status && status->is_file() && !is_set_file(path);
}

bool can_write_beside(const std::string& path) { return may_write_in(fs::absolute(path).parent_path().string()); }

// Not a folder for caches, because searches are kept beside the pool.
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
  return (folder_of_data() / fmt::format("{}-{:016x}.pool", fs::path(whole).filename().string(), std::hash<std::string>{}(whole)))
      .string();
}

// Compares times of the last change (ctime), which only the system sets: copying or unpacking a file cannot set them back.
bool is_older_than(const std::string& pool, const FileStatus& source) {
  const std::optional<FileStatus> manifest = status_at(pool_file_path(pool, PoolFile::manifest).c_str());
  return !manifest || manifest->changed < source.changed;
}

// Whether the pool was built by these rules. Throws UsageError if it was not, and may not be built again.
bool is_built_by(const std::string& pool, const std::optional<SameBy>& same_by, bool may_be_built_again) {
  if (!same_by || !pool_at(pool)) return true;
  const SameBy by = same_by_of(OpenPool(pool).manifest());
  if (by != *same_by && !may_be_built_again)
    throw UsageError::option("same-by", fmt::format("{} was built with {}: expected the same or none, or a new inkling build",
                                                    visible_text(pool), same_by_text(by)));
  return by == *same_by;
}

void build_pool(const std::string& path, const std::string& pool, SameBy same_by) {
  const std::string source = path.starts_with('-') ? "./" + path : path;
  fs::create_directories(fs::absolute(pool).parent_path());
  try {
    const TextBuildSummary built = build_records(
        std::array<std::string, 7>{source, "--out", pool, "--keep-text", "--force", "--same-by", same_by_text(same_by)});
    tell(fmt::format("{}: {} documents of {}\n", visible_text(pool), digit_groups(built.corpus.documents), visible_text(path)));
  } catch (const UsageError& error) {
    throw UsageError(
        fmt::format("{}; 'inkling build {} --out POOL' takes options that say what it holds", error.what(), visible_text(path)));
  }
}

}  // namespace

std::string own_data() { return folder_of_data().string(); }

std::string existing_pool_of(const std::string& path) {
  if (!is_file_of_records(path)) return path;
  std::string pool = pool_name_of(path);
  return pool_at(pool) ? pool : path;
}

std::string pool_of_records(const std::string& path, std::optional<SameBy> same_by) {
  if (!is_file_of_records(path)) {
    static_cast<void>(is_built_by(path, same_by, false));
    return path;
  }
  std::string pool = pool_name_of(path);
  const FileStatus before = status_at(path.c_str()).value();
  const bool is_searched = pool_at(pool) && fs::exists(session_file_beside(pool));
  const bool is_same = is_built_by(pool, same_by, !is_searched);
  if (pool_at(pool) && is_same && !is_older_than(pool, before)) return pool;
  if (is_searched)
    add_records(pool, std::array{path}, {}, pool);
  else
    build_pool(path, pool, same_by.value_or(SameBy()));
  const std::optional<FileStatus> after = status_at(path.c_str());
  if (!after || after->changed != before.changed) throw FormatError(path, "was written to while it was being read; try again");
  return pool;
}

}  // namespace inkling
