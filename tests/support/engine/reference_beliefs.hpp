// The plain twin of MarkBeliefs: it remembers what was shown and marked, and counts everything again for each answer.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/model/confidence_radius.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling::test {

class ReferenceBeliefs {
 public:
  ReferenceBeliefs(std::int32_t features, const ConfidenceOptions& confidence, const SoftMarksOptions& options)
      : features_(features), confidence_(confidence), options_(options) {}

  void observe_marks(SparseRow row, std::span<const SaidWord> marks) {
    Showing showing{{row.features.begin(), row.features.end()}, {}};
    for (const SaidWord& mark : marks) {
      const auto twice = std::ranges::find(showing.marks, mark.feature, &SaidWord::feature);
      if (twice == showing.marks.end()) showing.marks.push_back(mark);
    }
    showings_.push_back(showing);
  }

  [[nodiscard]] double precision(FeatureId feature) const {
    double silent = unmarked();
    const double p = mark_probability();
    if (p > 0.0) {
      // The number of showings after which the odds are a quarter, rounded to the power of two that is nearest by ratio.
      const double showings = std::max(1.0, std::exp2(std::ceil(std::log2(std::log(4.0) / -std::log1p(-p)) - 0.5)));
      silent *= std::pow(4.0, std::min(3.0, std::floor(shown(feature) / showings)));
    }
    const double doubt = doubt_of(feature);
    return 1.0 / ((1.0 - doubt) / marked_precision() + doubt / silent);
  }

  [[nodiscard]] double mark_probability() const {
    const std::set<FeatureId> marked = marked_features();
    if (marked.empty()) return 0.0;
    if (options_.mark_probability > 0.0) return std::min(0.99, options_.mark_probability);
    double again = 0.5;
    double chances = 10.0;
    for (const FeatureId feature : marked) {
      bool known = false;
      for (const Showing& showing : showings_) {
        const bool is_shown = std::ranges::find(showing.features, feature) != showing.features.end();
        const bool is_marked = std::ranges::find(showing.marks, feature, &SaidWord::feature) != showing.marks.end();
        if (known && is_shown) chances += 1.0;
        if (known && is_shown && is_marked) again += 1.0;
        known = known || is_marked;
      }
    }
    return std::min(0.99, again / chances);
  }

 private:
  struct Showing {
    std::vector<FeatureId> features;
    std::vector<SaidWord> marks;
  };

  [[nodiscard]] double ratio() const {
    return confidence_.noise * confidence_.noise / (confidence_.norm_bound * confidence_.norm_bound);
  }

  [[nodiscard]] double unmarked() const {
    return options_.unmarked_precision > 0.0 ? options_.unmarked_precision : ratio() * features_;
  }

  [[nodiscard]] double marked_precision() const {
    if (options_.marked_precision > 0.0) return options_.marked_precision;
    double marked = 0.0;
    for (const FeatureId feature : marked_features()) marked += 1.0 - doubt_of(feature);
    return std::min(unmarked(), ratio() * std::exp2(std::ceil(std::log2(std::max(marked, 1.0)))));
  }

  [[nodiscard]] double doubt_of(FeatureId feature) const {
    double doubt = 1.0;
    for (const Showing& showing : showings_) {
      for (const SaidWord& mark : showing.marks)
        if (mark.feature == feature) doubt *= 1.0 - mark.confidence;
    }
    return doubt;
  }

  [[nodiscard]] double shown(FeatureId feature) const {
    return static_cast<double>(std::ranges::count_if(showings_, [&](const Showing& showing) {
      return std::ranges::find(showing.features, feature) != showing.features.end();
    }));
  }

  [[nodiscard]] std::set<FeatureId> marked_features() const {
    std::set<FeatureId> marked;
    for (const Showing& showing : showings_)
      for (const SaidWord& mark : showing.marks) marked.insert(mark.feature);
    return marked;
  }

  double features_;
  ConfidenceOptions confidence_;
  SoftMarksOptions options_;
  std::vector<Showing> showings_;
};

}  // namespace inkling::test
