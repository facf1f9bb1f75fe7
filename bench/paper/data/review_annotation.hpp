// What people said of a film review: their judgement, and the phrases that made it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/source/byte_stream.hpp"
#include "io/source/json_record.hpp"
#include "io/source/record_parser.hpp"

namespace inkling::bench {

enum class Judgement { negative, positive };

struct ReviewAnnotation {
  std::string review;  ///< the name of its file: "negR_000.txt"
  Judgement judgement = Judgement::negative;
  std::vector<std::string> highlights;  ///< the phrases that people highlighted in it

  bool operator==(const ReviewAnnotation&) const = default;
};

struct AnnotationLimits {
  std::uint64_t most_line_bytes = std::uint64_t{1} << 22U;
  std::uint64_t most_bytes = std::uint64_t{1} << 27U;  ///< of a file
};

/// What an object of the ERASER form holds: "annotation_id", "classification" (NEG or POS), and "evidences",
/// whose items are lists of objects with "docid", which must be the review itself, and "text". Or why it is
/// none. Requires: padded (`kTextPadding`).
[[nodiscard]] std::variant<ReviewAnnotation, RecordProblem> parse_annotation(JsonObjectParser& parser,
                                                                             std::string_view json);

/// One object a line; blank lines are none. Throws FormatError ("NAME:LINE:COLUMN", or NAME where it is too
/// long).
[[nodiscard]] std::vector<ReviewAnnotation> read_annotations(InputStream& stream, const std::string& name,
                                                             const AnnotationLimits& limits);

}  // namespace inkling::bench
