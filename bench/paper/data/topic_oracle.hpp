// The paper's oracle: for each topic the words by which a sparse classifier recognises it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/paper/data/sparse_logistic.hpp"
#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// By topic: features that ascend, each once.
using WordsByTopic = std::vector<std::vector<FeatureId>>;

/// The paper's numbers.
struct OracleSize {
  SupportSize topic = {30, 100};
  std::size_t all_topics = 153;  ///< approximate: supports have about one size for every topic
};

struct TopicOracle {
  WordsByTopic words;                   ///< the support of each topic's regression
  std::vector<FeatureId> words_of_all;  ///< their union, ascending
  std::string facts;                    ///< how it was found, in sentences with numbers
};

/// Labels are indices of `topics`; every topic has documents. `check_interruption` is called before each regression and throws to
/// end the search. Throws FormatError if a topic's support cannot have such a size.
[[nodiscard]] TopicOracle find_topic_oracle(CsrView documents, std::span<const std::int32_t> labels,
                                            const std::vector<std::string>& topics, const OracleSize& size,
                                            const std::function<void()>& check_interruption);

/// "sci.med 38 features at penalty 2.95 (29 speak for it; 89.1 % of the documents on their side)".
[[nodiscard]] std::string fit_facts(const std::string& topic, const SparseLogisticFit& fit);

}  // namespace inkling::bench
