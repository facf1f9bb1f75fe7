// Worlds of real text, in the 500 or 1,000 dimensions in which the paper can afford OFUL, or in all: messages of
// the newsgroups, film reviews, and the people who read them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/studies/figure.hpp"
#include "bench/worlds/world.hpp"
#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/sparse/csr_matrix.hpp"

namespace inkling::bench {

/// Feature n of the reduced pool is feature `kept[n]` of the whole one.
struct ReducedPool {
  PoolMatrix matrix;
  std::vector<FeatureId> kept;  ///< ascending

  /// The numbers in this pool of those `features` of the whole pool that are kept, ascending. Requires: ascending.
  [[nodiscard]] std::vector<FeatureId> reduced(std::span<const FeatureId> features) const;

  /// Converts rows over the whole pool's features, such as marks by document, to this pool's features. Values stay.
  [[nodiscard]] CsrMatrix reduced(CsrView rows) const;
};

/// Rows are scaled to length 1; empty ones stay empty. Requires: `kept` ascends, each once, within the pool.
[[nodiscard]] ReducedPool reduced_pool(PoolView whole, std::vector<FeatureId> kept);

/// The wanted features and others at random, `count` in all, ascending. Requires: wanted.size() <= count <=
/// whole.features(), `wanted` ascends.
[[nodiscard]] std::vector<FeatureId> with_others_at_random(PoolView whole, std::span<const FeatureId> wanted, std::int32_t count,
                                                           RandomStream& random);

using SharedReducedPool = std::shared_ptr<const ReducedPool>;

/// The words of all topics' oracles and others at random, `features` in all; rows of unit length. The same
/// for every figure of a run. Fewer if the pool has fewer, more where the oracles have more. Requires:
/// newsgroups are there.
[[nodiscard]] SharedReducedPool newsgroups_space(const PaperContext& context, std::int32_t features);

/// The same with the words that people gave by topic, if a list was read; all of them, even if more than `features`.
[[nodiscard]] SharedReducedPool person_space(const PaperContext& context, std::int32_t features);

/// The same for the reviews, with the oracle's words of sentiment. Requires: reviews are there.
[[nodiscard]] SharedReducedPool reviews_space(const PaperContext& context, std::int32_t features);

/// The topic that the reader of a trial wants, drawn for the trial.
[[nodiscard]] std::int32_t wanted_topic(const PaperContext& context, std::uint64_t trial);

/// One topic wanted: rewards of +1 for its messages and -1 for the others; the topic's oracle words marked
/// with probability p. In all features where no space is given.
[[nodiscard]] World topic_world(const PaperContext& context, const SharedReducedPool& space, std::uint64_t trial);

/// Whose words are marked where a message is the truth.
enum class MarkedWords { of_topic, of_message };

/// How a reader who wants messages like one message rates another one, and which of its words may be marked.
struct MessageReader {
  RewardKind reward = RewardKind::document;  ///< or `logistic`
  MarkedWords marked = MarkedWords::of_topic;
  double mark_probability = 0.1;
};

/// A message drawn for the trial is theta*: rewards are x.theta* with noise, or +1 and -1 by its logistic.
/// The reader marks the oracle's words of its topic, or the words of the message that are in the space.
[[nodiscard]] World message_world(const PaperContext& context, const SharedReducedPool& space, const MessageReader& reader,
                                  std::uint64_t trial);

/// The words of the space that people highlighted in each review.
[[nodiscard]] std::shared_ptr<const CsrMatrix> highlights_in(const PaperContext& context, const ReducedPool& space);

/// The reader of a trial wants good reviews or bad ones, and marks the words that people highlighted in them.
[[nodiscard]] World review_world(const PaperContext& context, const SharedReducedPool& space,
                                 const std::shared_ptr<const CsrMatrix>& highlights, std::uint64_t trial);

/// One topic wanted. A simulated person marks its oracle words (or, if a list was read, the words that people gave) and other
/// words, as often as the readers of the reviews did. The person's marks may fall on any other word, as in the reviews: 11,582 of
/// 39,015 words were highlighted somewhere, of which 87 are the oracle's. In all features of a large pool, more words would soon
/// be in use than a model holds.
[[nodiscard]] World person_world(const PaperContext& context, const SharedReducedPool& space, std::uint64_t trial);

/// A study in worlds of this kind over this space, or all features of the newsgroups. Its settings, entrants and
/// tuning trials are still to be given.
[[nodiscard]] Study text_study(const PaperContext& context, std::string name, std::string_view kind,
                               const SharedReducedPool& space, std::function<World(std::uint64_t)> world);

/// A study in topic worlds. Its settings say what the oracle is and how many words it chose.
[[nodiscard]] Study topic_study(const PaperContext& context, std::string name, const SharedReducedPool& space = nullptr);

inline constexpr std::int32_t kHumanFeatures = 500;

/// A study of film reviews, each shown once, without entrants yet.
[[nodiscard]] Study review_study(const PaperContext& context);

/// An entrant that is given the noise of rewards that are +1 or -1, and may not show a review again: it plays at most
/// as many rounds as there are reviews.
[[nodiscard]] Entrant reader_entrant(const PaperContext& context, std::string_view preset);

/// The same in topic worlds, for fewer rounds than any topic has messages, some 970: once a topic is nearly used up, regret
/// measures only how late its last messages are found.
[[nodiscard]] Entrant topic_entrant(const PaperContext& context, std::string_view preset);

}  // namespace inkling::bench
