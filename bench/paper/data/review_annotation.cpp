#include "bench/paper/data/review_annotation.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/file/utf8.hpp"
#include "io/source/record_chunks.hpp"

namespace inkling::bench {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

/// The value of a key, of the kind wanted; else the verdict says what was expected.
template <typename Value>
RecordVerdict take(object from, std::string_view key, std::string_view kind, Value& value) {
  element found;
  if (from.at_key(key).get(found) != simdjson::SUCCESS)
    return RecordProblem{fmt::format("expected {} in the field \"{}\", found none", kind, key)};
  if (found.get(value) != simdjson::SUCCESS)
    return RecordProblem{
        fmt::format("expected {} in the field \"{}\", found {}", kind, key, json_kind_name(found.type()))};
  return std::nullopt;
}

RecordVerdict take_judgement(object from, Judgement& judgement) {
  std::string_view name;
  if (auto problem = take(from, "classification", "a string", name)) return problem;
  if (name != "NEG" && name != "POS")
    return RecordProblem{
        fmt::format("expected NEG or POS in the field \"classification\", found {}", quoted_text(name))};
  judgement = name == "POS" ? Judgement::positive : Judgement::negative;
  return std::nullopt;
}

RecordVerdict add_highlight(element evidence, ReviewAnnotation& annotation) {
  object fields;
  if (evidence.get(fields) != simdjson::SUCCESS)
    return RecordProblem{
        fmt::format("expected evidences that are objects, found {}", json_kind_name(evidence.type()))};
  std::string_view document;
  if (auto problem = take(fields, "docid", "a string", document)) return problem;
  if (document != annotation.review)
    return RecordProblem{fmt::format("expected evidence from the annotated review {}, found evidence from {}",
                                     quoted_text(annotation.review), quoted_text(document))};
  std::string_view text;
  if (auto problem = take(fields, "text", "a string", text)) return problem;
  annotation.highlights.emplace_back(text);
  return std::nullopt;
}

RecordVerdict take_highlights(object from, ReviewAnnotation& annotation) {
  array groups;
  if (auto problem = take(from, "evidences", "an array", groups)) return problem;
  for (const element group : groups) {
    array evidences;
    if (group.get(evidences) != simdjson::SUCCESS)
      return RecordProblem{
          fmt::format("expected evidences in arrays, found {}", json_kind_name(group.type()))};
    for (const element evidence : evidences)
      if (auto problem = add_highlight(evidence, annotation)) return problem;
  }
  return std::nullopt;
}

RecordVerdict take_all(object from, ReviewAnnotation& annotation) {
  std::string_view review;
  if (auto problem = take(from, "annotation_id", "a string", review)) return problem;
  annotation.review = review;
  if (auto problem = take_judgement(from, annotation.judgement)) return problem;
  return take_highlights(from, annotation);
}

}  // namespace

std::variant<ReviewAnnotation, RecordProblem> parse_annotation(JsonObjectParser& parser,
                                                               std::string_view json) {
  auto parsed = parser.parse(json);
  if (auto* problem = std::get_if<RecordProblem>(&parsed)) return std::move(*problem);
  ReviewAnnotation annotation;
  if (auto problem = take_all(std::get<object>(parsed), annotation)) return std::move(*problem);
  return annotation;
}

std::vector<ReviewAnnotation> read_annotations(InputStream& stream, const std::string& name,
                                               const AnnotationLimits& limits) {
  RecordChunks chunks(stream, RecordEnd::every_line, {.most_record_bytes = limits.most_line_bytes});
  const RecordRules rules = {.most_bytes = limits.most_line_bytes};
  std::vector<ReviewAnnotation> annotations;
  JsonObjectParser parser;
  PaddedText bytes;
  std::int64_t dropped_lines = 0;
  std::uint64_t total = 0;
  ChunkOutcome outcome;
  while (chunks.read(bytes, dropped_lines)) {
    total += bytes.size();
    if (total > limits.most_bytes)
      throw FormatError(name, fmt::format("expected at most {} bytes, found more", limits.most_bytes));
    parse_records(bytes.view(), rules, outcome, [&](std::string_view line) -> RecordVerdict {
      if (is_blank_record(line)) return std::nullopt;
      auto parsed = parse_annotation(parser, line);
      if (auto* problem = std::get_if<RecordProblem>(&parsed)) return std::move(*problem);
      annotations.push_back(std::move(std::get<ReviewAnnotation>(parsed)));
      return std::nullopt;
    });
    if (outcome.problem)
      throw FormatError(fmt::format("{}:{}:{}", name, outcome.problem->line + 1, outcome.problem->column),
                        outcome.problem->expectation);
    outcome.lines += dropped_lines;
  }
  return annotations;
}

}  // namespace inkling::bench
