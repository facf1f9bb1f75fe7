// `inkling verify`: checks whether a pool is still what was written.
#include <algorithm>

#include <fmt/format.h>

#include "io/build/text_recipe.hpp"
#include "io/cli/progress.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/commands/commands.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/utf8.hpp"
#include "io/pool/open/pool.hpp"

namespace inkling {
namespace {

OptionTable verify_options() {
  return OptionTable(
      {"inkling verify",
       "Reads every byte of a pool and checks that it is what was written: exit code 0, or 5 and the "
       "file that is not.",
       "inkling verify reviews",
       {{"Output", {{"json", Flag{}, "", std::nullopt, "print one JSON object"}}},
        {"Running", {threads_option()}}},
       {"POOL", "the pool", 1, 1}});
}

std::string json_of(const std::string& pool, const VerifyReport& report, double seconds) {
  JsonWriter json;
  json.begin_object().member("pool", pool).member("intact", true);
  json.member("files", report.files).member("bytes", report.bytes);
  const Manifest& manifest = report.manifest;
  json.member("documents", manifest.rows).member("features", manifest.columns);
  json.member("nonzeros", manifest.nonzeros);
  return json.member("seconds", seconds).end_object().take();
}

int verify(const ParsedOptions& options) {
  const std::string& pool = options.positionals().front();
  const Stopwatch watch;
  VerifyReport report;
  {
    PhasedProgress progress;
    ThreadLimit limit(threads_of(options));
    report = limit.run([&] {
      return verify_pool(pool, [&progress](std::uint64_t done, std::uint64_t total) {
        progress.show("checking, bytes", done, total);
      });
    });
  }
  static_cast<void>(recipe_of_pool(pool, report.manifest));
  const double seconds = watch.seconds();
  if (options.flag("json")) {
    fmt::print("{}\n", json_of(pool, report, seconds));
    return ExitCode::ok;
  }
  fmt::print(
      "{}: intact. {} documents, {} features, {} non-zeros; {} files, {} bytes in {:.2f} s ({:.2f} GB/s)\n",
      visible_text(pool), digit_groups(report.manifest.rows), digit_groups(report.manifest.columns),
      digit_groups(report.manifest.nonzeros), report.files,
      digit_groups(static_cast<std::int64_t>(report.bytes)), seconds,
      static_cast<double>(report.bytes) / 1e9 / std::max(seconds, 1e-9));
  return ExitCode::ok;
}

}  // namespace

Command verify_command() { return command_of(verify_options(), verify); }

}  // namespace inkling
