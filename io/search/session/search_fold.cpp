#include "io/search/session/search_fold.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string>

#include "engine/core/errors.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/sparse/whole_row.hpp"
#include "io/search/events/learning.hpp"

namespace inkling {
namespace {

PolicyOptions options_of_search(const SearchSettings& settings) {
  PolicyOptions options = settings.options;
  options.with_replacement = settings.with_replacement;
  options.left_out = settings.copies.rows;
  return options;
}

// Whether the options give the policy all that it needs before the first round.
bool has_what_it_needs(const Preset& preset, const PolicyOptions& options) {
  return can_search_with(preset) || (preset.scope == FeatureScope::Kind::given && !options.given.empty()) ||
         (preset.scope == FeatureScope::Kind::marked_in_first_rounds && options.first_rounds > 0);
}

}  // namespace

RandomStream stream_of_round(std::uint64_t seed, std::int64_t round, RandomRole role) {
  return {seed, static_cast<std::uint64_t>(round), role};
}

bool can_search_with(const Preset& preset) noexcept {
  return preset.scope == FeatureScope::Kind::none || preset.scope == FeatureScope::Kind::all ||
         preset.scope == FeatureScope::Kind::marked;
}

SearchFold::SearchFold(PoolView pool, const SearchSettings& settings)
    : pool_(pool),
      preset_(settings.preset),
      options_(options_of_search(settings)),
      seed_(settings.seed),
      keeps_scores_(settings.keep_scores) {
  if (!has_what_it_needs(preset_, options_)) {
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
  append(steps);
}

void SearchFold::append(std::span<const SearchStep> steps) {
  while (!steps.empty()) {
    const std::optional<std::int64_t> batch = steps.front().batch;
    if (!batch) {
      append_one(steps.front());
      steps = steps.subspan(1);
      continue;
    }
    const auto end = std::ranges::find_if(steps, [&](const SearchStep& step) { return step.batch != batch; });
    const auto size = static_cast<std::size_t>(end - steps.begin());
    learn_batch(steps.first(size));
    steps = steps.subspan(size);
  }
}

void SearchFold::append_one(const SearchStep& step) {
  between_();
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

// Rounds pass as if the steps were learned one by one: all rounds up to the first mark pass before anything is learned.
void SearchFold::learn_batch(std::span<const SearchStep> steps) {
  if (preset_.scope == FeatureScope::Kind::marked_in_first_rounds) {
    for (const SearchStep& step : steps) append_one(step);
    return;
  }
  std::vector<std::vector<SaidWord>> words;
  words.reserve(steps.size());
  for (const SearchStep& step : steps)
    words.push_back(step.is_rating() ? words_to_learn(step.words, preset_.uses.word_ratings) : step.words);
  std::vector<PastEvent> events;
  events.reserve(steps.size());
  std::int64_t before = 0;  // rounds up to the first mark
  bool is_marked = false;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const bool is_rating = steps[n].is_rating();
    events.push_back({.document = is_rating ? steps[n].document : kNoDocument, .reward = steps[n].reward, .words = words[n]});
    if (is_rating && !is_marked) ++before;
    is_marked = is_marked || std::ranges::any_of(words[n], [](const SaidWord& word) { return word.reward.value_or(1.0) > 0.0; });
  }
  const std::int64_t rounds = std::ranges::count_if(steps, &SearchStep::is_rating);
  for (std::int64_t n = 0; n < before; ++n) policy_->pass_round();
  policy_->learn(events, between_);
  for (std::int64_t n = before; n < rounds; ++n) policy_->pass_round();
  round_ += rounds;
}

void SearchFold::learn_rating(const SearchStep& step) {
  const std::vector<SaidWord> words = words_to_learn(step.words, preset_.uses.word_ratings);
  policy_->observe({.document = step.document, .reward = step.reward, .words = words});
}

void SearchFold::set_aside(DocumentId document) {
  std::erase_if(skips_, [&](const Skip& skip) { return skip.document == document || skip.round + kSkipRounds <= round_; });
  skips_.insert(skips_.end(), Skip{document, round_});
}

std::vector<DocumentId> SearchFold::waiting_at(std::int64_t round) const {
  std::vector<DocumentId> documents;
  documents.reserve(skips_.size());
  for (const Skip& skip : skips_) {
    const bool waits = round <= skip.round + kSkipRounds;
    if (waits && policy_->remaining().contains(skip.document)) documents.push_back(skip.document);
  }
  if (std::ssize(documents) == policy_->remaining().size()) documents.clear();  // nothing else is on offer
  return documents;
}

// Ascending. Skipped documents and those put off may be chosen only if all others are on offer.
std::vector<DocumentId> SearchFold::not_on_offer(const OfferRequest& request) const {
  std::vector<DocumentId> open;
  if (!options_.with_replacement) open.assign(request.beside.begin(), request.beside.end());
  open.insert(open.end(), request.withheld.begin(), request.withheld.end());
  std::erase_if(open, [&](DocumentId document) { return !policy_->remaining().contains(document); });
  std::vector<DocumentId> documents = waiting_at(round_ + std::ssize(request.beside));
  documents.insert(documents.end(), open.begin(), open.end());
  std::ranges::copy_if(request.put_off, std::back_inserter(documents),
                       [&](DocumentId document) { return policy_->remaining().contains(document); });
  for (std::vector<DocumentId>* const some : {&documents, &open}) {
    std::ranges::sort(*some);
    const auto repeated = std::ranges::unique(*some);
    some->erase(repeated.begin(), repeated.end());
  }
  return std::ssize(documents) == policy_->remaining().size() ? open : documents;
}

/// Which documents a request may choose. Lifetime: lends the mask.
struct SearchFold::OnOffer {
  std::vector<DocumentId> held_back;  // ascending
  std::span<const bool> mask;
  std::int64_t among = 0;

  bool operator()(DocumentId document) const {
    return (mask.empty() || mask[static_cast<std::size_t>(document)]) && !std::ranges::binary_search(held_back, document);
  }
};

SearchFold::OnOffer SearchFold::on_offer(const OfferRequest& request) const {
  OnOffer offered = {.held_back = not_on_offer(request), .mask = request.among};
  offered.among = policy_->remaining().size() - std::ssize(offered.held_back);
  if (!request.among.empty()) {
    const auto all = std::views::iota(DocumentId{0}, pool_.documents());
    offered.among = std::ranges::count_if(all, [&](DocumentId i) { return policy_->remaining().contains(i) && offered(i); });
  }
  return offered;
}

std::optional<Offer> SearchFold::choose(const OfferRequest& request) {
  if (policy_->exhausted()) return std::nullopt;
  const OnOffer offered = on_offer(request);
  if (offered.among == 0) return std::nullopt;
  const std::int64_t round = round_ + std::ssize(request.beside);
  Offer offer = request.is_sampled ? draw(std::cref(offered), round)
                                   : choice(std::cref(offered), static_cast<double>(offered.among), round);
  offer.round = round;
  offer.among = offered.among;
  if (request.is_sampled) offer.propensity = 1.0 / static_cast<double>(offered.among);
  add_prediction(offer);
  return offer;
}

double ChoiceOdds::of(DocumentId document) const {
  const double as_any = exploration / static_cast<double>(among);
  if (best.empty()) return as_any;
  const auto hits = static_cast<double>(std::ranges::count(best, document));
  return std::min((1.0 - exploration) * hits / static_cast<double>(best.size()) + as_any, 1.0);
}

ChoiceOdds SearchFold::odds(const OfferRequest& request, int draws) {
  if (policy_->exhausted()) return {};
  const OnOffer offered = on_offer(request);
  ChoiceOdds odds = {.among = offered.among};
  if (odds.among == 0) return odds;
  const std::int64_t round = round_ + std::ssize(request.beside);
  const auto sampling = [&](int n) {
    return stream_of_round(seed_ + static_cast<std::uint64_t>(n) + 1, round, RandomRole::sampling);
  };
  const Play first = play(std::cref(offered), round, sampling(0));
  odds.exploration = first.exploration;
  if (first.exploration >= 1.0) return odds;
  if (first.radius && !first.explored) {
    odds.best.push_back(first.document);
    return odds;
  }
  const PolicyState before = policy_->state();
  for (int n = 0; n < (first.radius ? 1 : draws); ++n) {
    policy_->set_state({before.clock, before.exploration, sampling(n)});
    odds.best.push_back(policy_->ranking(1, std::cref(offered)).front().document);
  }
  policy_->set_state(before);
  return odds;
}

std::vector<DocumentId> SearchFold::drawn(const OfferRequest& request, int draws) const {
  const OnOffer offered = on_offer(request);
  RandomStream random = stream_of_round(seed_, round_, RandomRole::subset);
  std::vector<DocumentId> documents;
  while (offered.among > 0 && std::ssize(documents) < draws)
    if (const DocumentId document = policy_->remaining().pick(random); offered(document)) documents.push_back(document);
  return documents;
}

// Draws from a stream of its own, so that a sample is independent of the exploration in the same round.
Offer SearchFold::draw(const Remains& on_offer, std::int64_t round) const {
  RandomStream random = stream_of_round(seed_, round, RandomRole::documents);
  DocumentId drawn = policy_->remaining().pick(random);
  while (!on_offer(drawn)) drawn = policy_->remaining().pick(random);
  Offer offer = {.document = drawn, .explored = true};
  if (policy_->features_in_use() > 0) offer.radius = policy_->learner()->radius();
  return offer;
}

// The choice of this round, in which the state stays as it was.
Play SearchFold::play(const Remains& on_offer, std::int64_t round, const RandomStream& sampling) {
  const PolicyState before = policy_->state();
  policy_->set_state({before.clock, stream_of_round(seed_, round, RandomRole::exploration), sampling});
  for (std::int64_t passed = round_; passed < round; ++passed) policy_->pass_round();
  const Play play = policy_->choose(on_offer);
  policy_->set_state(before);
  return play;
}

Offer SearchFold::choice(const Remains& on_offer, double among, std::int64_t round) {
  const Play chosen = play(on_offer, round, stream_of_round(seed_, round, RandomRole::sampling));
  Offer offer = {.document = chosen.document, .explored = chosen.explored};
  if (policy_->features_in_use() > 0) offer.radius = chosen.radius;
  offer.propensity = propensity_of(chosen, on_offer, among);
  return offer;
}

// Nothing if the score was drawn from a posterior: the probability of each document is unknown then.
std::optional<double> SearchFold::propensity_of(const Play& play, const Remains& on_offer, double among) {
  const double as_any = play.exploration / among;
  if (play.exploration >= 1.0) return as_any;
  if (!play.radius) return std::nullopt;
  const auto is_first = [&](const Ranked& ranked) { return ranked.document == play.document; };
  const bool is_best = !play.explored || std::ranges::any_of(policy_->ranking(1, on_offer), is_first);
  return is_best ? 1.0 - play.exploration + as_any : as_any;
}

void SearchFold::add_prediction(Offer& offer) const {
  if (policy_->features_in_use() == 0 || policy_->learner()->model() == nullptr) return;
  const LinearModel& model = *policy_->learner()->model();
  WholeRow whole;
  const Prediction prediction = model.predict(whole.of(pool_.by_document, offer.document, model.columns()));
  offer.mean = prediction.mean;
  offer.width = std::sqrt(std::max(prediction.square, 0.0));
}

void SearchFold::keep_scores(bool keep) {
  keeps_scores_ = keep;
  policy_->keep_scores(keep);
}

}  // namespace inkling
