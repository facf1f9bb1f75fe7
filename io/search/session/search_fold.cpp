#include "io/search/session/search_fold.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/core/errors.hpp"
#include "io/search/events/learning.hpp"

namespace inkling {
namespace {

PolicyOptions options_of_search(PolicyOptions options) {
  options.with_replacement = false;
  return options;
}

RandomStream stream_of_round(std::uint64_t seed, std::int64_t round, RandomRole role) {
  return {seed, static_cast<std::uint64_t>(round), role};
}

}  // namespace

bool can_search_with(const Preset& preset) noexcept {
  using Scope = FeatureScope::Kind;
  return preset.scope == Scope::none || preset.scope == Scope::all || preset.scope == Scope::marked;
}

SearchFold::SearchFold(PoolView pool, const SearchSettings& settings)
    : pool_(pool),
      preset_(settings.preset),
      options_(options_of_search(settings.options)),
      seed_(settings.seed),
      keeps_scores_(settings.keep_scores) {
  if (!can_search_with(preset_)) {
    throw FormatError("policy " + std::string(preset_.name),
                      "expected one that needs no words and no number of rounds beforehand");
  }
  start_over({});
}

void SearchFold::start_over(std::span<const SearchStep> steps) {
  policy_.emplace(pool_, preset_, options_, stream_of_round(seed_, 0, RandomRole::exploration),
                  stream_of_round(seed_, 0, RandomRole::sampling));
  policy_->keep_scores(keeps_scores_);
  round_ = 1;
  skips_.clear();
  for (const SearchStep& step : steps) append(step);
}

void SearchFold::append(const SearchStep& step) {
  if (step.kind == StepKind::words) {
    policy_->rate_words(step.words);
    return;  // the same round is still to be answered
  }
  policy_->pass_round();
  if (step.kind == StepKind::skip)
    set_aside(step.document);
  else
    learn_rating(step);
  ++round_;
}

void SearchFold::learn_rating(const SearchStep& step) {
  const std::vector<SaidWord> words = told_words(step.words, preset_.uses.word_ratings);
  policy_->observe({.document = step.document, .reward = step.reward, .words = words});
}

void SearchFold::set_aside(DocumentId document) {
  std::erase_if(skips_, [&](const Skip& skip) {
    return skip.document == document || skip.round + kSkipRounds <= round_;
  });
  skips_.insert(skips_.end(), Skip{document, round_});
}

std::vector<DocumentId> SearchFold::waiting() const {
  std::vector<DocumentId> documents;
  documents.reserve(skips_.size());
  for (const Skip& skip : skips_) {
    const bool waits = round_ <= skip.round + kSkipRounds;
    if (waits && policy_->remaining().contains(skip.document)) documents.push_back(skip.document);
  }
  if (std::ssize(documents) == policy_->remaining().size()) documents.clear();  // nothing else is on offer
  return documents;
}

std::optional<Offer> SearchFold::choose(bool is_sampled) {
  if (policy_->exhausted()) return std::nullopt;
  const std::vector<DocumentId> skipped = waiting();
  const Remains on_offer = [&](DocumentId document) {
    return std::ranges::find(skipped, document) == skipped.end();
  };
  const std::int64_t among = policy_->remaining().size() - std::ssize(skipped);
  Offer offer = is_sampled ? draw(on_offer) : choice(on_offer, static_cast<double>(among));
  offer.round = round_;
  offer.among = among;
  if (is_sampled) offer.propensity = 1.0 / static_cast<double>(among);
  add_prediction(offer);
  return offer;
}

// From a stream of its own, so that a sample tells nothing of what a coin said in the same round.
Offer SearchFold::draw(const Remains& on_offer) const {
  RandomStream random = stream_of_round(seed_, round_, RandomRole::documents);
  DocumentId drawn = policy_->remaining().pick(random);
  while (!on_offer(drawn)) drawn = policy_->remaining().pick(random);
  Offer offer = {.document = drawn, .explored = true};
  if (policy_->features_in_use() > 0) offer.radius = policy_->learner()->radius();
  return offer;
}

Offer SearchFold::choice(const Remains& on_offer, double among) {
  const PolicyMoment before = policy_->moment();
  policy_->set_moment({before.clock, stream_of_round(seed_, round_, RandomRole::exploration),
                       stream_of_round(seed_, round_, RandomRole::sampling)});
  const Play play = policy_->choose(on_offer);
  policy_->set_moment(before);
  Offer offer = {.document = play.document, .explored = play.explored};
  if (policy_->features_in_use() > 0) offer.radius = play.radius;
  offer.propensity = propensity_of(play, on_offer, among);
  return offer;
}

// Where the best one is drawn from a posterior, nobody knows how likely each document was.
std::optional<double> SearchFold::propensity_of(const Play& play, const Remains& on_offer, double among) {
  const double as_any = play.exploration / among;
  if (play.exploration >= 1.0) return as_any;
  if (!play.radius) return std::nullopt;
  const bool is_best = !play.explored || policy_->ranking(1, on_offer).front().document == play.document;
  return is_best ? 1.0 - play.exploration + as_any : as_any;
}

void SearchFold::add_prediction(Offer& offer) const {
  if (policy_->features_in_use() == 0 || policy_->learner()->model() == nullptr) return;
  const Prediction prediction = policy_->learner()->model()->predict(pool_.by_document.row(offer.document));
  offer.mean = prediction.mean;
  offer.width = std::sqrt(std::max(prediction.square, 0.0));
}

void SearchFold::keep_scores(bool keep) {
  keeps_scores_ = keep;
  policy_->keep_scores(keep);
}

}  // namespace inkling
