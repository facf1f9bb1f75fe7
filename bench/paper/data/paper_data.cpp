#include "bench/paper/data/paper_data.hpp"

#include <algorithm>

namespace inkling::bench {
namespace {

bool needs(const Figure& figure, PaperData data) {
  return figure.needs == data || figure.needs == PaperData::both;
}

bool is_needed(const ProgrammeRequest& request, PaperData data) {
  return std::ranges::any_of(request.figures, [data](const Figure* figure) { return needs(*figure, data); });
}

}  // namespace

PaperContext PaperDataSets::context(const PaperSettings& settings) const {
  return {settings, newsgroups ? &*newsgroups : nullptr, movies ? &*movies : nullptr};
}

std::string PaperDataSets::missing_for(const Figure& figure) const {
  std::string missing;
  if (needs(figure, PaperData::newsgroups)) missing += found.newsgroups.missing;
  if (needs(figure, PaperData::movies)) missing += (missing.empty() ? "" : " ") + found.movies.missing;
  return missing;
}

PaperDataSets prepare_data(const ProgrammeRequest& request, const std::string& folder,
                           const std::function<void(std::string_view)>& announce,
                           const std::function<void()>& check_interruption) {
  PaperDataSets data;
  data.found = find_data(request.data);
  const bool wants_movies = is_needed(request, PaperData::movies);
  // Where people mark film reviews, a simulated person marks newsgroups too.
  if (data.found.newsgroups.path && (wants_movies || is_needed(request, PaperData::newsgroups))) {
    announce("20 Newsgroups");
    data.newsgroups =
        Newsgroups::prepare(*data.found.newsgroups.path, folder + "/newsgroups", check_interruption);
    if (request.topic_words) data.newsgroups->read_human_words(*request.topic_words);
  }
  if (data.found.movies.path && wants_movies) {
    announce("movie reviews");
    data.movies = MovieReviews::prepare(*data.found.movies.path, folder + "/reviews", check_interruption);
  }
  return data;
}

}  // namespace inkling::bench
