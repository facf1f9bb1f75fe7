// The texts of the demo, for a person who sees the program for the first time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/studies/simulation.hpp"
#include "bench/worlds/synthetic_corpus.hpp"
#include "io/cli/terminal.hpp"

namespace inkling::bench {

/// What happens and who takes part. Lines of text, each ended by a newline, as all texts here.
[[nodiscard]] std::string demo_opening(std::int64_t rounds, std::int32_t relevant);

/// Why policies that use all features do not take part.
[[nodiscard]] std::string demo_absentee(std::int64_t features);

/// The words that a policy learned beside the most frequent ones of the topic's own, and which are both.
[[nodiscard]] std::string demo_words(const EntrantResult& result, const WordOf& word_of,
                                     const SyntheticCorpus& corpus, std::int32_t topic, const Style& style);

/// How many documents of the wanted topic the reader got to see from each policy.
[[nodiscard]] std::string demo_closing(const std::vector<EntrantResult>& results, std::int64_t rounds,
                                       const Style& style);

}  // namespace inkling::bench
