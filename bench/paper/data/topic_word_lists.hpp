// Lists of the words that people marked for each topic, as they keep them in a text file.
//
//   # comments and blank lines are left out
//   sci.med: doctor disease, treatment
//   sci.med: patients
//   rec.autos: car, engine
//
// A line is a topic, a colon, and words between spaces, tabs, commas or semicolons, in any letter case. A
// topic may come more than once. Line ends may be CRLF; a byte order mark at the beginning is left out.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/pool/open/pool.hpp"
#include "io/source/byte_stream.hpp"

namespace inkling::bench {

struct TopicWordLists {
  std::vector<std::vector<FeatureId>> words;  ///< by topic, ascending, each once
  std::size_t unknown = 0;                    ///< words that are not of the vocabulary
  std::vector<std::string> first_unknown;     ///< the first few of them, in order
};

/// The feature of a word in lower case, or nothing.
using WordLookup = std::function<std::optional<FeatureId>(std::string_view word)>;

/// A file larger than this is refused.
inline constexpr std::size_t most_topic_word_bytes = std::size_t{1} << 22U;

/// Throws FormatError ("NAME:LINE", or NAME alone) for a line that is not as above or not UTF-8, for a topic
/// that is not one of `topics`, for one of them without any word of the vocabulary, and for too much text.
[[nodiscard]] TopicWordLists read_topic_word_lists(InputStream& stream, const std::string& name,
                                                   std::span<const std::string> topics,
                                                   const WordLookup& feature_of);

/// From a file, with the labels and the vocabulary of a pool. Throws SystemError, too.
[[nodiscard]] TopicWordLists read_topic_word_lists(const std::string& path, const Pool& pool);

}  // namespace inkling::bench
