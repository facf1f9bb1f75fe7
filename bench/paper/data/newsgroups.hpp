// The paper's 20 Newsgroups: 4,868 messages of five topics over 47,756 words, and words by topic, an oracle's or
// people's.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bench/paper/data/topic_oracle.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling::bench {

/// Move-only, as its pool is.
struct Newsgroups {
  Pool pool;
  /// By topic: the support of a one-against-rest L1 logistic regression with 30 to 100 features. The union of
  /// them has 153 in the paper.
  TopicOracle oracle;
  /// Words that people marked, by topic, in place of the oracle's for the human figures; empty until given.
  WordsByTopic human = {};

  [[nodiscard]] PoolView view() const { return pool.view(); }
};

/// Builds the pool from the archive into `pool_folder`, or opens an existing pool that was made from
/// it, and finds the oracle's words. `check_interruption` throws to end it. Throws what reading the archive and
/// writing a pool throw.
[[nodiscard]] Newsgroups prepare_newsgroups(const std::string& archive, const std::string& pool_folder,
                                            const std::function<void()>& check_interruption, const OracleSize& size = {});

enum class NewsgroupTopics { paper, all };
enum class StopWords { left_out, kept };

/// Messages as a pool with sublinear counts of words: of the paper's five topics, or of all twenty. As
/// `prepare_newsgroups`.
[[nodiscard]] Pool prepare_messages(const std::string& archive, const std::string& pool_folder, NewsgroupTopics topics,
                                    StopWords stop_words, const std::function<void()>& check_interruption);

/// The feature of a word in lower case, or nothing.
using WordLookup = std::function<std::optional<FeatureId>(std::string_view word)>;

/// A file larger than this is refused.
inline constexpr std::size_t most_topic_word_bytes = std::size_t{1} << 22U;

/// Lists of the words that people marked for each topic, as they keep them in a text file:
///
///   # comments and blank lines are left out
///   sci.med: doctor disease, treatment
///   sci.med: patients
///   rec.autos: car, engine
///
/// A line is a topic, a colon, and words between spaces, tabs, commas or semicolons, in any letter case. A
/// topic may come more than once. Line ends may be CRLF; a byte order mark at the beginning is left out. Words that
/// are not of the vocabulary are left out.
///
/// Throws FormatError ("NAME:LINE", or NAME alone) for a line that is not as above or not UTF-8, for a topic
/// that is not one of `topics`, for one of them without any word of the vocabulary, and for too much text.
[[nodiscard]] WordsByTopic read_topic_word_lists(InputStream& stream, const std::string& name,
                                                 std::span<const std::string> topics, const WordLookup& feature_of);

/// From a file, with the labels and the vocabulary of a pool. Throws SystemError, too.
[[nodiscard]] WordsByTopic read_topic_word_lists(const std::string& path, const Pool& pool);

}  // namespace inkling::bench
