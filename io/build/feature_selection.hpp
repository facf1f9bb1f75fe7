// Which of a corpus' terms become features, and in which order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/build/term_table.hpp"
#include "io/build/text_recipe.hpp"

namespace inkling {

/// How many terms were left out, each counted under the first rule that it breaks.
struct DroppedTerms {
  std::int64_t too_rare = 0;      ///< in fewer documents than min_documents
  std::int64_t too_frequent = 0;  ///< in more than max_documents
  std::int64_t beyond_most = 0;   ///< not among the max_features most frequent

  bool operator==(const DroppedTerms&) const = default;
};

/// Features ascend by their terms' code points.
struct FeatureSelection {
  static constexpr FeatureId none = -1;

  std::vector<FeatureId> feature_of_term;        // by term; none where it is left out
  std::vector<std::string_view> terms;           // by feature
  std::vector<std::int32_t> document_frequency;  // by feature
  DroppedTerms dropped;
};

/// How often a term occurs in all documents together, by term; asked for only where max_features counts.
using OccurrenceCounts = std::function<std::vector<std::uint64_t>()>;

/// `sorted` and `frequency` are those of a TermTable. Lifetime: the terms lend what `sorted` lends.
[[nodiscard]] FeatureSelection select_features(std::span<const TermTable::Term> sorted,
                                               std::span<const std::uint32_t> frequency,
                                               std::int64_t documents, const TextRecipe& recipe,
                                               const OccurrenceCounts& occurrences);

}  // namespace inkling
