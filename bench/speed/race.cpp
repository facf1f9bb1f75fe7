#include "bench/speed/race.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace inkling::bench {
namespace {

std::string_view about(Discovery discovery) {
  return discovery == Discovery::marked ? "features marked on the way" : "all features from the start";
}

RaceEntry::Agreement agreement_of(const TimedRun& run, const TimedRun& reference) {
  RaceEntry::Agreement agreement;
  for (std::size_t n = 0; n < run.rounds.size(); ++n) {
    if (run.rounds[n].seconds < 0.0) continue;  // rescoring did not choose
    ++agreement.compared;
    if (run.rounds[n].document == reference.rounds[n].document) continue;
    ++agreement.differences;
    if (!agreement.first_difference) agreement.first_difference = static_cast<std::int64_t>(n) + 1;
  }
  return agreement;
}

RaceEntry entry_of(const TimedRun& run) {
  RaceEntry entry{.name = fmt::format("inkling {} {}", name_of(run.discovery), scoring_name(run.scoring)),
                  .about = std::string(about(run.discovery)),
                  .times = times_of(run),
                  .peak_bytes = run.peak_bytes};
  if (run.discovery == Discovery::marked) entry.method = RaceMethod::other;
  return entry;
}

/// The three scorings of one policy; returns what it played.
std::vector<TimedRound> race_policy(const RatedPool& rated, Discovery discovery, const RunOptions& run,
                                    const BetweenRounds& between, const EntryDone& done,
                                    std::vector<RaceEntry>& entries) {
  TimedRun sublinear = run_timed(rated, discovery, Scoring::sublinear, run, between);
  entries.push_back(entry_of(sublinear));
  done();
  const TimedRun running = run_timed(rated, discovery, Scoring::running, run, between);
  entries.push_back(entry_of(running));
  entries.back().agreement = agreement_of(running, sublinear);
  done();
  const TimedRun rescoring = run_rescoring_along(rated, sublinear, run, between);
  entries.push_back(entry_of(rescoring));
  entries.back().agreement = agreement_of(rescoring, sublinear);
  done();
  return std::move(sublinear.rounds);
}

}  // namespace

void race_ours(const RatedPool& rated, const BetweenRounds& between, const EntryDone& done,
               RaceResult& result) {
  result.marked = race_policy(rated, Discovery::marked, result.run, between, done, result.entries);
  result.given = race_policy(rated, Discovery::given, result.run, between, done, result.entries);
}

void check_ours(const RatedPool& rated, const BetweenRounds& between, RaceResult& result) {
  result.checks = {
      check_choices(rated, Discovery::marked, Scoring::sublinear, result.run, between),
      check_choices(rated, Discovery::given, Scoring::sublinear, result.run, between),
  };
}

void compare_choices(const RaceResult& result, RaceEntry& entry) {
  if (entry.method != RaceMethod::ours || entry.skipped) return;
  RaceEntry::Agreement agreement;
  const std::size_t rounds = std::min(entry.choices.size(), result.given.size());
  for (std::size_t n = 0; n < rounds; ++n) {
    ++agreement.compared;
    if (entry.choices[n] == result.given[n].document) continue;
    ++agreement.differences;
    if (!agreement.first_difference) agreement.first_difference = static_cast<std::int64_t>(n) + 1;
  }
  entry.agreement = agreement;
}

}  // namespace inkling::bench
