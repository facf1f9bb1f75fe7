// `inkling score`: learns from a person's events and scores every document of a pool.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/wording/byte_size.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/cli/peak_memory.hpp"
#include "io/doors/cli/progress.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/score/score_options.hpp"
#include "io/search/score/read_bandwidth.hpp"
#include "io/search/score/score_pass.hpp"

namespace inkling {
namespace {

// The part of --memory that is left for buffers, after the words, the models, the program itself and the rankings.
std::uint64_t buffer_memory(const PoolSet& pools, const ScoreOptions& options) {
  const std::int64_t ranked = std::min(options.top.value_or(0), pools.documents());
  const std::uint64_t rankings = static_cast<std::uint64_t>(ranked) * sizeof(ScoredDocument) * options.event_files.size();
  const std::uint64_t taken = peak_resident_memory().value_or(0) + rankings;
  if (taken < options.memory) return options.memory - taken;
  throw FormatError("--memory",
                    fmt::format("expected more than the {} that words, models and rankings take", byte_size_text(taken)));
}

// How long the pass took, and what it read.
struct PassCost {
  ScanTotals totals;
  double seconds = 0.0;
};

PassCost score_documents(const PoolSet& pools, const ScoreUsers& users, const ScoreOptions& options, ScoreOutput& output) {
  ScanOptions scanning = {.layout = options.layout};
  if (options.access == PoolAccess::read) scanning.memory = buffer_memory(pools, options);
  const bool lines_scroll_by = !options.top && options.output.files.empty() && terminal_facts(Stream::output).is_terminal;
  Progress line("scoring, documents", static_cast<std::uint64_t>(pools.documents()),
                lines_scroll_by ? ProgressDisplay() : standard_error_display());
  std::int64_t shown = 0;
  const ScanProgress progress = [&](std::int64_t documents) {
    throw_if_interrupted();
    line.advance(static_cast<std::uint64_t>(documents - std::exchange(shown, documents)));
  };
  const Stopwatch watch;
  if (!options.top) {
    const ScanTotals totals = write_all(pools, users, scanning, progress, output);
    return {totals, watch.seconds()};
  }
  RankingPass pass =
      rank_documents(pools, users, options.rules.replays, static_cast<std::size_t>(*options.top), scanning, progress);
  const double seconds = watch.seconds();
  line.finish();
  write_ranked(pools, users, pass, output);
  return {pass.totals, seconds};
}

double gigabytes_a_second(std::uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) / 1e9 / std::max(seconds, 1e-9);
}

// Documents, features in use, documents and bytes a second, peak memory, skipped events.
std::string closing_line(const ScoreUsers& users, const PassCost& cost, const ScoreOptions& options) {
  const ScanTotals& totals = cost.totals;
  std::string text = fmt::format("{} by {}", counted(totals.documents, "document", "documents"),
                                 counted(users.features_in_use, "feature", "features"));
  if (users.count() > 1) text += fmt::format(" for {} users", users.count());
  text += fmt::format(" in {:.3f} s: {} documents/s, {:.2f} GB/s of {} on {}", cost.seconds,
                      short_count(static_cast<double>(totals.documents) / std::max(cost.seconds, 1e-9)),
                      gigabytes_a_second(totals.bytes_read, cost.seconds),
                      totals.layout == ScanLayout::rows ? "rows" : "postings", counted(options.threads, "thread", "threads"));
  if (const auto peak = peak_resident_memory())
    text += fmt::format("; {} resident at most{}", byte_size_text(*peak),
                        options.access == PoolAccess::map ? ", mapped files included" : "");
  if (users.skipped() > 0) {
    const auto first = std::ranges::find_if(users.logs, [](const EventLog& log) { return log.skipped > 0; });
    text += fmt::format("; {} skipped, first {}", counted(users.skipped(), "bad event", "bad events"), first->first_skipped);
  }
  return text;
}

// Scans the rows of the pool, and then only reads them, several times by turns. Requires: PoolAccess::map.
std::string bandwidth_line(const PoolSet& pools, const ScoreUsers& users, const ScoreOptions& options) {
  constexpr int rounds = 5;
  double scan_rate = 0.0;
  double read_rate = 0.0;
  for (int round = 0; round < rounds; ++round) {
    const Stopwatch scanning;
    const RankingPass pass =
        rank_documents(pools, users, options.rules.replays, static_cast<std::size_t>(options.top.value_or(10)),
                       {.layout = ScanLayout::rows}, [](std::int64_t) { throw_if_interrupted(); });
    scan_rate = std::max(scan_rate, gigabytes_a_second(pass.totals.bytes_read, scanning.seconds()));
    const Stopwatch reading;
    const ReadPass read = read_all_rows(pools);
    read_rate = std::max(read_rate, gigabytes_a_second(read.bytes, reading.seconds()));
  }
  return fmt::format(
      "a scan of rows reads {:.2f} GB/s, {:.0f} % of the {:.2f} GB/s at which this machine reads them (best "
      "of {} each)",
      scan_rate, read_rate > 0.0 ? 100.0 * scan_rate / read_rate : 0.0, read_rate, rounds);
}

std::string message(std::string_view text) { return fmt::format("inkling score: {}\n", visible_text(text)); }

// The output is complete, so no failure from here on changes the exit code.
void sum_up_scores(const PoolSet& pools, const ScoreUsers& users, const PassCost& cost, const ScoreOptions& options) {
  tell_summary([&] { return message(closing_line(users, cost, options)); });
  if (options.measure_bandwidth) tell_summary([&] { return message(bandwidth_line(pools, users, options)); });
}

void score_pools(const ScoreOptions& options) {
  const PoolSet pools = PoolSet::open(options.pools, options.access, options.trust);
  const ScoreUsers users = learn_users(pools, options.event_files, options.rules, options.policy, options.learning);
  if (options.out_folder) make_folder(*options.out_folder);
  ScoreOutput output(options.event_files, options.output);
  for (const std::string& text : users.remarks) tell(message(text));
  const PassCost cost = score_documents(pools, users, options, output);
  pools.check_unchanged();
  output.close();
  sum_up_scores(pools, users, cost, options);
}

int score(const ParsedOptions& given) {
  ScoreOptions options = score_options_of(given);
  options.output.print = [](std::string_view text) { fmt::print("{}", text); };
  ThreadLimit limit(options.threads);
  limit.run([&] { score_pools(options); });
  return ExitCode::ok;
}

}  // namespace

Command score_command() { return command_of(score_option_table(), score); }

}  // namespace inkling
