#include "bench/speed/race.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace inkling::bench {
namespace {

void count_choice(std::int64_t round, DocumentId choice, DocumentId ours, RaceEntry::Agreement& agreement) {
  ++agreement.compared;
  if (choice == ours) return;
  ++agreement.differences;
  if (!agreement.first_difference) agreement.first_difference = round + 1;
}

/// The entry of one of our runs, beside the sublinear run with the same features.
RaceEntry entry_of(const TimedRun& run, const TimedRun& sublinear) {
  const bool marked = run.discovery == Discovery::marked;
  RaceEntry entry{.name = fmt::format("inkling {} {}", name_of(run.discovery), scoring_name(run.scoring)),
                  .method = marked ? RaceMethod::other : RaceMethod::ours,
                  .about = marked ? "features marked on the way" : "all features from the start",
                  .times = times_of(run),
                  .peak_bytes = run.peak_bytes};
  RaceEntry::Agreement agreement;
  double ours = 0.0;
  for (std::size_t n = 0; n < run.rounds.size(); ++n) {
    if (run.rounds[n].seconds < 0.0) continue;  // rescoring neither chose nor was timed
    ours += sublinear.rounds[n].seconds;
    count_choice(static_cast<std::int64_t>(n), run.rounds[n].document, sublinear.rounds[n].document,
                 agreement);
  }
  if (run.scoring != Scoring::sublinear) entry.agreement = agreement;
  if (entry.times.count > 0) entry.ours_in_these_rounds = ours / static_cast<double>(entry.times.count);
  return entry;
}

/// The three scorings of one policy; returns what it played.
std::vector<TimedRound> race_policy(const RatedPool& rated, Discovery discovery, const TimedRunOptions& run,
                                    const BetweenRounds& between, const EntryDone& done,
                                    std::vector<RaceEntry>& entries) {
  TimedRun sublinear = run_timed(rated, discovery, Scoring::sublinear, run, between);
  entries.push_back(entry_of(sublinear, sublinear));
  done();
  entries.push_back(entry_of(run_timed(rated, discovery, Scoring::running, run, between), sublinear));
  done();
  entries.push_back(entry_of(run_rescoring_along(rated, sublinear, run, between), sublinear));
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

void compare_with_ours(const RaceResult& result, RaceEntry& peer) {
  const std::size_t rounds = std::min(peer.choices.size(), result.given.size());
  if (peer.skipped || rounds == 0) return;
  RaceEntry::Agreement agreement;
  double ours = 0.0;
  for (std::size_t n = 0; n < rounds; ++n) {
    ours += result.given[n].seconds;
    count_choice(static_cast<std::int64_t>(n), peer.choices[n], result.given[n].document, agreement);
  }
  peer.ours_in_these_rounds = ours / static_cast<double>(rounds);
  if (peer.method == RaceMethod::ours) peer.agreement = agreement;
}

}  // namespace inkling::bench
