#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "bench/paper/data/paper_data.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

namespace fs = std::filesystem;

using inkling::test::InFolder;

TEST_CASE_FIXTURE(InFolder, "archives are found in a folder before unpacked folders") {
  fs::create_directory(folder.file("20news-bydate"));
  fs::create_directory(folder.file("movies"));
  FoundData found = find_data(folder.path().string());
  CHECK(found.newsgroups.path == folder.file("20news-bydate"));
  CHECK(found.movies.path == folder.file("movies"));
  CHECK(found.movies.missing.empty());
  write_file(folder.file("movies.tar.gz"), "x");
  CHECK(find_data(folder.path().string()).movies.path == folder.file("movies.tar.gz"));
  write_file(folder.file("movie-rationales.tar.gz"), "x");
  CHECK(find_data(folder.path().string()).movies.path == folder.file("movie-rationales.tar.gz"));
}

TEST_CASE_FIXTURE(InFolder, "a file or an unpacked folder may be named directly and other data is then missing") {
  write_file(folder.file("20news-bydate.tar.gz"), "x");
  fs::create_directory(folder.file("movies"));
  const FoundData news = find_data(folder.file("20news-bydate.tar.gz"));
  CHECK(news.newsgroups.path == folder.file("20news-bydate.tar.gz"));
  CHECK_FALSE(news.movies.path);
  for (const std::string& given : {folder.file("movies"), folder.file("movies") + "/"}) {
    const FoundData movies = find_data(given);
    CHECK(movies.movies.path == given);
    CHECK_FALSE(movies.newsgroups.path);
  }
}

TEST_CASE_FIXTURE(InFolder, "missing data is reported with the command that fetches it") {
  const FoundData found = find_data(std::nullopt, folder.file("datasets"));
  CHECK_FALSE(found.newsgroups.path);
  CHECK(found.newsgroups.missing.find("datasets/fetch 20newsgroups") != std::string::npos);
  CHECK(found.newsgroups.missing.find(folder.file("datasets")) != std::string::npos);
  CHECK(found.movies.missing.find("datasets/fetch movie-rationales") != std::string::npos);
}

TEST_CASE_FIXTURE(InFolder, "systematic reviews are files of the folder reviews below or of the folder itself") {
  CHECK(find_data(folder.path().string()).reviews.missing.find("datasets/fetch reviews") != std::string::npos);
  write_file(folder.file("one.jsonl.gz"), "x");
  CHECK(find_data(folder.path().string()).reviews.path == folder.path().string());
  fs::create_directory(folder.file("reviews"));
  CHECK(find_data(folder.path().string()).reviews.path == folder.path().string());
  write_file(folder.file("reviews/two.jsonl"), "x");
  CHECK(find_data(folder.path().string()).reviews.path == folder.file("reviews"));
}

TEST_CASE_FIXTURE(InFolder, "the annotations of film reviews are not taken for systematic reviews") {
  fs::create_directory(folder.file("movies"));
  write_file(folder.file("movies/train.jsonl"), "x");
  CHECK_FALSE(find_data(folder.file("movies")).reviews.path);
}

TEST_CASE_FIXTURE(InFolder, "without a given path the usual folder is searched") {
  write_file(folder.file("movies.tar.gz"), "x");
  CHECK(find_data(std::nullopt, folder.path().string()).movies.path == folder.file("movies.tar.gz"));
}

TEST_CASE_FIXTURE(InFolder, "a given path that does not exist or has a wrong name is refused") {
  CHECK_THROWS_AS(static_cast<void>(find_data(folder.file("missing"))), SystemError);
  write_file(folder.file("films.tar.gz"), "x");
  CHECK_THROWS_WITH_AS(static_cast<void>(find_data(folder.file("films.tar.gz"))),
                       doctest::Contains("--data: expected a folder, or a file 20news-bydate.tar.gz"), UsageError);
}

}  // namespace
}  // namespace inkling::bench
