// The data of a run: found, prepared once, and lent to all figures.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "bench/commands/programme_options.hpp"
#include "bench/paper/data/find_data.hpp"
#include "bench/paper/data/movie_reviews.hpp"
#include "bench/paper/data/newsgroups.hpp"

namespace inkling::bench {

/// What is there of the data; what is not there, or not needed by any figure asked for, is empty.
struct PaperDataSets {
  std::optional<Newsgroups> newsgroups;
  std::optional<MovieReviews> movies;
  FoundData found;

  [[nodiscard]] PaperContext context(const PaperSettings& settings) const;

  /// The sentences that say what is missing for a figure and how to get it; empty where nothing is.
  [[nodiscard]] std::string missing_for(const Figure& figure) const;
};

/// Pools go below `folder`. `announce` is told what begins, in a few words. Throws what preparing throws.
[[nodiscard]] PaperDataSets prepare_data(const ProgrammeRequest& request, const std::string& folder,
                                         const std::function<void(std::string_view)>& announce,
                                         const std::function<void()>& check_interruption);

}  // namespace inkling::bench
