#include "engine/scoring/live/scored_model.hpp"

#include <cmath>
#include <utility>

#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/scan/model_scan.hpp"

namespace inkling {

ScoredModel::ScoredModel(PoolView pool, std::unique_ptr<LinearModel> model) : pool_(pool), model_(std::move(model)) {}
ScoredModel::~ScoredModel() = default;

const DualRidgeModel* ScoredModel::dual() const noexcept { return model_->dual(); }
const PlayedDocuments& ScoredModel::played() const noexcept { return model_->played(); }
double ScoredModel::precision(FeatureId feature) const noexcept { return model_->precision(feature); }
std::int64_t ScoredModel::rebuilds() const noexcept { return model_->rebuilds(); }

void ScoredModel::put_off(std::function<void()> between) {
  leave_scores_behind();
  model_->put_off(std::move(between));
}

void ScoredModel::retire(DocumentId document) {
  retired_.push_back(document);
  if (scores_) scores_->retire(document);
}

void ScoredModel::start_with(std::span<const FeatureId> features) {
  model_->start_with(features);
  drop_scores();
}

void ScoredModel::make_scores() {
  scores_.emplace(pool_, model_->form());
  if (const RidgeModel* const primal = model_->primal())
    for (const FeatureId feature : primal->features().in_order()) scores_->admit(feature);
  for (const DocumentId document : retired_) scores_->retire(document);
  behind_ = true;
}

void ScoredModel::catch_up() {
  if (!scores_) make_scores();
  if (!behind_) return;
  scores_->refresh(*model_);
  behind_ = false;
  fresh_ = true;
}

/// The rounding error of a squared width is relative to the largest possible one, and that of a mean to the largest possible
/// product. `observe` finds drift beyond a tenth of the former.
RunningScores::Slack ScoredModel::slack() const noexcept {
  constexpr double square = 1e-10;
  constexpr double mean = 1e-9;
  double theta_square = model_->base_mean() * model_->base_mean();
  for (const double weight : model_->theta()) theta_square += weight * weight;
  const double base = model_->base();
  const double norm_square = scores_->largest_norm_square() + base * base;
  return {.mean = mean * std::sqrt(norm_square * theta_square), .square = square * norm_square / model_->least_precision()};
}

Ranked ScoredModel::best(double radius) {
  catch_up();
  return fresh_ ? scores_->best(radius) : decided(radius);
}

Ranked ScoredModel::best_by_solves(double radius) {
  if (!scores_) make_scores();
  scores_->refresh_by_solves(*model_);
  leave_scores_behind();
  return decided(radius);
}

Ranked ScoredModel::decided(double radius) const {
  const std::vector<DocumentId> contenders = scores_->contenders(radius, slack());
  if (contenders.size() <= 1) return scores_->best(radius);
  ModelScan scan(*model_, pool_.whole_documents());
  Ranked best;
  for (const DocumentId document : contenders) {
    const Prediction prediction = scan.predict(pool_.by_document, document);
    keep_first(best, {document, optimism(prediction.mean, prediction.square, radius)});
  }
  return best;
}

Ranked ScoredModel::scored_by_scan(DocumentId document, double radius) const {
  if (document == kNoDocument) return {};
  const Prediction exact = ModelScan(*model_, pool_.whole_documents()).predict(pool_.by_document, document);
  return {document, optimism(exact.mean, exact.square, radius)};
}

void ScoredModel::adopt(FeatureId feature) {
  const RankOneChange birth = model_->adopt(feature);
  if (follows())
    scores_->adopt(feature, birth, model_->coordinates());
  else if (scores_)
    scores_->admit(feature);
  follow(birth);
}

/// A change of a dual model costs a product with the whole pool. A score from nothing costs the square of the number of documents
/// played, plus the features that they share with the row. The numbers are measured, and within a factor of two on any machine.
bool ScoredModel::rescoring_is_less_work(std::size_t changes) const noexcept {
  if (model_->dual() == nullptr) return false;
  const std::size_t played = model_->played().in_order().size();
  const std::size_t one_score = played * played / 2 + 50 * played;
  return changes * 2 * static_cast<std::size_t>(pool_.whole_nonzeros()) >
         static_cast<std::size_t>(pool_.whole_documents()) * one_score;
}

void ScoredModel::reweigh(std::span<const Reweighed> features) {
  if (features.empty()) return;
  if (rescoring_is_less_work(features.size())) {
    leave_scores_behind();
    return model_->reweigh_all(features);
  }
  for (const Reweighed& one : features) {
    const RankOneChange change = model_->reweigh(one.feature, one.precision);
    if (follows()) scores_->observe(change, model_->coordinates());
    follow(change);
  }
}

void ScoredModel::observe(DocumentId document, double reward) {
  observe({.key = document, .row = pool_.row_of(document), .reward = reward, .base = model_->base()});
}

void ScoredModel::forget_observations(std::int64_t key) {
  model_->forget_observations(key);
  leave_scores_behind();
  fresh_ = false;
}

DualRidgeModel& ScoredModel::changed_dual() {
  leave_scores_behind();
  fresh_ = false;
  return dynamic_cast<DualRidgeModel&>(*model_);
}

void ScoredModel::believe(std::span<const Belief> beliefs) { changed_dual().believe(beliefs); }
void ScoredModel::forget_belief(FeatureId feature) { changed_dual().forget_belief(feature); }

void ScoredModel::recount(std::span<const Recount> rows) {
  model_->recount(rows);
  leave_scores_behind();
  fresh_ = false;
}

void ScoredModel::observe(const Observation& observation) {
  const RankOneChange change = model_->observe(observation);
  if (follows()) {
    if (drifted(observation, change))
      leave_scores_behind();
    else
      scores_->observe(change, model_->coordinates());
  }
  follow(change);
}

/// Compares the running squared width of this document with the model's own: they are the same number, computed in two
/// ways. Squared widths are at most |x|^2 over the least precision, so that is the scale on which a difference counts.
bool ScoredModel::drifted(const Observation& observation, const RankOneChange& change) const noexcept {
  if (observation.key >= pool_.whole_documents()) return false;  // a word, of which no score is kept
  const auto document = static_cast<DocumentId>(observation.key);
  if (!pool_.holds(document)) return false;
  const auto at = static_cast<std::size_t>(document - pool_.first_document());
  const double base = model_->base();
  const double scale = (squared_norm(observation.row) + base * base) / model_->least_precision();
  const bool retired = std::isinf(scores_->means()[at]);
  return !retired && std::fabs(scores_->squares()[at] - change.leverage) > 1e-11 * scale;
}

void ScoredModel::follow(const RankOneChange& change) {
  fresh_ = false;
  if (model_->puts_off()) return;
  ++events_since_refresh_;
  if (change.rebuilt || events_since_refresh_ >= kRefreshInterval) refine();
}

void ScoredModel::refine() {
  model_->refine();
  leave_scores_behind();
  events_since_refresh_ = 0;
}

}  // namespace inkling
