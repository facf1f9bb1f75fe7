// Where the archives of the paper's data lie, and what to do about those that are not there.
#pragma once

#include <optional>
#include <string>

namespace inkling::bench {

/// An archive or unpacked folder of one data set, or a sentence that says how to get it.
struct DataPlace {
  std::optional<std::string> path;
  std::string missing;  ///< empty where there is a path
};

struct FoundData {
  DataPlace newsgroups;
  DataPlace movies;
};

/// Looks at what the user gave: a file 20news-bydate.tar.gz, movie-rationales.tar.gz or movies.tar.gz, a
/// folder 20news-bydate or movies that one of them unpacks to, or a folder that holds some of these. Where
/// nothing is given it looks into `usual_folder`, which need not be there. An archive goes before an unpacked
/// folder. Throws SystemError where what was given cannot be looked at, and UsageError for a file of another
/// name.
[[nodiscard]] FoundData find_data(const std::optional<std::string>& given,
                                  const std::string& usual_folder = "build/datasets");

}  // namespace inkling::bench
