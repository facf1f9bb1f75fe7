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
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/doors/commands/build_options.hpp"
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

void build_pool(const std::string& path, const std::string& pool, std::span<const std::string> reading) {
  const std::string source = path.starts_with('-') ? "./" + path : path;
  fs::create_directories(fs::absolute(pool).parent_path());
  try {
    std::vector<std::string> args = {source, "--out", pool, "--keep-text", "--force"};
    args.insert(args.end(), reading.begin(), reading.end());
    const TextBuildSummary built = build_records(args);
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

OptionGroup records_group() { return {"A file of records in place of a pool", {encoding_option(), strict_option()}}; }

std::vector<std::string> records_args(const ParsedOptions& options) {
  std::vector<std::string> args;
  if (options.given("encoding")) args = {"--encoding", options.text("encoding")};
  if (options.flag("strict")) args.emplace_back("--strict");
  return args;
}

std::string pool_of_records(const std::string& path, std::span<const std::string> reading) {
  if (!is_file_of_records(path)) return path;
  std::string pool = pool_name_of(path);
  const FileStatus before = status_at(path.c_str()).value();
  const bool is_there = pool_at(pool).has_value();
  const bool is_searched = is_there && fs::exists(session_file_beside(pool));
  const bool is_new = is_there && !is_older_than(pool, before);
  if (is_new && reading.empty()) return pool;
  if (is_new && is_searched)
    throw UsageError(
        fmt::format("{}: expected no searches of this pool yet, found {}: continue without {}, or name another copy of {}",
                    visible_text(pool), visible_text(session_file_beside(pool)), reading.front(), visible_text(path)));
  if (is_searched)
    add_records(pool, std::array{path}, reading, pool);
  else
    build_pool(path, pool, reading);
  const std::optional<FileStatus> after = status_at(path.c_str());
  if (!after || after->changed != before.changed) throw FormatError(path, "was written to while it was being read; try again");
  return pool;
}

}  // namespace inkling
