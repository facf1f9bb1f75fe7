// Documents that two people read without seeing each other.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"

namespace inkling {

/// Each of the two has a search of their own, in which only these documents are offered, in this order; whoever decides has a
/// third one, of those in which the two differ. All three have the same `pair`, and are kept in one file.
struct ReadingSet {
  std::string pair;                  ///< 16 hexadecimal digits
  std::vector<std::string> readers;  ///< two names
  std::string drawn_by;              ///< who chose the documents
  std::string decider;
  bool is_decision = false;  ///< the search of the decider
  std::vector<DocumentId> documents = {};

  bool operator==(const ReadingSet&) const = default;
};

/// The settings of a search (`options` of the log), with the set as their member "reading". Requires: a JSON object without it.
[[nodiscard]] std::string options_with(std::string_view options, const ReadingSet& set);

/// Takes the set out of such settings; nothing where they have none. Throws FormatError where it is none.
[[nodiscard]] std::optional<ReadingSet> take_reading_set(std::string& options);

}  // namespace inkling
