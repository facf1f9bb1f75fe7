// The searches that are compared: in which pool, for how rare a topic, with which marks, and who plays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/studies/figure.hpp"
#include "bench/worlds/search_world.hpp"
#include "io/corpus/pool/open/pool.hpp"

namespace inkling::bench {

enum class SearchedData {
  topics,   ///< topics at their natural frequency: five of 20 Newsgroups, or a user's pool
  many,     ///< many topics and all stop words: all twenty, or a user's pool
  reviews,  ///< film reviews with what people highlighted
};

enum class SearchPlayers {
  all,       ///< every policy that needs no marks
  marking,   ///< those that learn from marks; the others play in the case `unmarked`
  together,  ///< both
};

/// How often a case is run and how far.
struct SearchEffort {
  double trials = 1.0;              ///< as a share of the run's trials
  std::int64_t rounds = 100;        ///< at least, of each trial
  std::int64_t most_rounds = 0;     ///< if above 0, a search continues until 95 % are found, but shows at most this many
  std::int32_t most_documents = 0;  ///< of the pool
};

/// A study of the figure.
struct SearchCase {
  std::string_view name;
  std::string_view title;
  SearchedData searched = SearchedData::topics;
  SearchPlayers players = SearchPlayers::all;
  std::string_view unmarked = {};  ///< the case with the same trials and no marks
  std::string_view left_out = {};  ///< a policy that is too slow here: its round costs the square of the number of marks
  std::size_t most_topics = 1000;  ///< a smaller limit means more searches for each topic
  SearchSetting setting;           ///< its `most_documents` comes from the effort
  SearchEffort full;
  SearchEffort quick;  ///< with 0 trials, a quick run leaves the case out

  [[nodiscard]] const SearchEffort& effort(const PaperSettings& settings) const {
    return settings.effort == PaperEffort::quick ? quick : full;
  }
};

[[nodiscard]] std::span<const SearchCase> search_cases();
/// Requires: there is one of this name.
[[nodiscard]] const SearchCase& search_case(std::string_view name);

/// Topics with enough documents for a search; where there are none, those of at least two.
[[nodiscard]] std::vector<std::int32_t> topics_of_pool(const Pool& pool, std::uint64_t seed);

/// Identifies a pool, also among pools of the same documents and labels.
[[nodiscard]] std::string contents_of(const Pool& pool);

/// The policies of others, as they are used in practice.
[[nodiscard]] std::span<const std::string_view> search_rivals();

/// The studies of all cases that the data and the effort allow.
[[nodiscard]] std::vector<Study> search_studies(const PaperContext& context);

/// How many topics the trials of a case go through, one after the other; 1 if the data is not known.
[[nodiscard]] std::size_t topics_in(const PaperContext& context, const SearchCase& searched);

/// Useless documents are counted among the first N, for each N of this list.
inline constexpr std::int64_t kFirstDocuments[] = {25, 100, 200, 400, 768};

}  // namespace inkling::bench
