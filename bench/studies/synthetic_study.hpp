// Worlds of the paper's synthetic experiments, and the studies that are run in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/studies/figure.hpp"
#include "bench/studies/paper_settings.hpp"
#include "bench/studies/study.hpp"
#include "bench/worlds/world.hpp"

namespace inkling::bench {

/// N = 1000 documents over d = 40 words, `relevant` of which matter.
[[nodiscard]] WorldOptions synthetic_options(const PaperSettings& settings, std::int32_t relevant);

/// A setting of such worlds that a figure may change while all others stay.
struct WorldSetting {
  std::string_view name;
  std::string_view label;  ///< of an axis
  double (*get)(const WorldOptions&);
  void (*set)(WorldOptions&, double);
};

/// noise, mark-probability, documents, dimension, relevant, or irrelevant-marks, whose setter also lets people
/// mark words that do not matter. Requires: one of these names.
[[nodiscard]] const WorldSetting& world_setting(std::string_view name);

/// A study in such worlds, a new one for each trial, without entrants.
[[nodiscard]] Study synthetic_study(const PaperSettings& settings, std::string name,
                                    const WorldOptions& options);

/// This share of the trials, but not fewer than two, which show a spread.
[[nodiscard]] std::int64_t share_of_trials(std::int64_t trials, double share);

/// How likely a random play marks its least likely relevant feature: p times the share of documents that hold
/// it, the least over all trials of the study. The p of the paper's Assumption 2.
[[nodiscard]] double least_discovery(const Study& study);

}  // namespace inkling::bench
