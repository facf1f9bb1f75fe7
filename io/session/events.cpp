#include "io/session/events.hpp"

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
#include "io/source/record_chunks.hpp"

namespace inkling {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

// A value of a record: as it was read, and how and where it is written.
struct Value {
  element read;
  JsonPiece written;
};

// The members of an object that an event is made of; the first of each name.
struct Members {
  std::optional<Value> document;
  std::optional<Value> reward;
  std::optional<Value> features;
  bool has_id = false;
};

// The members of an object that is a mark with its confidence, likewise.
struct MarkMembers {
  std::optional<Value> feature;
  std::optional<Value> confidence;
};

// Requires: the object was read from this text (here and below).
Members members_of(simdjson::dom::object object, std::string_view json) {
  Members members;
  JsonPieces pieces(json);
  for (const auto& [key, value] : object) {
    const Value here = {value, pieces.next_member()};
    if (!members.document && key == "document") members.document = here;
    if (!members.reward && key == "reward") members.reward = here;
    if (!members.features && key == "features") members.features = here;
    members.has_id = members.has_id || key == "id";
  }
  return members;
}

MarkMembers mark_members_of(simdjson::dom::object object, const JsonPiece& written) {
  MarkMembers members;
  JsonPieces pieces(written.text);
  for (const auto& [key, value] : object) {
    Value here = {value, pieces.next_member()};
    here.written.position += written.position;
    if (!members.feature && key == "feature") members.feature = here;
    if (!members.confidence && key == "confidence") members.confidence = here;
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

std::string in_lower_case(std::string_view word) {
  std::string lower(word);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
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
    const RecordRules every_record = {.most_bytes = UINT64_MAX, .skip_bad = rules_.skip_bad};
    parse_records(chunk.bytes.view(), every_record, outcome, [&](std::string_view line) -> RecordVerdict {
      if (is_blank_record(line)) return std::nullopt;
      Event event;
      if (RecordVerdict problem = parse_line(line, event)) return problem;
      history_.add(event, lines_before_ + outcome.lines + 1);
      events.push_back(std::move(event));
      return std::nullopt;
    });
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
    const Members members = members_of(std::get<simdjson::dom::object>(parsed), line);
    if (RecordVerdict problem = take_document(members, event)) return problem;
    if (RecordVerdict problem = take_reward(members, event)) return problem;
    if (RecordVerdict problem = take_features(members, event)) return problem;
    return std::nullopt;
  }

  // The place of the first piece that is not JSON, such as NaN, where there is one.
  static RecordProblem closer(const RecordProblem& problem, std::string_view line) {
    const std::optional<JsonPiece> piece = first_bad_scalar(line);
    if (!piece) return problem;
    return {fmt::format("expected JSON (numbers are finite, names stand in double quotes), found {}",
                        quoted_text(piece->text)),
            piece->position};
  }

  RecordVerdict take_document(const Members& members, Event& event) const {
    if (!members.document) {
      return RecordProblem{fmt::format(
          "expected the member \"document\", found {}: an event names a row of the pool, counted from 0",
          members.has_id ? "\"id\"" : "none")};
    }
    const std::optional<std::int64_t> row = index_of(*members.document, scope_.documents);
    if (!row) {
      return problem_of(*members.document, fmt::format("expected as the member \"document\" {}",
                                                       range_text("a row of the pool", scope_.documents)));
    }
    event.document = *row;
    if (rules_.replays == Replays::allowed) return std::nullopt;
    const std::optional<std::int64_t> before = history_.line_of(*row);
    if (!before) return std::nullopt;
    return RecordProblem{fmt::format("expected each document once (--with-replacement allows more), found "
                                     "document {} again, after line {}",
                                     *row, *before),
                         members.document->written.position};
  }

  static RecordVerdict take_reward(const Members& members, Event& event) {
    if (!members.reward) return RecordProblem{"expected the member \"reward\", a number, found none"};
    const std::optional<double> reward =
        is_number(members.reward->read) ? parse_real(members.reward->written.text) : std::nullopt;
    if (!reward || std::fabs(*reward) > kLargestReward) {
      return problem_of(*members.reward,
                        fmt::format("expected as the member \"reward\" a finite number of at most {} in size",
                                    number_text(kLargestReward)));
    }
    event.reward = *reward;
    return std::nullopt;
  }

  RecordVerdict take_features(const Members& members, Event& event) const {
    if (!members.features || members.features->read.is_null()) return std::nullopt;
    simdjson::dom::array array;
    if (members.features->read.get(array) != simdjson::SUCCESS) {
      return problem_of(*members.features,
                        "expected as the member \"features\" an array of words or feature numbers");
    }
    JsonPieces pieces(members.features->written.text);
    for (const element feature : array) {
      Value value = {feature, pieces.next_element()};
      value.written.position += members.features->written.position;
      if (RecordVerdict problem = take_mark(value, event)) return problem;
    }
    const std::size_t in_use = history_.features_with(event.features);
    if (in_use <= static_cast<std::size_t>(kLargestGram)) return std::nullopt;
    return RecordProblem{
        fmt::format("expected at most {} different features in all events, found {}", kLargestGram, in_use),
        members.features->written.position};
  }

  RecordVerdict take_mark(const Value& value, Event& event) const {
    simdjson::dom::object object;
    if (value.read.get(object) == simdjson::SUCCESS) return take_unsure_mark(value, object, event);
    if (RecordVerdict problem = take_feature(value, event)) return problem;
    add_confidence(event, 1.0);
    return std::nullopt;
  }

  RecordVerdict take_unsure_mark(const Value& value, simdjson::dom::object object, Event& event) const {
    const MarkMembers members = mark_members_of(object, value.written);
    if (!members.feature) return missing_member("feature", value);
    if (!members.confidence) return missing_member("confidence", value);
    if (RecordVerdict problem = take_feature(*members.feature, event)) return problem;
    const std::optional<double> confidence =
        is_number(members.confidence->read) ? parse_real(members.confidence->written.text) : std::nullopt;
    if (!confidence || !(*confidence > 0.0 && *confidence <= 1.0)) {
      return problem_of(*members.confidence,
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
    const std::string lower = in_lower_case(word);
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
                      {.chunk_bytes = rules.chunk_bytes, .most_record_bytes = rules.most_line_bytes});
  Chunk chunk;
  chunk.origin = std::make_shared<const std::string>(path);
  std::int64_t lines = 0;
  while (chunks.read(chunk.bytes, chunk.dropped_lines)) {
    const ChunkOutcome outcome = parser.parse(chunk, log.events);
    if (outcome.problem) {
      throw FormatError(place_of(chunk, *outcome.problem, lines),
                        outcome.problem->expectation + " (--skip-bad leaves bad events out)");
    }
    lines += outcome.lines;
    log.skipped += outcome.skipped;
  }
  return log;
}

EventLog read_events(const std::string& path, const EventScope& scope, const EventRules& rules) {
  FileStream stream(path);
  return read_events(stream, path, scope, rules);
}

}  // namespace inkling
