#include "io/doors/commands/search/pool_of_records.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/process.hpp"
#include "io/corpus/from_text/pool_extension.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/open_pool.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/doors/commands/build_options.hpp"
#include "io/doors/commands/build_target.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/search/records_added.hpp"
#include "io/search/events/source_facts.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

bool is_file_of_records(const std::string& path) {
  const std::optional<FileStatus> status = status_at(path.c_str());
  return status && status->is_file() && !is_set_file(path);
}

bool can_write_beside(const std::string& path) { return may_write_in(folder_around(path)); }

// Not a folder for caches, because searches are kept beside the pool.
fs::path folder_of_data() { return fs::path(folder_of_user_data()) / "inkling"; }

std::string places_of_files(std::span<const std::string> paths) {
  std::string whole;
  for (const std::string& path : paths) whole += (whole.empty() ? "" : "\n") + whole_path_of(path).value_or(path);
  return whole;
}

std::string pool_name_of(std::span<const std::string> paths) {
  const std::string& first = paths.front();
  const std::string name = joined_name(paths);
  const std::string folder = first.substr(0, first.size() - fs::path(first).filename().string().size());
  if (std::string beside = folder + name + ".pool"; can_write_beside(first) || pool_at(beside)) return beside;
  return (folder_of_data() / fmt::format("{}-{:016x}.pool", name, std::hash<std::string>{}(places_of_files(paths))))
      .generic_string();
}

std::vector<FileStatus> statuses_of(std::span<const std::string> paths) {
  std::vector<FileStatus> statuses;
  for (const std::string& path : paths) statuses.push_back(status_at(path.c_str()).value());
  return statuses;
}

// Compares times of the last change (ctime), which only the system sets: copying or unpacking a file cannot set them back.
bool is_older_than(const std::string& pool, std::span<const FileStatus> sources) {
  const std::optional<FileStatus> manifest = status_at(pool_file_path(pool, PoolFile::manifest).c_str());
  return !manifest || std::ranges::any_of(sources, [&](const FileStatus& source) { return manifest->changed < source.changed; });
}

// Says what the pool holds of each file, if it is one of several.
void tell_sources(const std::string& path) {
  const Pool pool = Pool::open(path, PoolTrust::structure);
  const std::vector<SourceFacts> sources = source_facts(pool);
  for (const std::string& line : source_lines(sources))
    if (sources.size() > 1) tell("  " + visible_text(line) + "\n");
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

void build_pool(std::span<const std::string> paths, const std::string& pool, SameBy same_by,
                std::span<const std::string> reading) {
  std::vector<std::string> args;
  std::string names;
  for (const std::string& path : paths) {
    args.push_back(path.starts_with('-') ? "./" + path : path);
    names += (names.empty() ? "" : " ") + visible_text(path);
  }
  make_folder(folder_around(pool));
  args.insert(args.end(), {"--out", pool, "--keep-text", "--force", "--same-by", same_by_text(same_by)});
  try {
    args.insert(args.end(), reading.begin(), reading.end());
    const TextBuildSummary built = build_records(args);
    tell(fmt::format("{}: {} documents of {}\n", visible_text(pool), digit_groups(built.corpus.documents), names));
    tell_sources(pool);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}; 'inkling build {} --out POOL' takes options that say what it holds", error.what(), names));
  }
}

}  // namespace

std::string own_data() { return folder_of_data().generic_string(); }

std::string joined_name(std::span<const std::string> paths) {
  constexpr std::size_t longest = 100;
  std::string name;
  for (const std::string& path : paths) name += (name.empty() ? "" : "+") + fs::path(path).filename().string();
  if (paths.size() == 1) return name;
  const fs::path folder = fs::absolute(paths.front()).parent_path();
  const auto is_there = [&](const std::string& path) { return fs::absolute(path).parent_path() == folder; };
  if (name.size() <= longest && std::ranges::all_of(paths, is_there)) return name;
  return fmt::format("{}+{}-{:08x}", fs::path(paths.front()).filename().string(), paths.size() - 1,
                     std::hash<std::string>{}(places_of_files(paths)) & 0xFFFFFFFFU);
}

std::string existing_pool_of(const std::string& path) {
  if (!is_file_of_records(path)) return path;
  std::string pool = pool_name_of({&path, 1});
  return pool_at(pool) ? pool : path;
}

OptionGroup records_group() { return {"A file of records in place of a pool", {encoding_option(), strict_option()}}; }

std::vector<std::string> records_args(const ParsedOptions& options) {
  std::vector<std::string> args;
  if (options.given("encoding")) args = {"--encoding", options.text("encoding")};
  if (options.flag("strict")) args.emplace_back("--strict");
  return args;
}

std::string pool_of_records(std::span<const std::string> paths, std::optional<SameBy> same_by,
                            std::span<const std::string> reading) {
  if (paths.size() == 1 && !is_file_of_records(paths.front())) {
    static_cast<void>(is_built_by(paths.front(), same_by, false));
    return paths.front();
  }
  for (const std::string& path : paths)
    if (!is_file_of_records(path))
      throw UsageError(
          fmt::format("expected one pool, or files of records, which make one; found {} among several", visible_text(path)));
  std::string pool = pool_name_of(paths);
  const std::vector<FileStatus> before = statuses_of(paths);
  const bool is_there = pool_at(pool).has_value();
  const bool is_searched = is_there && exists_at(session_file_beside(pool));
  const bool is_new = is_built_by(pool, same_by, !is_searched) && is_there && !is_older_than(pool, before);
  if (is_new && reading.empty()) return pool;
  if (is_new && is_searched)
    throw UsageError(
        fmt::format("{}: expected no searches of this pool yet, found {}: continue without {}, or name another copy of {}",
                    visible_text(pool), visible_text(session_file_beside(pool)), reading.front(), visible_text(paths.front())));
  if (is_searched)
    add_records(pool, paths, reading, pool);
  else
    build_pool(paths, pool, same_by.value_or(SameBy()), reading);
  for (std::size_t n = 0; n < paths.size(); ++n)
    if (const std::optional<FileStatus> after = status_at(paths[n].c_str()); !after || after->changed != before[n].changed)
      throw FormatError(paths[n], "was written to while it was being read; try again");
  return pool;
}

std::vector<std::string> pools_of_paths(std::span<const std::string> paths, std::optional<SameBy> same_by,
                                        std::span<const std::string> reading) {
  std::vector<std::string> files;
  for (const std::string& path : paths)
    if (is_file_of_records(path) && std::ranges::find(files, path) == files.end()) files.push_back(path);
  std::vector<std::string> pools;
  bool has_files = false;
  for (const std::string& path : paths) {
    const bool is_file = std::ranges::find(files, path) != files.end();
    if (!is_file) pools.push_back(pool_of_records({&path, 1}, same_by, reading));
    if (is_file && !std::exchange(has_files, true)) pools.push_back(pool_of_records(files, same_by, reading));
  }
  return pools;
}

}  // namespace inkling
