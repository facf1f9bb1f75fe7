// `inkling verify`: checks whether a pool, or a whole set of them, is still what was written.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/format/set_copies.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/open_pool.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/cli/progress.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/doors/commands/commands.hpp"

namespace inkling {
namespace {

OptionTable verify_options() {
  return OptionTable(
      {"inkling verify",
       "Checks that every byte of a pool is what was written. Of a set it reads all shards. Exit code 0, "
       "or 5 and the file that is not.",
       "inkling verify reviews",
       {{"Output", {{"json", Flag{}, "", std::nullopt, "print one JSON object"}}}, {"Running", {threads_option()}}},
       {"POOL", "the pool, or a set (set.json)", 1, 1}});
}

// All that is checked of a pool, or of all shards of a set.
struct VerifiedPools {
  std::int64_t shards = 0;  // 0 for a pool
  std::int64_t files = 0;
  std::uint64_t bytes = 0;
  std::int64_t documents = 0;
  std::int64_t features = 0;
  std::int64_t nonzeros = 0;

  void add(const VerifyReport& report) {
    files += report.files;
    bytes += report.bytes;
    documents += report.manifest.rows;
    features = report.manifest.columns;
    nonzeros += report.manifest.nonzeros;
  }
};

VerifyReport verify_one(const std::string& pool, PhasedProgress& progress) {
  VerifyReport report =
      verify_pool(pool, [&progress](std::uint64_t done, std::uint64_t total) { progress.show("checking, bytes", done, total); });
  static_cast<void>(recipe_of_pool(pool, report.manifest));
  return report;
}

// Throws CorruptFileError unless all shards are those that the set names, whole, and of the same words.
VerifiedPools verify_set(const std::string& path, PhasedProgress& progress) {
  const SetFile set = read_set_file(path);
  static_cast<void>(read_set_copies(path, set));
  VerifiedPools verified = {.shards = std::ssize(set.shards), .files = set.copies && set.copies->count > 0 ? 2 : 1};
  std::optional<FileRecord> words;
  for (const ShardRecord& shard : set.shards) {
    throw_if_interrupted();
    const std::string pool = shard_path(path, shard);
    {
      const OpenPool opened(pool);
      check_shard(path, shard, pool, opened.manifest(), opened.manifest_checksum());
    }
    const VerifyReport report = verify_one(pool, progress);
    verified.add(report);
    const FileRecord* const found = report.manifest.file(PoolFile::vocabulary);
    const auto own = found == nullptr ? std::nullopt : std::optional(*found);
    if (&shard == &set.shards.front()) words = own;
    if (own != words || report.manifest.columns != set.columns)
      throw CorruptFileError(pool, "expected the features of the other shards of {}", path);
  }
  return verified;
}

std::string json_of(const std::string& pool, const VerifiedPools& verified, double seconds) {
  JsonWriter json;
  json.begin_object().member(verified.shards == 0 ? "pool" : "set", pool).member("intact", true);
  if (verified.shards > 0) json.member("shards", verified.shards);
  json.member("files", verified.files).member("bytes", verified.bytes);
  json.member("documents", verified.documents).member("features", verified.features);
  json.member("nonzeros", verified.nonzeros);
  return json.member("seconds", seconds).end_object().take();
}

int verify(const ParsedOptions& options) {
  const std::string& pool = options.positionals().front();
  const Stopwatch watch;
  VerifiedPools verified;
  {
    PhasedProgress progress;
    ThreadLimit limit(threads_of(options));
    limit.run([&] {
      if (is_set_file(pool))
        verified = verify_set(pool, progress);
      else
        verified.add(verify_one(pool, progress));
    });
  }
  const double seconds = watch.seconds();
  if (options.flag("json")) {
    fmt::print("{}\n", json_of(pool, verified, seconds));
    return ExitCode::ok;
  }
  const std::string shards = verified.shards == 0 ? std::string() : counted(verified.shards, "shard", "shards") + ", ";
  fmt::print("{}: intact. {}{} documents, {} features, {} non-zeros; {} files, {} bytes in {:.2f} s ({:.2f} GB/s)\n",
             visible_text(pool), shards, digit_groups(verified.documents), digit_groups(verified.features),
             digit_groups(verified.nonzeros), verified.files, digit_groups(static_cast<std::int64_t>(verified.bytes)), seconds,
             static_cast<double>(verified.bytes) / 1e9 / std::max(seconds, 1e-9));
  return ExitCode::ok;
}

}  // namespace

Command verify_command() { return command_of(verify_options(), verify); }

}  // namespace inkling
