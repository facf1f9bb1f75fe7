// Generated text: documents of Zipf words in sentences, each about one of several topics, and how they are written.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/search/simulation/word_list.hpp"

namespace inkling::bench {

/// Marks in a text that each format escapes in its own way.
struct TextMarks {
  std::string_view quote;
  std::string_view paragraph_end;
};
inline constexpr TextMarks kPlainMarks = {"\"", "\n"};

/// With the defaults 4,868 documents hold about 47,800 different words of two letters or more, as many as
/// five topics of 20 Newsgroups do.
struct SyntheticCorpusOptions {
  static constexpr std::int32_t fewest_words = 1'000;

  std::int32_t vocabulary = 60'000;  ///< fewest_words to WordList::most
  double zipf = 1.05;                ///< the word of rank r comes with probability proportional to r^-zipf
  double mean_length = 150.0;        ///< words in a document: log-normal, and from 1 to longest_document
  double length_spread = 0.6;        ///< standard deviation of the logarithm of the length
  std::int32_t topics = 5;           ///< 0 for documents without topics
  double topic_share = 0.05;         ///< the share of a document's words that is drawn from the own words of its topic
  std::int32_t topic_words = 500;    ///< own words of each topic; fewer where the vocabulary does not suffice
  std::uint64_t seed = 1;
};

/// Document i is a function of the options and of i alone, byte for byte, on every machine.
/// Thread safety: const after construction.
class SyntheticCorpus {
 public:
  static constexpr std::int32_t longest_document = 3'000;

  /// Requires: options as their comments say; topics <= 1,000.
  explicit SyntheticCorpus(const SyntheticCorpusOptions& options);

  [[nodiscard]] const SyntheticCorpusOptions& options() const noexcept { return options_; }
  [[nodiscard]] const WordList& words() const noexcept { return words_; }

  /// "topic-1" for topic 0.
  [[nodiscard]] const std::string& topic_name(std::int32_t topic) const;

  /// The ranks of a topic's own words, drawn in addition to the words of all documents; the most frequent first. No two topics
  /// share one. Requires: 0 <= topic < topics.
  [[nodiscard]] std::span<const std::int32_t> own_words(std::int32_t topic) const;

  /// Nothing if there are no topics. Requires: document >= 0, here and below.
  [[nodiscard]] std::optional<std::int32_t> topic_of(std::int64_t document) const;

  /// Sentences in paragraphs, without a newline at the end.
  void append_text(std::int64_t document, const TextMarks& marks, std::string& out) const;

 private:
  struct Topic {
    std::string name;
    std::vector<std::int32_t> own_words;  // ranks, ascending
    AliasTable draw;                      // an index of own_words
  };

  [[nodiscard]] std::vector<Topic> make_topics() const;

  SyntheticCorpusOptions options_;
  WordList words_;
  AliasTable draw_;  // a rank
  std::vector<Topic> topics_;
};

enum class CorpusFormat {
  lines,  ///< the text of a document on one line
  jsonl,  ///< an object a line, with the members id, label (where there are topics) and text
};

/// Appends one document with the newline that ends it.
void append_record(const SyntheticCorpus& corpus, std::int64_t document, CorpusFormat format, std::string& out);

/// The corpus ends after this many documents, or with the document that reaches this many bytes: whatever
/// comes first.
struct CorpusExtent {
  std::int64_t documents = std::numeric_limits<std::int64_t>::max();
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
};

struct CorpusSize {
  std::int64_t documents = 0;
  std::uint64_t bytes = 0;
};

/// Whole records, in order; valid during the call.
using CorpusSink = std::function<void(std::string_view records, const CorpusSize& so_far)>;

/// Documents 0, 1, 2, ... made on all threads of the arena that it is called in. The sink gets them in order,
/// one call at a time; what it throws ends the work. The bytes do not depend on the number of threads.
CorpusSize write_corpus(const SyntheticCorpus& corpus, CorpusFormat format, const CorpusExtent& extent, const CorpusSink& sink);

}  // namespace inkling::bench
