// Searches by ASReview's own package, in a process of Python for each.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "bench/studies/trial.hpp"

namespace inkling::bench {

/// Where the scripts that run programs of others are, and what runs them.
struct PeerPlace {
  std::string python = "python3";
  std::string folder = "bench/peers";
};

/// The package as it was found, or why it cannot be run.
struct AsreviewPackage {
  PeerPlace place;
  std::string version;  ///< "asreview 3.0.8, scikit-learn 1.5.0"; empty if it cannot be run
  std::string missing;  ///< "asreview is not installed: pip install asreview"; empty if it can
};

/// Asks the script for its version, which takes seconds. Throws only what `check_interruption` throws.
[[nodiscard]] AsreviewPackage find_asreview(const PeerPlace& place, const std::function<void()>& check_interruption);

/// Plays the package's model elas_u4 on the records of this file, starting with the documents that a world's search starts with,
/// until all are found. Requires: the package was found, and the rows of the worlds' pools are the file's records. A search
/// throws SystemError or FormatError if the script fails or its answer is impossible.
[[nodiscard]] Entrant asreview_entrant(const AsreviewPackage& package, const std::string& records, std::int64_t rounds);

/// What the script printed, checked against the wanted documents that the world's search starts without. Throws FormatError
/// naming `where`.
[[nodiscard]] OtherProgram::Search search_printed(std::string_view line, const World& world, const std::string& where);

}  // namespace inkling::bench
