#include "tests/support/engine/reference_policy.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <utility>

namespace inkling::test {
namespace {

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::ranges::find(names, name) != names.end();
}

bool uses_all_features(const std::string& preset) { return is_one_of(preset, {"oful", "soft-marks", "thompson"}); }

}  // namespace

bool draws_from_posterior(const std::string& preset) { return is_one_of(preset, {"thompson", "ff-thompson"}); }

ReferencePolicy::ReferencePolicy(PoolView pool, std::string preset, const PolicyOptions& options, RandomStream exploration,
                                 RandomStream sampling)
    : pool_(pool),
      preset_(std::move(preset)),
      options_(options),
      exploration_(exploration),
      sampling_(sampling),
      ridge_(pool, options.ridge) {
  if (!is_one_of(preset_, {"random", "oful", "ff-oful", "ff-oful-epoch", "explore-then-commit", "oful-subset", "soft-marks",
                           "ff-thompson", "thompson"}))
    throw std::logic_error("the plain twin has no policy " + preset_);
  for (DocumentId document = 0; document < pool.documents(); ++document) remaining_.push_back(document);
  if (preset_ == "soft-marks") beliefs_.emplace(pool.features(), options.confidence, options.soft_marks);
  if (uses_all_features(preset_))
    for (FeatureId feature = 0; feature < pool.features(); ++feature) ridge_.adopt(feature);
  if (preset_ == "oful-subset")
    for (const FeatureId feature : options.given) ridge_.adopt(feature);
}

double ReferencePolicy::exploration_probability() const {
  if (preset_ == "random" || ridge_.features().empty()) return 1.0;
  if (uses_all_features(preset_) || preset_ == "oful-subset") return 0.0;
  if (preset_ == "explore-then-commit") return round_ <= options_.first_rounds ? 1.0 : 0.0;
  if (preset_ == "ff-oful-epoch") {
    double rounds_in_epoch = 1.0;
    while (rounds_in_epoch * 2.0 <= static_cast<double>(rounds_since_first_mark_)) rounds_in_epoch *= 2.0;
    return std::min(1.0, options_.epoch_constant / std::sqrt(rounds_in_epoch));
  }
  return 1.0 / std::sqrt(static_cast<double>(rounds_since_first_mark_));  // ff-oful, ff-thompson
}

bool ReferencePolicy::takes_marks() const {
  if (preset_ == "explore-then-commit") return round_ <= options_.first_rounds;
  return is_one_of(preset_, {"ff-oful", "ff-oful-epoch", "ff-thompson"});
}

Real ReferencePolicy::radius(const SolvedRidge& ridge) const {
  const ConfidenceOptions& confidence = options_.confidence;
  if (preset_ == "soft-marks") return confidence.noise * std::sqrt(std::log(static_cast<Real>(plays_) + 2.0L));
  const Real lambda = options_.ridge;
  const Real spread = ridge.log_det_ratio + 2.0L * std::log(1.0L / static_cast<Real>(confidence.delta));
  return confidence.noise * std::sqrt(spread) + std::sqrt(lambda) * confidence.norm_bound;
}

std::vector<Real> ReferencePolicy::drawn_theta(const SolvedRidge& ridge) {
  std::vector<double> z;
  for (std::size_t a = 0; a < ridge.features.size(); ++a) z.push_back(sampling_.normal());
  std::vector<Real> theta = ridge.factor.colour(z);
  for (std::size_t a = 0; a < theta.size(); ++a) theta[a] = ridge.theta[a] + options_.confidence.noise * theta[a];
  return theta;
}

void ReferencePolicy::score(const SolvedRidge& ridge, ReferencePlay& play) {
  const std::vector<Real> theta = draws_from_posterior(preset_) ? drawn_theta(ridge) : ridge.theta;
  play.scores.resize(static_cast<std::size_t>(pool_.documents()));
  for (DocumentId document = 0; document < pool_.documents(); ++document) {
    if (std::ranges::find(remaining_, document) == remaining_.end()) continue;
    const SparseRow row = pool_.by_document.row(document);
    Real score = inner(ridge.restricted(row), theta);
    if (play.radius) score += *play.radius * std::sqrt(ridge.square(row));
    play.scores[static_cast<std::size_t>(document)] = score;
    if (play.document < 0 || score > *play.scores[static_cast<std::size_t>(play.document)]) play.document = document;
  }
}

void ReferencePolicy::believe() {
  if (!beliefs_) return;
  for (const FeatureId feature : ridge_.features()) ridge_.reweigh(feature, beliefs_->precision(feature));
}

ReferencePlay ReferencePolicy::choose() {
  believe();
  ++round_;
  if (marked_) ++rounds_since_first_mark_;
  const SolvedRidge ridge = ridge_.solved();
  ReferencePlay play;
  play.condition_bound = ridge.condition_bound;
  if (preset_ != "random" && !draws_from_posterior(preset_)) play.radius = radius(ridge);
  const double probability = exploration_probability();
  const bool tossed = probability > 0.0 && probability < 1.0;
  play.explored = tossed ? exploration_.coin(probability) : probability == 1.0;
  if (play.explored)
    play.document = remaining_[exploration_.below(remaining_.size())];
  else
    score(ridge, play);
  return play;
}

void ReferencePolicy::observe(DocumentId document, double reward, std::span<const FeatureId> marks,
                              std::span<const double> confidences) {
  ridge_.observe(document, reward);
  ++plays_;
  if (beliefs_) {
    std::vector<SaidWord> weighed;
    for (std::size_t n = 0; n < marks.size(); ++n)
      weighed.push_back({.feature = marks[n], .confidence = confidences.empty() ? 1.0 : confidences[n]});
    beliefs_->observe_marks(pool_.by_document.row(document), weighed);
  }
  if (takes_marks()) {
    for (const FeatureId feature : marks) {
      if (!ridge_.uses(feature)) ridge_.adopt(feature);
      marked_ = true;
    }
  }
  if (options_.with_replacement) return;
  const auto found = std::ranges::find(remaining_, document);
  if (found == remaining_.end()) return;
  *found = remaining_.back();  // the last document moves to the place of the removed one
  remaining_.pop_back();
}

}  // namespace inkling::test
