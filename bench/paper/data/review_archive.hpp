// Film reviews and what people highlighted in them, read from an archive in the form of the ERASER benchmark.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/paper/data/review_annotation.hpp"
#include "io/source/byte_stream.hpp"

namespace inkling::bench {

struct Review {
  ReviewAnnotation annotation;
  std::string text;  ///< valid UTF-8; bytes that were no characters are U+FFFD
};

/// What no reader of reviews accepts more of.
struct ReviewLimits {
  AnnotationLimits annotations = {};
  std::uint64_t most_review_bytes = std::uint64_t{1} << 22U;
  std::uint64_t most_bytes = std::uint64_t{1} << 28U;  ///< of all reviews together
};

/// The reviews that train.jsonl or test.jsonl says something of, ascending by name; one that comes again
/// counts as it came first, in train.jsonl before test.jsonl. val.jsonl is not read: it is a part of
/// train.jsonl. `archive` is an archive or the folder that one unpacks to; `check_interruption` is called
/// between files and throws to end the reading. Throws SystemError, and FormatError for what is not of that
/// form.
[[nodiscard]] std::vector<Review> read_reviews(const std::string& archive,
                                               const std::function<void()>& check_interruption,
                                               const ReviewLimits& limits = {});

/// All that is left of the stream or, where that is more than `most` bytes, its beginning, which is longer
/// than that. Memory grows with the length of the stream and not with the limit.
[[nodiscard]] std::string whole_stream(InputStream& stream, std::uint64_t most);

}  // namespace inkling::bench
