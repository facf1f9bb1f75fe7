// Documents that two people read without seeing each other's answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"

namespace inkling {

/// Each of the two has a search of their own, in which only these documents are offered, in this order. The decider has a third
/// search, of the documents in which the two differ. All three searches have the same `pair`, and are in one file.
struct ReadingSet {
  std::string pair;                  ///< 16 hexadecimal digits
  std::vector<std::string> readers;  ///< two names
  std::string drawn_by;              ///< who chose the documents
  std::string decider;
  bool is_decision = false;  ///< the search of the decider
  std::vector<DocumentId> documents = {};
  bool grows = false;     ///< `documents` is empty: they are handed out one by one as the search that they are of learns
  std::string from = {};  ///< the search that the documents were drawn from; empty in sets of earlier versions

  bool operator==(const ReadingSet&) const = default;
};

/// The settings of a search (`options` of the log), with the set as their member "reading". Requires: a JSON object without it.
[[nodiscard]] std::string options_with(std::string_view options, const ReadingSet& set);

/// Removes the set from such settings and returns it; nothing if they have none. Throws FormatError if their member "reading" is
/// not valid.
[[nodiscard]] std::optional<ReadingSet> take_reading_set(std::string& options);

}  // namespace inkling
