#include "io/search/events/learning.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <iterator>
#include <ranges>
#include <string>
#include <utility>

#include <tsl/robin_set.h>

#include "engine/core/errors.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"

namespace inkling {
namespace {

CsrMatrix gathered(std::span<const std::int64_t> documents, std::int32_t features, const PlayedPool::RowOf& row_of) {
  CsrMatrix rows(features);
  for (const std::int64_t document : documents) {
    const CsrMatrix row = row_of(document);
    rows.append_row(row.view().row(0));
  }
  return rows;
}

using Scope = FeatureScope::Kind;

/// A matrix of so many marked features takes 64 MB. If there are more, and at most `kFewPlayed` documents, the model keeps a
/// matrix of the documents instead. To score a document takes the square of their number, so there must be few of them.
constexpr std::int64_t kManyMarked = 2048;
constexpr std::int64_t kFewPlayed = 256;

/// Whether the model keeps a matrix of features (primal) or of documents (dual), after so many marked features and documents.
ModelForm form_for(const Preset& preset, std::int32_t features, std::int64_t marked, std::int64_t documents) {
  constexpr std::int32_t small_gram = 256;
  if (preset.uses.word_ratings) return features > small_gram ? ModelForm::dual : ModelForm::primal;
  const bool dual = preset.scope == Scope::all ? features > small_gram && documents < features
                                               : marked > kManyMarked && documents <= kFewPlayed;
  return dual ? ModelForm::dual : ModelForm::primal;
}

/// Features in the order in which they were first named, each once.
class NamedFeatures {
 public:
  void name(FeatureId feature) {
    if (seen_.insert(feature).second) in_order_.push_back(feature);
  }
  [[nodiscard]] std::vector<FeatureId> take() && { return std::move(in_order_); }

 private:
  tsl::robin_set<FeatureId> seen_;
  std::vector<FeatureId> in_order_;
};

/// The features that come into use if the policy uses those that are marked.
std::vector<FeatureId> adopted_features(std::span<const PastEvent> events) {
  NamedFeatures adopted;
  for (const PastEvent& event : events)
    for (const SaidWord& word : event.words)
      if (!word.reward || *word.reward > 0.0) adopted.name(word.feature);
  return std::move(adopted).take();
}

/// The events that count: of several ratings of a word apart from documents, only the last one.
class CountingEvents {
 public:
  /// Lifetime: lends the events' words.
  CountingEvents(std::span<const Event> events, const PlayedPool& played) {
    past_.reserve(events.size());
    for (const Event& event : events | std::views::reverse) {
      const std::span<const SaidWord> words = event.document ? event.words : not_rated_later(event.words);
      if (!event.document && words.empty()) continue;
      past_.push_back(
          {.document = event.document ? played.number_of(*event.document) : kNoDocument, .reward = event.reward, .words = words});
    }
    std::ranges::reverse(past_);
  }

  [[nodiscard]] std::span<const PastEvent> past() const noexcept { return past_; }

 private:
  [[nodiscard]] std::span<const SaidWord> not_rated_later(std::span<const SaidWord> words) {
    const auto is_last = [&](const SaidWord& word) { return rated_.insert(word.feature).second; };
    std::vector<SaidWord>& last = words_.emplace_back();
    std::ranges::copy_if(words, std::back_inserter(last), is_last);
    return last;
  }

  tsl::robin_set<FeatureId> rated_;          // apart from documents, by the events behind
  std::deque<std::vector<SaidWord>> words_;  // of the past
  std::vector<PastEvent> past_;
};

/// The rows of a model in the dual form: one for each document; if it learns from ratings of words, also one for each word and
/// one for the average document.
std::int64_t rows_of_dual(const Preset& preset, std::int64_t marked, std::int64_t documents) {
  return preset.uses.word_ratings ? documents + marked + 1 : documents;
}

/// If all features are in use, the model keeps the smaller of two matrices. Throws FormatError if that one is too large.
void check_room_for(std::int64_t documents, std::int64_t marked, const Preset& preset, std::int32_t features) {
  if (preset.scope != FeatureScope::Kind::all) return;
  const std::int64_t rows = rows_of_dual(preset, marked, documents);
  const bool is_dual = form_for(preset, features, marked, documents) == ModelForm::dual;
  if ((is_dual ? rows : std::min<std::int64_t>(rows, features)) <= kLargestGram) return;
  throw FormatError("events", "expected at most " + std::to_string(kLargestGram) + " different documents" +
                                  (preset.uses.word_ratings ? " and rated words" : "") + " where " + std::to_string(features) +
                                  " features are in use, found " + std::to_string(rows));
}

}  // namespace

std::vector<PlayCount> play_counts(std::span<const Event> events) {
  std::vector<PlayCount> counts;
  counts.reserve(events.size());
  for (const Event& event : events)
    if (event.document) counts.push_back({*event.document, 1});
  std::ranges::sort(counts, {}, &PlayCount::document);
  std::size_t kept = 0;
  for (std::size_t n = 1; n < counts.size(); ++n)
    if (counts[n].document == counts[kept].document)
      ++counts[kept].plays;
    else
      counts[++kept] = counts[n];
  counts.resize(std::min(counts.size(), kept + 1));
  return counts;
}

std::int64_t count_marked(std::span<const Event> events) {
  tsl::robin_set<FeatureId> marked;
  for (const Event& event : events)
    for (const SaidWord& word : event.words) marked.insert(word.feature);
  return std::ssize(marked);
}

std::vector<std::int64_t> played_documents(std::span<const EventLog> logs) {
  std::vector<std::int64_t> documents;
  for (const EventLog& log : logs) {
    for (const Event& event : log.events)
      if (event.document) documents.push_back(*event.document);
  }
  std::ranges::sort(documents);
  const auto repeated = std::ranges::unique(documents);
  documents.erase(repeated.begin(), repeated.end());
  return documents;
}

PlayedPool::PlayedPool(std::vector<std::int64_t> documents, std::int32_t features, const RowOf& row_of)
    : documents_(std::move(documents)), matrix_(gathered(documents_, features, row_of)) {}

DocumentId PlayedPool::number_of(std::int64_t document) const {
  const auto found = std::ranges::lower_bound(documents_, document);
  assert(found != documents_.end() && *found == document);
  return static_cast<DocumentId>(found - documents_.begin());
}

bool learns_from_events(const Preset& preset) noexcept {
  const bool ranks = preset.uses.radius || preset.uses.word_ratings;
  return ranks && (preset.scope == Scope::marked || preset.scope == Scope::all);
}

std::uint64_t model_bytes(const Preset& preset, std::int32_t features, std::int64_t marked, std::int64_t documents) noexcept {
  // A matrix of features is kept twice: as a factor, and as the inverse that scores. Of a matrix of documents one half is
  // kept, with up to twice its size reserved while it grows, and a copy of that half to score.
  constexpr std::uint64_t by_feature = 16;
  constexpr std::uint64_t by_document = 12;
  constexpr std::uint64_t of_feature = 64;
  const bool dual = form_for(preset, features, marked, documents) == ModelForm::dual;
  const auto rows = static_cast<std::uint64_t>(dual                         ? rows_of_dual(preset, marked, documents)
                                               : preset.scope == Scope::all ? features
                                                                            : marked);
  return (dual ? by_document : by_feature) * rows * rows + of_feature * static_cast<std::uint64_t>(features);
}

Policy taught_policy(std::span<const Event> events, const PlayedPool& played, const Preset& preset, PolicyOptions options,
                     const std::function<void()>& between_events) {
  assert(learns_from_events(preset));
  // The form of a user's model depends on their own events alone, not on the documents that other users played.
  const auto documents = static_cast<std::int64_t>(play_counts(events).size());
  check_room_for(documents, count_marked(events), preset, played.view().features());
  options.expected_rounds = std::max<std::int64_t>(documents, 1);
  options.scoring = Scoring::running;  // does nothing until the first choice
  const CountingEvents counting(events, played);
  std::vector<FeatureId> adopted = adopted_features(counting.past());
  if (!options.form) options.form = form_for(preset, played.view().features(), std::ssize(adopted), documents);
  Preset taught = preset;
  if (preset.scope == Scope::marked && options.form == ModelForm::dual) {
    // The model is the same as with marked features, because the same features are in use at the end. They are given now, because
    // a model in the dual form takes many features at once only before it has learned anything.
    taught.scope = Scope::given;
    options.given = std::move(adopted);
  }
  Policy policy(played.view(), taught, options, RandomStream(0, 0, RandomRole::exploration),
                RandomStream(0, 0, RandomRole::sampling));
  policy.learn(counting.past(), between_events);
  return policy;
}

LearnedModel frozen(const Learner& learner) {
  const LinearModel& model = *learner.model();
  const double radius = learner.radius().value();
  if (const DualRidgeModel* dual = model.dual()) return {DualScan(*dual), radius, model.base_mean()};
  return {BatchScan(*model.primal()), radius, model.base_mean()};
}

}  // namespace inkling
