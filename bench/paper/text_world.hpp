// Worlds of real text: messages of the newsgroups, film reviews, and the people who read them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "bench/paper/data/reduced_pool.hpp"
#include "bench/studies/figure.hpp"
#include "bench/worlds/world.hpp"
#include "engine/sparse/csr_matrix.hpp"

namespace inkling::bench {

using SharedReducedPool = std::shared_ptr<const ReducedPool>;

/// The words of all topics' oracles and others at random, `features` in all; rows of unit length. The same
/// for every figure of a run. Fewer where the pool has fewer, more where the oracles have more. Requires:
/// newsgroups are there.
[[nodiscard]] SharedReducedPool newsgroups_space(const PaperContext& context, std::int32_t features);

/// The same around the words that people gave by topic, where a list was read; all of them, also where they
/// are more than `features`.
[[nodiscard]] SharedReducedPool person_space(const PaperContext& context, std::int32_t features);

/// The same of the reviews, around the oracle's words of sentiment. Requires: reviews are there.
[[nodiscard]] SharedReducedPool reviews_space(const PaperContext& context, std::int32_t features);

/// The topic that the reader of a trial wants, drawn for the trial.
[[nodiscard]] std::int32_t wanted_topic(const PaperContext& context, std::uint64_t trial);

/// One topic wanted: rewards of +1 for its messages and -1 for the others; the topic's oracle words marked
/// with probability p.
[[nodiscard]] World topic_world(const PaperContext& context, const SharedReducedPool& space,
                                std::uint64_t trial);

/// The same in all features.
[[nodiscard]] World topic_world_in_full(const PaperContext& context, std::uint64_t trial);

/// Fewer rounds than any topic has messages, some 970. Where each is shown once, a topic that is nearly used
/// up leaves a few strays, and regret then counts nothing but how late the last of them is found.
inline constexpr std::int64_t kRoundsWithinTopic = 768;

/// A study in such worlds, without entrants and trials.
[[nodiscard]] Study topic_study_in_full(const PaperContext& context, std::string name);

/// Whose words are marked where a message is the truth.
enum class MarkedWords { of_topic, of_message };

/// What a reader who wants messages like one message says of another, and which words of it may be marked.
struct MessageReader {
  RewardKind reward = RewardKind::document;  ///< or `logistic`
  MarkedWords marked = MarkedWords::of_topic;
  double mark_probability = 0.1;
};

/// A message drawn for the trial is theta*: rewards are x.theta* with noise, or +1 and -1 by its logistic.
/// Marked are the oracle's words of its topic, or those of its own words that are in the space.
[[nodiscard]] World message_world(const PaperContext& context, const SharedReducedPool& space,
                                  const MessageReader& reader, std::uint64_t trial);

/// What people highlighted in each review, of the words that are in the space.
[[nodiscard]] std::shared_ptr<const CsrMatrix> highlights_in(const PaperContext& context,
                                                             const ReducedPool& space);

/// The reader of a trial wants good reviews or bad ones; marked is what people highlighted in them.
[[nodiscard]] World review_world(const PaperContext& context, const SharedReducedPool& space,
                                 const std::shared_ptr<const CsrMatrix>& highlights, std::uint64_t trial);

/// One topic wanted; a simulated person marks its oracle words, and others, as often as the readers of the
/// reviews did; or words that people gave, where a list was read.
[[nodiscard]] World person_world(const PaperContext& context, const SharedReducedPool& space,
                                 std::uint64_t trial);

/// What a saved trial of such a world depends on besides its kind.
[[nodiscard]] std::string text_world_settings(const PaperContext& context, std::string_view kind,
                                              const ReducedPool& space);

}  // namespace inkling::bench
