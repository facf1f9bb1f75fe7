// Random rows that look like text to a model: few words in each, a few words in many.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/worlds/frequency_band.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/model/relevant_features.hpp"
#include "engine/sparse/csr_matrix.hpp"

namespace inkling::bench {

/// One frequency a word, drawn from the band evenly on a logarithmic scale. Requires: 0 < low <= high <= 1.
[[nodiscard]] std::vector<double> banded_frequencies(std::int32_t words, FrequencyBand band,
                                                     RandomStream& random);

/// Frequencies that fall as 1/rank, none above 1/2, so that a row holds this many words on average.
/// Requires: 0 < words_a_row <= words / 2.
[[nodiscard]] std::vector<double> zipf_frequencies(std::int32_t words, double words_a_row);

/// Each word occurs by its frequency, with a weight between 0.05 and 0.5 that a float holds exactly.
/// Valid until `buffer` is used again.
RestrictedRow draw_row(std::span<const double> frequencies, RandomStream& random, RestrictedRows& buffer);

/// Documents of such rows, one column a frequency.
[[nodiscard]] CsrMatrix draw_documents(std::int32_t documents, std::span<const double> frequencies,
                                       RandomStream& random);

}  // namespace inkling::bench
