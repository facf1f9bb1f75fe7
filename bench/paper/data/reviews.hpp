// Film reviews and what people highlighted in them, read from an archive in the form of the ERASER benchmark.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/paper/data/json_lines.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling::bench {

enum class Judgement { negative, positive };

/// The label of a review, and what people highlighted in it.
struct ReviewAnnotation {
  std::string review;  ///< the name of its file: "negR_000.txt"
  Judgement judgement = Judgement::negative;
  std::vector<std::string> highlights;  ///< the phrases that people highlighted in it

  bool operator==(const ReviewAnnotation&) const = default;
};

struct Review {
  ReviewAnnotation annotation;
  std::string text;  ///< valid UTF-8; bytes that were no characters are U+FFFD
};

/// The limits of a reader of reviews.
struct ReviewLimits {
  JsonLineLimits annotations = {};
  std::uint64_t most_review_bytes = std::uint64_t{1} << 22U;
  std::uint64_t most_bytes = std::uint64_t{1} << 28U;  ///< of all reviews together
};

/// One JSON object a line; blank lines are ignored. It holds "annotation_id", "classification" (NEG or POS), and "evidences",
/// whose items are lists of objects with "docid", which must be the review itself, and "text". Throws FormatError
/// ("NAME:LINE:COLUMN", or NAME if the file is too long).
[[nodiscard]] std::vector<ReviewAnnotation> read_annotations(InputStream& stream, const std::string& name,
                                                             const JsonLineLimits& limits);

/// The reviews that train.jsonl or test.jsonl annotates, ascending by name. The first annotation of a review counts, train.jsonl
/// before test.jsonl. val.jsonl is not read: it is a part of train.jsonl. `archive` is an archive or the folder that one unpacks
/// to; `check_interruption` is called between files and throws to end the reading. Throws SystemError, and FormatError for what
/// is not of that form.
[[nodiscard]] std::vector<Review> read_reviews(const std::string& archive, const std::function<void()>& check_interruption,
                                               const ReviewLimits& limits = {});

/// The rest of the stream or, if that is more than `most` bytes, a first part of it that is longer than `most`. Memory grows with
/// the length of the stream and not with the limit.
[[nodiscard]] std::string whole_stream(InputStream& stream, std::uint64_t most);

}  // namespace inkling::bench
