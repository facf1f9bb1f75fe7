// The data of a run: found, prepared once, and lent to all figures.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/paper/data/movie_reviews.hpp"
#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/data/screened_reviews.hpp"
#include "bench/paper/data/search_pools.hpp"
#include "bench/studies/figure.hpp"

namespace inkling::bench {

/// An archive or unpacked folder of one data set, or a sentence that says how to get it.
struct DataPlace {
  std::optional<std::string> path;
  std::string missing;  ///< empty if there is a path
};

struct FoundData {
  DataPlace newsgroups;
  DataPlace movies;
  DataPlace reviews;  ///< the folder of the files
};

/// Looks at what the user gave: a file 20news-bydate.tar.gz, movie-rationales.tar.gz or movies.tar.gz, a
/// folder 20news-bydate or movies that one of them unpacks to, a folder with systematic reviews
/// (`folder_of_reviews`), or a folder that holds some of these. By default it looks into `usual_folder`,
/// which need not be there. An archive goes before an unpacked folder. Throws
/// SystemError if the path cannot be read, and UsageError for a file of another name.
[[nodiscard]] FoundData find_data(const std::optional<std::string>& given, const std::string& usual_folder = "build/datasets");

/// The requested figures, the user's path to the data, and words by topic that people marked.
struct DataRequest {
  std::vector<const Figure*> figures;
  std::optional<std::string> data;
  std::optional<std::string> topic_words;
  std::optional<std::string> pool = {};  ///< of the user, in place of the pools in which searches are compared
  PeerPlace peers = {};
};

/// The data that was found; empty if it was not found or no figure needs it.
struct PaperDataSets {
  std::optional<Newsgroups> newsgroups;
  std::optional<MovieReviews> movies;
  std::optional<SearchPools> searches = {};
  std::optional<ReviewCollection> reviews = {};
  FoundData found;

  [[nodiscard]] PaperContext context(const PaperSettings& settings) const;

  /// The sentences that say what is missing for a figure and how to get it; empty if nothing is.
  [[nodiscard]] std::string missing_for(const Figure& figure) const;
};

/// Pools go below `folder`. `announce` gets the name of each step as it begins. Throws what preparing throws.
[[nodiscard]] PaperDataSets prepare_data(const DataRequest& request, const std::string& folder,
                                         const std::function<void(std::string_view)>& announce,
                                         const std::function<void()>& check_interruption);

}  // namespace inkling::bench
