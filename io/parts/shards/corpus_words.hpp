// From the counts of a whole corpus: the words that become features, and their idf.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "io/corpus/from_text/weighting_pass.hpp"
#include "io/parts/shards/counts_folder.hpp"

namespace inkling {

/// What every shard of a corpus has in common. Lifetime: the terms lend `text`, so it can move but not be copied.
struct CorpusWords {
  std::vector<std::string_view> terms;  ///< by feature, ascending
  std::vector<double> idf;              ///< by feature
  DroppedTerms dropped;
  std::vector<char> text;

  CorpusWords() = default;
  ~CorpusWords() = default;
  CorpusWords(const CorpusWords&) = delete;
  CorpusWords& operator=(const CorpusWords&) = delete;
  CorpusWords(CorpusWords&&) = default;
  CorpusWords& operator=(CorpusWords&&) = default;

  [[nodiscard]] std::uint64_t memory() const {
    return text.capacity() + terms.capacity() * sizeof(std::string_view) + idf.capacity() * sizeof(double);
  }
};

/// The features that one build of all documents would choose, and their idf. Reads the counts once, or twice if `max_features`
/// limits them. Throws FormatError if there are too many features, or if they take more than half of `memory`, and
/// CorruptFileError. Requires: complete counts by this recipe.
[[nodiscard]] CorpusWords corpus_words(const CountsFolder& counts, const TextRecipe& recipe, std::uint64_t memory,
                                       const std::function<void()>& check_interruption);

}  // namespace inkling
