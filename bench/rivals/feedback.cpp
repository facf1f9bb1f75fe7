#include "bench/rivals/feedback.hpp"

#include <algorithm>
#include <cassert>

#include "engine/model/observation.hpp"

namespace inkling::bench {

void Feedback::observe(DocumentId document, double reward) {
  check_reward(document, reward);
  rule_.observe(reward);
  ++ratings_;
  Rated& its = rated(document);
  ++its.plays;
  its.rewards.add(reward);
}

Feedback::Rated& Feedback::rated(DocumentId document) {
  const std::int32_t place = place_of_.find(document);
  if (place != IdMap<DocumentId>::kNone) return rated_[static_cast<std::size_t>(place)];
  place_of_.set(document, static_cast<std::int32_t>(rated_.size()));
  return rated_.emplace_back(Rated{.document = document});
}

void Feedback::observe_marks(DocumentId document, std::span<const SaidWord> marks) {
  assert(holds(document));
  for (const SaidWord& mark : marks) {
    keep_higher(rated(document).marks, mark);
    keep_higher(words_, mark);
  }
}

void Feedback::rate_words(std::span<const SaidWord> ratings) {
  for (const SaidWord& rating : ratings) {
    if (!(rating.reward > 0.0)) continue;
    const SaidWord mark = {.feature = rating.feature, .confidence = rating.confidence};
    keep_higher(query_, mark);
    keep_higher(words_, mark);
  }
}

void Feedback::keep_higher(std::vector<SaidWord>& marks, const SaidWord& mark) {
  const auto at = std::ranges::lower_bound(marks, mark.feature, {}, &SaidWord::feature);
  if (at == marks.end() || at->feature != mark.feature)
    marks.insert(at, mark);
  else
    at->confidence = std::max(at->confidence, mark.confidence);
}

RatedDocument Feedback::document(std::size_t place) const {
  const Rated& its = rated_[place];
  const auto plays = static_cast<double>(its.plays);
  return {.document = its.document,
          .row = documents_.row(its.document),
          .plays = plays,
          .is_wanted = rule_.is_wanted(its.rewards.value() / plays),
          .marks = its.marks};
}

double Feedback::wanted() const {
  double sum = 0.0;
  for (std::size_t place = 0; place < size(); ++place) {
    const RatedDocument its = document(place);
    if (its.is_wanted) sum += its.plays;
  }
  return sum;
}

}  // namespace inkling::bench
