#include "bench/beyond/rivals.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "bench/paper/figures/trial_measures.hpp"
#include "bench/paper/report_parts.hpp"
#include "bench/rivals/rival_presets.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kFewFeatures = 100;
constexpr double kLassoScales[] = {0.002, 0.005, 0.01, 0.03, 0.1};

/// Directions of a sketch, dimensions of a projection.
std::vector<std::int32_t> sizes_for(std::int32_t features, TuningEffort effort) {
  std::vector<std::int32_t> sizes =
      features <= kFewFeatures ? std::vector<std::int32_t>{10, 20} : std::vector<std::int32_t>{50, 100};
  if (effort == TuningEffort::coarse) sizes.pop_back();
  std::erase_if(sizes, [features](std::int32_t size) { return size >= features; });
  if (sizes.empty()) sizes.push_back(std::max(1, features / 2));
  return sizes;
}

using SizeSetter = void (*)(Contestant&, std::int32_t size);

Entrant tuned_by_size(Entrant entrant, const std::vector<double>& ridges,
                      const std::vector<std::int32_t>& sizes, SizeSetter set_size) {
  for (const double ridge : ridges) {
    for (const std::int32_t size : sizes) {
      Candidate candidate{fmt::format("{}, size {}", ridge_text(ridge), size), ridge, entrant.contestant};
      candidate.contestant.ridge = ridge;
      set_size(candidate.contestant, size);
      entrant.candidates.push_back(std::move(candidate));
    }
  }
  return entrant;
}

Entrant narrow(Entrant entrant, std::int32_t features) {
  const double ratio = entrant.options.confidence.noise / entrant.options.confidence.norm_bound;
  entrant.name = kNarrowOful;
  entrant.contestant.ridge = ratio * ratio * features;
  entrant.contestant.radius = RadiusKind::posterior;
  return entrant;
}

Entrant tuned_by_scale(Entrant entrant) {
  for (const double scale : kLassoScales) {
    Candidate candidate{fmt::format("λ0 = {}", scale), scale, entrant.contestant};
    candidate.contestant.preset = lasso_bandit({scale});
    entrant.candidates.push_back(std::move(candidate));
  }
  return entrant;
}

}  // namespace

EntrantMaker entrants_in(const PaperSettings& settings, const WorldOptions& world, std::int64_t rounds) {
  return [settings, noise = world.noise, norm = world.norm_bound, rounds](std::string_view preset) {
    Entrant entrant = entrant_of(settings, preset, rounds, noise);
    entrant.options.confidence.norm_bound = norm;
    return entrant;
  };
}

std::vector<Entrant> main_policies(const PaperSettings& settings, const EntrantMaker& maker,
                                   std::int32_t features, TuningEffort effort) {
  const std::size_t step = effort == TuningEffort::fine ? 2 : 4;
  return {maker("ff-oful"), maker("soft-marks"), tuned(maker("oful"), some_ridges(settings, step)),
          narrow(maker("oful"), features)};
}

std::vector<Entrant> all_policies(const PaperSettings& settings, const EntrantMaker& maker,
                                  std::int32_t features, TuningEffort effort) {
  const std::vector<double> ridges = some_ridges(settings, effort == TuningEffort::fine ? 4 : 8);
  const std::vector<std::int32_t> sizes = sizes_for(features, effort);
  std::vector<Entrant> entrants = main_policies(settings, maker, features, effort);
  entrants.push_back(tuned(maker("ff-thompson"), ridges));
  entrants.push_back(tuned(maker("thompson"), ridges));
  entrants.push_back(tuned_by_size(
      maker("oful-sketched"), ridges, sizes,
      [](Contestant& contestant, std::int32_t size) { contestant.preset = sketched_oful({size}); }));
  entrants.push_back(
      tuned_by_size(maker("oful-projected"), ridges, sizes, [](Contestant& contestant, std::int32_t size) {
        contestant.preset = projected_oful({.dimensions = size});
      }));
  entrants.push_back(tuned_by_scale(maker("lasso-bandit")));
  return entrants;
}

std::string tuning_method(const StudyResult& result) {
  std::vector<std::string> counts;
  for (const EntrantResult& entrant : result.entrants) {
    if (!entrant.tuning) continue;
    counts.push_back(fmt::format("{} {}", entrant.entrant.name, entrant.tuning->candidates.size()));
  }
  return fmt::format("{} trials; settings tried: {}, in {} trials each that do not count",
                     result.study.trials, fmt::join(counts, ", "), result.study.tuning_trials);
}

const EntrantResult& least_regret(const StudyResult& result) {
  return *std::ranges::min_element(result.entrants, {},
                                   [](const EntrantResult& entrant) { return entrant.regret().mean; });
}

Claim no_worse_claim(std::string id, std::string sentence, const EntrantResult& one,
                     const EntrantResult& other) {
  Claim claim = less_regret_claim(std::move(id), std::move(sentence), one, other);
  const bool worse = clearly_above(paired_difference(one, other, final_regret), 0.0);
  claim.verdict = worse ? Verdict::fails : Verdict::holds;
  return claim;
}

Claim unbeaten_claim(std::string id, std::string sentence, const StudyResult& result) {
  const EntrantResult& soft = result.of("soft-marks");
  Claim claim{.id = std::move(id), .sentence = std::move(sentence), .verdict = Verdict::holds, .numbers = {}};
  for (const EntrantResult& other : result.entrants) {
    claim.numbers.push_back({"regret of " + other.entrant.name, other.regret()});
    if (!clearly_below(paired_difference(other, soft, final_regret), 0.0)) continue;
    claim.verdict = Verdict::fails;
    claim.why += fmt::format("{}{} has less: {} against {}.", claim.why.empty() ? "" : " ",
                             other.entrant.name, estimate_text(other.regret()), estimate_text(soft.regret()));
  }
  return claim;
}

}  // namespace inkling::bench
