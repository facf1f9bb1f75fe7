// The pools in which searches are compared: of the data at hand, or one that a user gives.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "bench/paper/data/movie_reviews.hpp"
#include "io/corpus/pool/open/pool.hpp"

namespace inkling::bench {

/// Move-only, as pools are. Every pool has labels.
struct SearchPools {
  Pool topics;               ///< topics at their natural frequency: five of 20 Newsgroups
  std::optional<Pool> many;  ///< rare topics: all twenty, stop words included; if empty, `topics` is used
  std::optional<HighlightedReviews> reviews;
  bool given = false;  ///< `topics` is a user's pool

  [[nodiscard]] const Pool& many_topics() const { return many ? *many : topics; }
};

/// Opens a user's pool. Throws what Pool::open throws, and FormatError for one in which fewer than two labels have
/// documents.
[[nodiscard]] SearchPools open_search_pool(const std::string& path);

/// Makes the pools below `folder` or opens those that were made before. `movies` may be absent. Throws what preparing
/// throws.
[[nodiscard]] SearchPools prepare_search_pools(const std::string& newsgroups, const std::optional<std::string>& movies,
                                               const std::string& folder, const std::function<void(std::string_view)>& announce,
                                               const std::function<void()>& check_interruption);

}  // namespace inkling::bench
