#include "io/commands/score_command.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/cli/byte_size.hpp"
#include "io/cli/interruption.hpp"
#include "io/cli/peak_memory.hpp"
#include "io/cli/progress.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/terminal.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/commands/score_options.hpp"
#include "io/score/score_output.hpp"
#include "io/score/score_pass.hpp"
#include "io/score/score_report.hpp"
#include "io/score/score_users.hpp"

namespace inkling {
namespace {

// What is left of --memory for buffers once words, models and the program itself have their place, and
// without what the rankings will hold.
std::uint64_t buffer_memory(const ScoreOptions& options) {
  const std::uint64_t rankings = static_cast<std::uint64_t>(options.top.value_or(0)) *
                                 sizeof(ScoredDocument) * options.event_files.size();
  const std::uint64_t taken = peak_resident_memory().value_or(0) + rankings;
  if (taken < options.memory) return options.memory - taken;
  throw FormatError("--memory", fmt::format("expected more than the {} that words, models and rankings take",
                                            byte_size_text(taken)));
}

ScanOptions scan_options(const ScoreOptions& options) {
  ScanOptions scanning = {.layout = options.layout};
  if (options.access == PoolAccess::read) scanning.memory = buffer_memory(options);
  return scanning;
}

// None where the lines of scores themselves scroll by.
ProgressDisplay progress_display(const ScoreOptions& options) {
  const bool lines_scroll_by =
      !options.top && options.out == "-" && !options.out_folder && terminal_facts(Stream::output).is_terminal;
  return lines_scroll_by ? ProgressDisplay() : standard_error_display();
}

// How long the pass took, and what it passed over.
struct PassCost {
  ScanTotals totals;
  double seconds = 0.0;
};

PassCost score_documents(const PoolSet& pools, const ScoreUsers& users, const ScoreOptions& options,
                         ScoreOutput& output) {
  const ScanOptions scanning = scan_options(options);
  Progress line("scoring, documents", static_cast<std::uint64_t>(pools.documents()),
                progress_display(options));
  std::int64_t shown = 0;
  const ScanProgress progress = [&](std::int64_t documents) {
    throw_if_interrupted();
    line.advance(static_cast<std::uint64_t>(documents - std::exchange(shown, documents)));
  };
  const Stopwatch watch;
  if (!options.top) {
    const ScanTotals totals = print_all(pools, users, options, scanning, progress, output);
    return {totals, watch.seconds()};
  }
  RankingPass pass = rank_documents(pools, users, options.rules.replays,
                                    static_cast<std::size_t>(*options.top), scanning, progress);
  const double seconds = watch.seconds();
  line.finish();
  print_ranked(pools, users, pass, options, output);
  return {pass.totals, seconds};
}

void score_pools(const ScoreOptions& options) {
  const PoolSet pools = PoolSet::open(options.pools, options.access, options.trust);
  const ScoreUsers users = learn_users(pools, options);
  ScoreOutput output(options);
  const PassCost cost = score_documents(pools, users, options, output);
  output.close();
  fmt::print(stderr, "inkling score: {}\n", closing_line(users, cost.totals, cost.seconds, options));
  if (options.measure_bandwidth)
    fmt::print(stderr, "inkling score: {}\n", bandwidth_line(pools, users, options));
}

int score(const ParsedOptions& given) {
  const ScoreOptions options = score_options_of(given);
  ThreadLimit limit(options.threads);
  limit.run([&] { score_pools(options); });
  return ExitCode::ok;
}

}  // namespace

Command score_command() { return command_of(score_option_table(), score); }

}  // namespace inkling
