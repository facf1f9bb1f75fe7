#include "io/parts/live/shard_replica.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "io/search/session/search_fold.hpp"

namespace inkling {
namespace {

PoolPart part_at(const ShardReplica::Place& place, PoolView shard) {
  if (place.first < 0 || place.documents < 0 || shard.documents() > place.documents - place.first)
    throw FormatError("a shard of a live search", "expected " + std::to_string(shard.documents()) + " documents from " +
                                                      std::to_string(place.first) + " on to be among " +
                                                      std::to_string(place.documents));
  if (!place.copies.empty() && (place.copies.front() < 0 || place.copies.back() >= place.documents ||
                                std::ranges::adjacent_find(place.copies, std::ranges::greater_equal()) != place.copies.end()))
    throw FormatError("the copies of a set", "expected documents of the set that ascend");
  return {place.first, place.documents, place.nonzeros};
}

PolicyOptions options_at(const ShardReplica::Place& place, PolicyOptions options, const Preset& preset, PoolView shard) {
  if (shard.documents() != place.documents && preset.uses.word_ratings && !options.inkling.average)
    throw FormatError("the average document", "expected that of the whole set, which one worker cannot know");
  options.left_out = place.copies;
  return options;
}

// Called before anything of the event is learned, even its row.
void check_event(const PastEvent& event, std::int32_t features) {
  if (!std::isfinite(event.reward)) throw FormatError("a reward", "expected a finite number");
  for (const SaidWord& word : event.words) {
    check_id("feature", word.feature, features);
    if (!(std::abs(word.reward.value_or(0.0)) <= 1.0) || !(word.confidence > 0.0 && word.confidence <= 1.0))
      throw FormatError("the rating of feature " + std::to_string(word.feature),
                        "expected a number from -1 to 1, and a confidence above 0, up to 1");
  }
}

}  // namespace

ShardReplica::ShardReplica(PoolView shard, Place place, const Preset& preset, const PolicyOptions& options, std::uint64_t seed)
    : place_(std::move(place)),
      part_(part_at(place_, shard)),
      view_{shard.by_document.with({}), shard.by_feature, &part_},  // no worker has the vectors of documents held elsewhere
      policy_(view_, preset, options_at(place_, options, preset, shard), stream_of_round(seed, 0, RandomRole::exploration),
              stream_of_round(seed, 0, RandomRole::sampling)),
      seed_(seed) {
  policy_.choose_with([this](const Ranked& own) {
    best_ = own;
    return own;
  });
}

ShardReplica::Proposal ShardReplica::propose() {
  best_ = {kNoDocument, 0.0};
  const PolicyState before = policy_.state();
  policy_.set_state({before.clock, stream_of_round(seed_, round_, RandomRole::exploration),
                     stream_of_round(seed_, round_, RandomRole::sampling)});
  const Play play = policy_.choose();
  policy_.set_state(before);
  if (play.explored) return {true, play.radius, {play.document, 0.0}};
  return {false, play.radius, best_};
}

void ShardReplica::learn(const PastEvent& event, const SparseRow* row) {
  check_event(event, view_.features());
  const DocumentId document = event.document;
  if (document != kNoDocument) {
    check_id("document", document, view_.whole_documents());
    if (!holds(document) && !part_.knows(document)) {
      if (row == nullptr)
        throw FormatError("document " + std::to_string(document), "expected its row, which this shard does not hold");
      check_row(view_.features(), *row);
      part_.learn_row(document, *row);
    }
  }
  if (document == kNoDocument) return policy_.observe(event);  // words take no round
  const PolicyState before = policy_.state();
  policy_.pass_round();
  try {
    policy_.observe(event);
  } catch (...) {
    policy_.set_state(before);
    throw;
  }
  ++round_;
}

}  // namespace inkling
