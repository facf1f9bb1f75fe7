#include "io/session/events.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <simdjson.h>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "engine/core/errors.hpp"
#include "engine/model/ridge_model.hpp"
#include "io/file/strict_number.hpp"
#include "io/file/utf8.hpp"
#include "io/session/json_places.hpp"
#include "io/source/json_record.hpp"
#include "io/source/record_parser.hpp"
#include "io/text/tokenizer.hpp"

namespace inkling {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

// A value of a record: as it was read, and how and where it is written.
struct Value {
  element read;
  JsonPiece written;
};

// The first member of each of these names. Requires: the object was read from what is written there.
template <std::size_t count>
std::array<std::optional<Value>, count> members_of(simdjson::dom::object object, const JsonPiece& written,
                                                   const std::string_view (&names)[count]) {
  std::array<std::optional<Value>, count> members;
  JsonPieces pieces(written.text);
  for (const auto& [key, value] : object) {
    Value here = {value, pieces.next_member()};
    here.written.position += written.position;
    for (std::size_t n = 0; n < count; ++n)
      if (!members[n] && key == names[n]) members[n] = here;
  }
  return members;
}

bool is_number(element value) {
  const element_type type = value.type();
  return type == element_type::INT64 || type == element_type::UINT64 || type == element_type::DOUBLE;
}

// For messages: a number as it is written, a string in quotes, and the kind of anything else.
std::string shown(const Value& value) {
  if (is_number(value.read)) return std::string(value.written.text);
  std::string_view text;
  if (value.read.get(text) == simdjson::SUCCESS) return quoted_text(text);
  return std::string(json_kind_name(value.read.type()));
}

RecordProblem problem_of(const Value& value, const std::string& expectation) {
  return {fmt::format("{}, found {}", expectation, shown(value)), value.written.position};
}

std::optional<double> real_of(const Value& value) {
  return is_number(value.read) ? parse_real(value.written.text) : std::nullopt;
}

// A whole number from 0 to count - 1.
std::optional<std::int64_t> index_of(const Value& value, std::int64_t count) {
  if (!is_number(value.read)) return std::nullopt;
  const std::optional<std::int64_t> index = parse_integer(value.written.text);
  if (!index || *index < 0 || *index >= count) return std::nullopt;
  return index;
}

// "a feature from 0 to 99"
std::string range_text(std::string_view what, std::int64_t count) {
  if (count == 0) return fmt::format("{} (there is none)", what);
  return fmt::format("{} from 0 to {}", what, count - 1);
}

// What the events of a file have said so far: which documents they played and which features they marked.
class EventHistory {
 public:
  // The line that played the document first, where one did.
  [[nodiscard]] std::optional<std::int64_t> line_of(std::int64_t document) const {
    const auto found = line_of_.find(document);
    if (found == line_of_.end()) return std::nullopt;
    return found->second;
  }

  // How many different features are marked once these are, too.
  [[nodiscard]] std::size_t features_with(std::span<const FeatureId> marks) const {
    tsl::robin_set<FeatureId> unmarked_yet;
    for (const FeatureId feature : marks) {
      if (!features_.contains(feature)) unmarked_yet.insert(feature);
    }
    return features_.size() + unmarked_yet.size();
  }

  void add(const Event& event, std::int64_t line) {
    line_of_.insert({event.document, line});
    features_.insert(event.features.begin(), event.features.end());
  }

 private:
  tsl::robin_map<std::int64_t, std::int64_t> line_of_;
  tsl::robin_set<FeatureId> features_;
};

// Of one file, whose chunks come in order.
class EventParser {
 public:
  EventParser(const EventScope& scope, const EventRules& rules) : scope_(scope), rules_(rules) {}

  // Appends the events of a chunk.
  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, std::vector<Event>& events) {
    ChunkOutcome outcome;
    // Records of any length: `parse_line` has a message of its own for those that are too long.
    const ReadingOptions every_record = {.skip_bad = rules_.skip_bad, .most_document_bytes = UINT64_MAX};
    const auto take_line = [&](std::string_view line) -> RecordVerdict {
      if (is_blank_record(line)) return std::nullopt;
      Event event;
      if (RecordVerdict problem = parse_line(line, event)) return problem;
      history_.add(event, lines_before_ + outcome.lines + 1);
      events.push_back(std::move(event));
      return std::nullopt;
    };
    parse_records(chunk.bytes.view(), RecordEnd::every_line, every_record, outcome, take_line);
    outcome.lines += chunk.dropped_lines;
    lines_before_ += outcome.lines;
    return outcome;
  }

 private:
  RecordVerdict parse_line(std::string_view line, Event& event) {
    if (line.size() > rules_.most_line_bytes)
      return RecordProblem{
          fmt::format("expected an event of at most {} bytes, found more", rules_.most_line_bytes)};
    if (!is_decoded(line, TextEncoding::utf8)) return bad_byte(line, valid_utf8_prefix(line));
    const auto parsed = parser_.parse(line);
    if (const auto* problem = std::get_if<RecordProblem>(&parsed)) return closer(*problem, line);
    const auto [document, reward, features, id] =
        members_of(std::get<simdjson::dom::object>(parsed), {line}, {"document", "reward", "features", "id"});
    if (RecordVerdict problem = take_document(document, id.has_value(), event)) return problem;
    if (RecordVerdict problem = take_reward(reward, event)) return problem;
    return take_features(features, event);
  }

  // The place of the first piece that is not JSON, such as NaN, where there is one.
  static RecordProblem closer(const RecordProblem& problem, std::string_view line) {
    const std::optional<JsonPiece> piece = first_bad_scalar(line);
    if (!piece) return problem;
    return {fmt::format("expected JSON (numbers are finite, names stand in double quotes), found {}",
                        quoted_text(piece->text)),
            piece->position};
  }

  RecordVerdict take_document(const std::optional<Value>& document, bool has_id, Event& event) const {
    if (!document) {
      return RecordProblem{fmt::format(
          "expected the member \"document\", found {}: an event names a row of the pool, counted from 0",
          has_id ? "\"id\"" : "none")};
    }
    const std::optional<std::int64_t> row = index_of(*document, scope_.documents);
    if (!row) {
      return problem_of(*document, fmt::format("expected as the member \"document\" {}",
                                               range_text("a row of the pool", scope_.documents)));
    }
    event.document = *row;
    if (rules_.replays == Replays::allowed) return std::nullopt;
    const std::optional<std::int64_t> before = history_.line_of(*row);
    if (!before) return std::nullopt;
    return RecordProblem{fmt::format("expected each document once (--with-replacement allows more), found "
                                     "document {} again, after line {}",
                                     *row, *before),
                         document->written.position};
  }

  static RecordVerdict take_reward(const std::optional<Value>& written, Event& event) {
    if (!written) return RecordProblem{"expected the member \"reward\", a number, found none"};
    const std::optional<double> reward = real_of(*written);
    if (!reward || std::fabs(*reward) > kLargestReward) {
      return problem_of(*written,
                        fmt::format("expected as the member \"reward\" a finite number of at most {} in size",
                                    number_text(kLargestReward)));
    }
    event.reward = *reward;
    return std::nullopt;
  }

  RecordVerdict take_features(const std::optional<Value>& features, Event& event) const {
    if (!features || features->read.is_null()) return std::nullopt;
    simdjson::dom::array array;
    if (features->read.get(array) != simdjson::SUCCESS) {
      return problem_of(*features,
                        "expected as the member \"features\" an array of words or feature numbers");
    }
    JsonPieces pieces(features->written.text);
    for (const element mark : array) {
      Value value = {mark, pieces.next_element()};
      value.written.position += features->written.position;
      if (RecordVerdict problem = take_mark(value, event)) return problem;
    }
    const std::size_t in_use = history_.features_with(event.features);
    if (in_use <= static_cast<std::size_t>(kLargestGram)) return std::nullopt;
    return RecordProblem{
        fmt::format("expected at most {} different features in all events, found {}", kLargestGram, in_use),
        features->written.position};
  }

  RecordVerdict take_mark(const Value& value, Event& event) const {
    simdjson::dom::object object;
    if (value.read.get(object) == simdjson::SUCCESS) return take_unsure_mark(value, object, event);
    if (RecordVerdict problem = take_feature(value, event)) return problem;
    add_confidence(event, 1.0);
    return std::nullopt;
  }

  RecordVerdict take_unsure_mark(const Value& value, simdjson::dom::object object, Event& event) const {
    const auto [feature, certainty] = members_of(object, value.written, {"feature", "confidence"});
    if (!feature) return missing_member("feature", value);
    if (!certainty) return missing_member("confidence", value);
    if (RecordVerdict problem = take_feature(*feature, event)) return problem;
    const std::optional<double> confidence = real_of(*certainty);
    if (!confidence || !(*confidence > 0.0 && *confidence <= 1.0)) {
      return problem_of(*certainty,
                        "expected as the member \"confidence\" of a mark a number above 0 and at most 1");
    }
    add_confidence(event, *confidence);
    return std::nullopt;
  }

  // Of the feature that was taken last. An event whose marks are all certain has no confidences.
  static void add_confidence(Event& event, double confidence) {
    if (confidence == 1.0 && event.confidences.empty()) return;
    event.confidences.resize(event.features.size() - 1, 1.0);
    event.confidences.push_back(confidence);
  }

  static RecordProblem missing_member(std::string_view name, const Value& mark) {
    return {fmt::format("expected the member \"{}\" of a mark, found none", name), mark.written.position};
  }

  RecordVerdict take_feature(const Value& value, Event& event) const {
    std::string_view word;
    if (value.read.get(word) == simdjson::SUCCESS) return take_word(value, word, event);
    const std::optional<std::int64_t> index = index_of(value, scope_.features);
    if (!index) return problem_of(value, "expected a word or " + range_text("a feature", scope_.features));
    event.features.push_back(static_cast<FeatureId>(*index));
    return std::nullopt;
  }

  RecordVerdict take_word(const Value& value, std::string_view word, Event& event) const {
    if (!scope_.feature_of) {
      return problem_of(value, fmt::format("expected {} (this pool has no words)",
                                           range_text("a feature", scope_.features)));
    }
    if (const std::optional<FeatureId> feature = scope_.feature_of(word)) {
      event.features.push_back(*feature);
      return std::nullopt;
    }
    RecordProblem problem = problem_of(value, "expected a word of the pool's vocabulary");
    std::string lower;
    append_lower_case(lower, word);
    if (lower != word && scope_.feature_of(lower))
      problem.expectation += fmt::format("; {} is in it", quoted_text(lower));
    return problem;
  }

  const EventScope& scope_;
  const EventRules& rules_;
  EventHistory history_;
  JsonObjectParser parser_;
  std::int64_t lines_before_ = 0;
};

}  // namespace

EventLog read_events(InputStream& stream, const std::string& path, const EventScope& scope,
                     const EventRules& rules) {
  EventLog log = {.path = path, .events = {}, .skipped = 0};
  EventParser parser(scope, rules);
  RecordChunks chunks(stream, RecordEnd::every_line,
                      {.chunk_bytes = rules.chunk_bytes, .most_document_bytes = rules.most_line_bytes});
  Chunk chunk;
  chunk.origin = std::make_shared<const std::string>(path);
  OutcomeCheck outcomes;
  while (chunks.read(chunk.bytes, chunk.dropped_lines)) {
    ChunkOutcome outcome = parser.parse(chunk, log.events);
    if (outcome.problem) outcome.problem->expectation += " (--skip-bad leaves bad events out)";
    outcomes.take(chunk.origin, outcome);
    log.skipped += outcome.skipped;
  }
  return log;
}

EventLog read_events(const std::string& path, const EventScope& scope, const EventRules& rules) {
  FileStream stream(path);
  return read_events(stream, path, scope, rules);
}

}  // namespace inkling
