#include "bench/paper/data/paper_data.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/doors/cli/usage_error.hpp"

namespace inkling::bench {
namespace {

namespace fs = std::filesystem;

struct DataName {
  std::string_view title;
  std::string_view name;  // as datasets/fetch knows it
  std::vector<std::string_view> archives;
  std::string_view folder;  // that the archives unpack to
};

const DataName kNewsgroupsName = {"20 Newsgroups", "20newsgroups", {"20news-bydate.tar.gz"}, "20news-bydate"};
const DataName kMoviesName = {"Movie Rationales", "movie-rationales", {"movie-rationales.tar.gz", "movies.tar.gz"}, "movies"};

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// "FOLDER/" is FOLDER.
std::string last_name(const fs::path& path) {
  const fs::path plain = path.lexically_normal();
  return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

bool is_archive_name(std::string_view file, const DataName& data) {
  return std::ranges::find(data.archives, file) != data.archives.end();
}

std::optional<std::string> within(const fs::path& folder, const DataName& data) {
  for (const std::string_view archive : data.archives)
    if (is_file(folder / archive)) return (folder / archive).string();
  if (is_folder(folder / data.folder)) return (folder / data.folder).string();
  return std::nullopt;
}

DataPlace place_of(const fs::path& looked_at, const DataName& data) {
  DataPlace place;
  if (is_folder(looked_at))
    place.path = last_name(looked_at) == data.folder ? looked_at.string() : within(looked_at, data);
  else if (is_archive_name(last_name(looked_at), data) && is_file(looked_at))
    place.path = looked_at.string();
  if (!place.path) {
    place.missing = fmt::format(
        "{} is not there ({}): get it with `datasets/fetch {}`, or say with --data where a "
        "copy of {} lies.",
        data.title, looked_at.string(), data.name, fmt::join(data.archives, " or "));
  }
  return place;
}

DataPlace place_of_reviews(const fs::path& looked_at) {
  DataPlace place;
  if (last_name(looked_at) != kMoviesName.folder) place.path = folder_of_reviews(looked_at.string());
  if (!place.path) {
    place.missing = fmt::format(
        "Systematic reviews are not there ({}): get them with `datasets/fetch reviews`, or say with --data "
        "which "
        "folder has files NAME.jsonl.gz.",
        looked_at.string());
  }
  return place;
}

void check_given(const std::string& given) {
  std::error_code error;
  const fs::file_status status = fs::status(given, error);
  if (!fs::exists(status)) throw SystemError(given, error ? error.value() : ENOENT, "cannot read");
  if (fs::is_directory(status)) return;
  const std::string name = last_name(given);
  if (is_archive_name(name, kNewsgroupsName) || is_archive_name(name, kMoviesName)) return;
  throw UsageError::option(
      "data", fmt::format("expected a folder, or a file {} or {}, got {}", fmt::join(kNewsgroupsName.archives, " or "),
                          fmt::join(kMoviesName.archives, " or "), given));
}

bool is_needed(const DataRequest& request, PaperData data) {
  return std::ranges::find(request.figures, data, &Figure::needs) != request.figures.end();
}

}  // namespace

FoundData find_data(const std::optional<std::string>& given, const std::string& usual_folder) {
  if (given) check_given(*given);
  const fs::path looked_at = given.value_or(usual_folder);
  return {place_of(looked_at, kNewsgroupsName), place_of(looked_at, kMoviesName), place_of_reviews(looked_at)};
}

PaperContext PaperDataSets::context(const PaperSettings& settings) const {
  return {settings, newsgroups ? &*newsgroups : nullptr, movies ? &*movies : nullptr, searches ? &*searches : nullptr,
          reviews ? &*reviews : nullptr};
}

std::string PaperDataSets::missing_for(const Figure& figure) const {
  if (figure.needs == PaperData::newsgroups) return found.newsgroups.missing;
  if (figure.needs == PaperData::searches) return searches ? "" : found.newsgroups.missing;
  if (figure.needs == PaperData::reviews) return found.reviews.missing;
  return figure.needs == PaperData::movies ? found.movies.missing : "";
}

PaperDataSets prepare_data(const DataRequest& request, const std::string& folder,
                           const std::function<void(std::string_view)>& announce,
                           const std::function<void()>& check_interruption) {
  PaperDataSets data;
  data.found = find_data(request.data);
  const bool wants_movies = is_needed(request, PaperData::movies);
  // Where people mark film reviews, a simulated person marks newsgroups too.
  if (data.found.newsgroups.path && (wants_movies || is_needed(request, PaperData::newsgroups))) {
    announce("20 Newsgroups");
    Newsgroups& newsgroups =
        data.newsgroups.emplace(prepare_newsgroups(*data.found.newsgroups.path, folder + "/newsgroups", check_interruption));
    if (request.topic_words) newsgroups.human = read_topic_word_lists(*request.topic_words, newsgroups.pool);
  }
  if (data.found.movies.path && wants_movies) {
    announce("movie reviews");
    data.movies = prepare_reviews(*data.found.movies.path, folder + "/reviews", check_interruption);
  }
  if (is_needed(request, PaperData::searches)) {
    if (request.pool) {
      data.searches = open_search_pool(*request.pool);
    } else if (data.found.newsgroups.path) {
      data.searches =
          prepare_search_pools(*data.found.newsgroups.path, data.found.movies.path, folder, announce, check_interruption);
    }
  }
  if (data.found.reviews.path && is_needed(request, PaperData::reviews)) {
    data.reviews = {
        prepare_screened_reviews(*data.found.reviews.path, folder + "/screened-reviews", announce, check_interruption), {}};
    announce("asreview");
    data.reviews->asreview = find_asreview(request.peers, check_interruption);
  }
  return data;
}

}  // namespace inkling::bench
