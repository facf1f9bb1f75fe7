#include "io/score/score_report.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "io/cli/byte_size.hpp"
#include "io/cli/interruption.hpp"
#include "io/cli/peak_memory.hpp"
#include "io/cli/progress.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/file/digit_groups.hpp"
#include "io/score/read_bandwidth.hpp"
#include "io/score/score_pass.hpp"

namespace inkling {
namespace {

double gigabytes_a_second(std::uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) / 1e9 / std::max(seconds, 1e-9);
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", digit_groups(count), count == 1 ? one : many);
}

}  // namespace

std::string closing_line(const ScoreUsers& users, const ScanTotals& totals, double seconds,
                         const ScoreOptions& options) {
  std::string text = fmt::format("{} by {}", counted(totals.documents, "document", "documents"),
                                 counted(users.features_in_use, "feature", "features"));
  if (users.count() > 1) text += fmt::format(" for {} users", users.count());
  text += fmt::format(" in {:.3f} s: {} documents/s, {:.2f} GB/s of {} on {}", seconds,
                      short_count(static_cast<double>(totals.documents) / std::max(seconds, 1e-9)),
                      gigabytes_a_second(totals.bytes_read, seconds),
                      totals.layout == ScanLayout::rows ? "rows" : "postings",
                      counted(options.threads, "thread", "threads"));
  if (const auto peak = peak_resident_memory())
    text += fmt::format("; {} resident at most{}", byte_size_text(*peak),
                        options.access == PoolAccess::map ? ", mapped files included" : "");
  if (users.skipped() > 0) text += "; " + counted(users.skipped(), "bad event", "bad events") + " skipped";
  return text;
}

std::string bandwidth_line(const PoolSet& pools, const ScoreUsers& users, const ScoreOptions& options) {
  constexpr int rounds = 5;
  double scan_rate = 0.0;
  double read_rate = 0.0;
  for (int round = 0; round < rounds; ++round) {
    const Stopwatch scanning;
    const RankingPass pass = rank_documents(
        pools, users, options.rules.replays, static_cast<std::size_t>(options.top.value_or(10)),
        {.layout = ScanLayout::rows}, [](std::int64_t) { throw_if_interrupted(); });
    scan_rate = std::max(scan_rate, gigabytes_a_second(pass.totals.bytes_read, scanning.seconds()));
    const Stopwatch reading;
    const ReadPass read = read_all_rows(pools);
    read_rate = std::max(read_rate, gigabytes_a_second(read.bytes, reading.seconds()));
  }
  return fmt::format(
      "a scan of rows reads {:.2f} GB/s, {:.0f} % of the {:.2f} GB/s at which this machine reads them (best "
      "of "
      "{} each)",
      scan_rate, read_rate > 0.0 ? 100.0 * scan_rate / read_rate : 0.0, read_rate, rounds);
}

}  // namespace inkling
