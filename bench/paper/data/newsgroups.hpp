// The paper's 20 Newsgroups: 4,868 messages of five topics over 47,756 words, and an oracle's words a topic.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/paper/data/topic_oracle.hpp"
#include "engine/core/ids.hpp"
#include "io/pool/open/pool.hpp"

namespace inkling::bench {

/// Lifetime: lends nothing; move-only as its pool is.
class Newsgroups {
 public:
  /// Builds the pool from the archive into `pool_folder`, or opens a pool that is there already and was made
  /// from it, and finds the oracle's words. `check_interruption` throws to end it. Throws what reading the
  /// archive and writing a pool throw.
  [[nodiscard]] static Newsgroups prepare(const std::string& archive, const std::string& pool_folder,
                                          const std::function<void()>& check_interruption,
                                          const OracleSize& size = {});

  [[nodiscard]] PoolView view() const { return pool_.view(); }
  [[nodiscard]] const Pool& pool() const { return pool_; }
  [[nodiscard]] std::int32_t topics() const;

  /// By topic: the support of a one-against-rest L1 logistic regression with 30 to 100 features, ascending.
  [[nodiscard]] const std::vector<std::vector<FeatureId>>& oracle() const { return oracle_.words; }
  /// The union of them, ascending; 153 in the paper.
  [[nodiscard]] const std::vector<FeatureId>& oracle_of_all() const { return oracle_.words_of_all; }
  /// How the oracle was made, in sentences with numbers: penalties, supports, accuracy.
  [[nodiscard]] const std::string& oracle_facts() const { return oracle_.facts; }

  /// Words that people marked, by topic, in place of the oracle's for the human figures; empty until given.
  [[nodiscard]] const std::vector<std::vector<FeatureId>>& human() const { return human_; }
  /// Reads a list of words a topic ("topic: word word ..." a line, as `topic_word_lists.hpp` says). Throws
  /// FormatError for a topic that is not here and for a topic without any known word.
  void read_human_words(const std::string& path);

 private:
  Newsgroups(Pool pool, TopicOracle oracle) : pool_(std::move(pool)), oracle_(std::move(oracle)) {}

  Pool pool_;
  TopicOracle oracle_;
  std::vector<std::vector<FeatureId>> human_;
};

}  // namespace inkling::bench
