#include "bench/paper/data/search_pools.hpp"

#include <fmt/format.h>

#include "bench/paper/data/newsgroups.hpp"
#include "engine/core/errors.hpp"

namespace inkling::bench {

SearchPools open_search_pool(const std::string& path) {
  SearchPools pools{.topics = Pool::open(path), .many = std::nullopt, .reviews = std::nullopt, .given = true};
  if (const std::size_t labels = pools.topics.label_names().size(); labels < 2) {
    throw FormatError(path, fmt::format("expected documents with at least two different labels, found {}; "
                                        "inkling build --label-field NAME reads them",
                                        labels));
  }
  return pools;
}

SearchPools prepare_search_pools(const std::string& newsgroups, const std::optional<std::string>& movies,
                                 const std::string& folder, const std::function<void(std::string_view)>& announce,
                                 const std::function<void()>& check_interruption) {
  announce("five topics of 20 Newsgroups");
  SearchPools pools{.topics = prepare_messages(newsgroups, folder + "/five-topics", NewsgroupTopics::paper, StopWords::left_out,
                                               check_interruption),
                    .many = std::nullopt,
                    .reviews = std::nullopt};
  announce("all topics of 20 Newsgroups");
  pools.many = prepare_messages(newsgroups, folder + "/all-topics", NewsgroupTopics::all, StopWords::kept, check_interruption);
  if (movies) {
    announce("movie reviews");
    pools.reviews =
        prepare_highlighted_reviews(*movies, folder + "/highlighted-reviews", check_interruption, TermWeight::sublinear);
  }
  return pools;
}

}  // namespace inkling::bench
