#include "bench/paper/figures/bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/figures/bound_points.hpp"
#include "bench/paper/figures/octave_growth.hpp"
#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/trial_measures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kLongest = 16384;
constexpr std::int64_t kRoundsByRelevant = 4096;
constexpr std::int32_t kRelevant = 5;
constexpr std::int32_t kRelevantCounts[] = {1, 2, 5, 10, 20, 40};
constexpr double kSquareRoot = 0.65;  // an exponent of 1/2, and what logarithms may add to it

/// 2^6 ... 2^14, or as many halvings of another longest one.
std::vector<std::int64_t> horizons(const PaperSettings& settings) {
  constexpr std::int64_t shortest = 8;
  constexpr int most = 9;
  std::vector<std::int64_t> horizons;
  for (std::int64_t rounds = settings.horizon(kLongest); horizons.size() < most; rounds /= 2) {
    if (rounds < shortest && !horizons.empty()) break;
    horizons.push_back(std::max(rounds, shortest));
  }
  std::ranges::reverse(horizons);
  return horizons;
}

/// FF-OFUL does not know its horizon: a shorter run is the beginning of a longer one.
Study horizons_study(const PaperSettings& settings) {
  Study study = synthetic_study(settings, "horizons", synthetic_options(settings, kRelevant));
  for (const std::int64_t rounds : horizons(settings)) {
    study.entrants.push_back(entrant_of(settings, "ff-oful", rounds, settings.noise));
    study.entrants.back().name = fmt::format("T = {}", rounds);
  }
  return study;
}

/// Every word that matters is marked when it is first shown.
Study marked_at_once_study(const PaperSettings& settings) {
  WorldOptions options = synthetic_options(settings, kRelevant);
  options.mark_probability = 1.0;
  Study study = synthetic_study(settings, "marked-at-once", options);
  study.entrants = {entrant_of(settings, "ff-oful", horizons(settings).back(), settings.noise)};
  return study;
}

std::vector<Study> studies_of(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  std::vector<Study> studies = {horizons_study(settings), marked_at_once_study(settings)};
  for (const std::int32_t relevant : kRelevantCounts) {
    studies.push_back(synthetic_study(settings, fmt::format("relevant-{}", relevant),
                                      synthetic_options(settings, relevant)));
    studies.back().entrants = {entrant_of(
        settings, "ff-oful", std::max<std::int64_t>(8, settings.horizon(kRoundsByRelevant)), settings.noise)};
  }
  return studies;
}

std::vector<BoundPoint> points_by_horizon(const StudyResult& result) {
  const double discovery = least_discovery(result.study);
  std::vector<BoundPoint> points;
  points.reserve(result.entrants.size());
  for (const EntrantResult& entrant : result.entrants) {
    points.push_back(
        bound_point(static_cast<double>(entrant.entrant.options.rounds), entrant, kRelevant, discovery));
  }
  return points;
}

std::vector<BoundPoint> points_by_relevant(std::span<const StudyResult> results) {
  std::vector<BoundPoint> points;
  for (std::size_t n = 0; n < results.size(); ++n) {
    points.push_back(bound_point(kRelevantCounts[n], results[n].entrants.front(), kRelevantCounts[n],
                                 least_discovery(results[n].study)));
  }
  return points;
}

Claim below_bound_claim(const std::vector<BoundPoint>& by_horizon, const std::vector<BoundPoint>& by_relevant,
                        double delta) {
  double share = 1.0;
  double closest = 0.0;
  for (const std::vector<BoundPoint>* points : {&by_horizon, &by_relevant}) {
    for (const BoundPoint& point : *points) {
      share = std::min(share, point.share_below);
      closest = std::max(closest, point.regret.mean / point.bound.total());
    }
  }
  Claim claim{
      .id = "regret-below-bound",
      .sentence =
          "With probability 1 − δ the regret is below Theorem 2's bound, at every horizon and every k.",
      .verdict = share >= 1.0 - delta ? Verdict::holds : Verdict::fails,
      .numbers = {{"share of the trials below the bound, where it is least", {share, 0.0}},
                  {"mean regret over the bound, where it is largest", {closest, 0.0}}}};
  if (claim.verdict == Verdict::fails)
    claim.why = "Fewer trials than 1 − δ keep the bound at some horizon or k.";
  return claim;
}

Claim exponent_claim(const Octaves& at_once, const Octaves& found_early, std::int64_t rounds) {
  Claim claim{.id = "regret-exponent-once-marked",
              .sentence = fmt::format("Once every relevant word is marked, regret grows no faster than T^{}.",
                                      kSquareRoot),
              .numbers = {}};
  for (const Octaves* octaves : {&at_once, &found_early}) {
    if (!std::isfinite(octaves->exponent.mean)) continue;
    claim.numbers.push_back({fmt::format("exponent, {} ({} trials)", octaves->name, octaves->by_trial.size()),
                             octaves->exponent});
  }
  if (!std::isfinite(at_once.exponent.mean)) {
    claim.why =
        fmt::format("In {} rounds too few trials had every word marked in time for an exponent.", rounds);
    return claim;
  }
  claim.verdict = clearly_below(at_once.exponent, kSquareRoot) ? Verdict::holds : Verdict::fails;
  if (claim.verdict == Verdict::fails) {
    claim.why = fmt::format(
        "Decided where p = 1, for there no trial is left out. The last octaves begin at round {:.0f}; before "
        "OFUL has settled on a document its regret grows like T.",
        at_once.start.front());
  }
  return claim;
}

Claim linear_claim(std::span<const StudyResult> results, Estimate exponent) {
  Claim claim{.id = "regret-at-most-linear-in-k",
              .sentence = "At a fixed horizon regret grows no faster than k, the number of relevant words.",
              .numbers = {{"exponent of k", exponent}}};
  for (std::size_t n = 0; n < results.size(); ++n) {
    claim.numbers.push_back(
        {fmt::format("regret at k = {}", kRelevantCounts[n]), results[n].entrants.front().regret()});
  }
  claim.verdict = clearly_below(exponent, 1.0) ? Verdict::holds : Verdict::fails;
  if (claim.verdict == Verdict::fails)
    claim.why = "The exponent of a power law through the means is not clearly below 1.";
  return claim;
}

/// Regrets of one trial number at each k, so that an error can be told by leaving trials out.
Estimate exponent_of_relevant(std::span<const StudyResult> results) {
  std::vector<double> relevant;
  std::vector<std::vector<double>> by_trial(results.front().entrants.front().trials.size());
  for (std::size_t n = 0; n < results.size(); ++n) {
    relevant.push_back(kRelevantCounts[n]);
    for (std::size_t trial = 0; trial < by_trial.size(); ++trial) {
      by_trial[trial].push_back(results[n].entrants.front().trials[trial].regret);
    }
  }
  return growth_exponent(relevant, by_trial);
}

std::string meaning_text(const BoundSetting& setting) {
  const std::optional<int> power = first_power_below_worst(setting);
  if (!power) return "It is above 2SLT, which no policy can exceed, at every horizon that was tried.";
  return fmt::format("It is above 2SLT, which no policy can exceed, until T = 2^{}.", *power);
}

std::string whole_text(double number) {
  return digit_groups(static_cast<std::int64_t>(std::llround(number)));
}

std::string growth_text(const Octaves& at_once, Estimate exponent) {
  std::string text =
      fmt::format(" At a fixed horizon regret grows like k to the power {}.", estimate_text(exponent));
  if (!std::isfinite(at_once.exponent.mean)) return text;
  return fmt::format(
      " Where a word that matters is marked as soon as it is shown, the regret of an octave of rounds grows "
      "like T to the power {}.{}",
      estimate_text(at_once.exponent), text);
}

std::string paragraph_of(const std::vector<BoundPoint>& by_horizon, std::int64_t trials) {
  const BoundPoint& last = by_horizon.back();
  return fmt::format(
      "How does FF-OFUL's regret compare with what Theorem 2 promises? {} trials; 5 of 40 words matter, and "
      "then 1 to 40 of them. The theorem's p is the chance that a random round marks the rarest relevant "
      "word of any trial: {:.4f}. At T = {} the regret is {} and the bound {}, of which {} are for finding "
      "every word. {}",
      trials, last.setting.discovery, whole_text(last.x), estimate_text(last.regret),
      whole_text(last.bound.total()), whole_text(last.bound.finding), meaning_text(last.setting));
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  constexpr int octaves_at_once = 5;
  constexpr int octaves_found_early = 3;  // every word by T/8
  const std::span<const StudyResult> by_count = std::span(results).subspan(2);
  const std::vector<BoundPoint> by_horizon = points_by_horizon(results[0]);
  const std::vector<BoundPoint> by_relevant = points_by_relevant(by_count);
  const EntrantResult& longest = results[0].entrants.back();
  const Octaves at_once = octaves_of("p = 1", results[1].entrants.front(), octaves_at_once);
  const Octaves found_early =
      octaves_of(fmt::format("p = {}, all found by T/8", context.settings.mark_probability), longest,
                 octaves_found_early);
  const Estimate exponent = exponent_of_relevant(by_count);
  FigureReport report;
  report.paragraph = paragraph_of(by_horizon, results[0].study.trials) + growth_text(at_once, exponent);
  report.settings = synthetic_settings(context, results[0], synthetic_options(context.settings, kRelevant));
  for (auto& [name, value] : report.settings) {
    if (name == "rounds") value = fmt::format("{} to {}", by_horizon.front().x, by_horizon.back().x);
  }
  report.settings.emplace_back("L, the length of every row", "1");
  report.settings.emplace_back("n of the theorem's ln(λ + nL/k), which the paper leaves open", "T");
  report.charts.push_back(
      bound_chart(by_horizon, "", "Regret and Theorem 2 as the horizon grows", "rounds (T)",
                  "Measured regret is the lowest line; 1, 2 and 3 are the terms of the bound."));
  report.charts.push_back(
      bound_chart(by_relevant, "relevant", "Regret and Theorem 2 as more words matter", "relevant words (k)",
                  fmt::format("After {} rounds.",
                              digit_groups(by_count.front().entrants.front().entrant.options.rounds))));
  report.charts.push_back(octave_chart({at_once, found_early}));
  report.tables = {bound_table(by_horizon, "As the horizon grows: the bound and its terms", "T"),
                   bound_table(by_relevant, "As more words matter: the bound and its terms", "k")};
  report.claims = {below_bound_claim(by_horizon, by_relevant, context.settings.delta),
                   exponent_claim(at_once, found_early, longest.entrant.options.rounds),
                   linear_claim(by_count, exponent)};
  return report;
}

}  // namespace

Figure bound_figure() {
  return {.name = "bound",
          .title = "Measured regret and Theorem 2",
          .paper_place = "Regret analysis, Theorem 2",
          .studies = studies_of,
          .report = report_of};
}

}  // namespace inkling::bench
