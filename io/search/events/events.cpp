#include "io/search/events/events.hpp"

#include <iterator>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "engine/core/errors.hpp"
#include "engine/model/model_options.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/source/json_record.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/unpack/workbook_stream.hpp"
#include "io/search/events/answer_table.hpp"
#include "io/search/events/event_line.hpp"

namespace inkling {
namespace {

constexpr std::string_view kSkipHint = " (--skip-bad leaves bad events out)";

// A problem in a file, and its place.
struct PlacedProblem {
  std::int64_t line = 0;  // from 1
  RecordProblem problem;
};

// An event that was read and whose document is still to be looked up.
struct KeptEvent {
  Event event;  // its document is the row that it names
  std::int64_t line = 0;
  std::int64_t id = -1;  // which of the ids that events name, or -1
  std::size_t row_at = 0;
  std::size_t id_at = 0;
  std::size_t features_at = 0;
  bool separates = false;

  [[nodiscard]] bool names_row() const { return event.document.has_value(); }
};

// Which documents the events so far have played, and which features they have marked or rated.
class EventHistory {
 public:
  // The line that first played the document; nothing if none did.
  [[nodiscard]] std::optional<std::int64_t> line_of(std::int64_t document) const {
    const auto found = line_of_.find(document);
    if (found == line_of_.end()) return std::nullopt;
    return found->second;
  }

  // How many different features are marked or rated in the events so far and in this one.
  [[nodiscard]] std::int64_t features_with(const Event& event) const {
    const auto is_new = [this](FeatureId feature) { return !features_.contains(feature); };
    return std::ssize(features_) + std::ranges::count_if(event.words, is_new, &SaidWord::feature);
  }

  void add(const Event& event, std::int64_t line) {
    if (event.document) line_of_.insert({*event.document, line});
    for (const SaidWord& word : event.words) features_.insert(word.feature);
  }

  [[nodiscard]] std::int64_t documents() const { return std::ssize(line_of_); }
  [[nodiscard]] std::int64_t features() const { return std::ssize(features_); }

 private:
  tsl::robin_map<std::int64_t, std::int64_t> line_of_;
  tsl::robin_set<FeatureId> features_;
};

// Reads one file in three steps: each line on its own; then the rows of all ids in one pass; then the rules that concern
// several events, such as that no document is played twice.
class EventReader {
 public:
  EventReader(const std::string& path, const EventScope& scope, const EventRules& rules)
      : path_(path), scope_(scope), rules_(rules), parser_(scope, rules) {}

  [[nodiscard]] EventLog read(InputStream& stream) {
    read_lines(stream);
    find_rows();
    for (KeptEvent& kept : kept_) take(kept);
    check_model();
    // Reading stopped at this problem. Problems of earlier lines that are found only after all lines are read come first.
    if (last_problem_) throw error_at(*last_problem_);
    return {.path = path_,
            .events = counting_events(),
            .skipped = skipped_,
            .first_skipped = first_skipped_ ? text_of(*first_skipped_) : std::string()};
  }

 private:
  void read_lines(InputStream& stream) {
    PeekedStream peeked(stream);
    if (AnswerTable::may_begin_with(peeked.head())) table_.emplace();
    const RecordEnd end = table_ ? RecordEnd::outside_quotes : RecordEnd::every_line;
    RecordChunks chunks(peeked, end, {.chunk_bytes = rules_.chunk_bytes, .most_document_bytes = rules_.most_line_bytes});
    Chunk chunk;
    while (!last_problem_ && chunks.read(chunk.bytes, chunk.dropped_lines)) {
      // Records of any length are taken here, because the parser of lines has a message of its own for long ones.
      const ReadingOptions every_record = {.skip_bad = false, .most_document_bytes = UINT64_MAX};
      ChunkOutcome outcome;
      const auto take_line = [&](std::string_view text) -> RecordVerdict {
        return read_line(text, lines_before_ + outcome.lines + 1);
      };
      parse_records(chunk.bytes.view(), end, every_record, outcome, take_line);
      lines_before_ += outcome.lines + chunk.dropped_lines;
    }
  }

  // Returns a problem if reading must end.
  RecordVerdict read_line(std::string_view text, std::int64_t line) {
    throw_if_interrupted();
    if (is_blank_record(text)) return std::nullopt;
    EventLine parsed;
    RecordVerdict problem = parse(text, parsed);
    if (!problem && !parsed.apart.empty()) {
      EventLine apart;
      apart.event.words = std::exchange(parsed.apart, {});
      apart.features_at = parsed.features_at;
      keep(std::move(apart), line);
    }
    if (!problem && parsed.separates) {
      EventLine separation = parsed;
      separation.event = {};
      keep(std::move(separation), line);
      any_line_ = true;
    }
    if (!problem && parsed.is_unanswered) return std::nullopt;
    parsed.separates = false;
    const bool is_first = !std::exchange(any_line_, true);
    if (!problem && parsed.pool) return check_pool(parsed, line, is_first);
    if (!problem) {
      keep(std::move(parsed), line);
      return std::nullopt;
    }
    if (rules_.skip_bad) {
      skip({line, *std::move(problem)});
      return std::nullopt;
    }
    last_problem_ = {line, *problem};
    return problem;
  }

  RecordVerdict parse(std::string_view text, EventLine& parsed) {
    if (!table_) return parser_.parse(text, parsed);
    if (RecordVerdict problem = table_->take(text, table_line_)) return problem;
    parsed.is_unanswered = table_line_.empty();
    return parsed.is_unanswered ? std::nullopt : parser_.parse(table_line_, parsed);
  }

  RecordVerdict check_pool(const EventLine& parsed, std::int64_t line, bool is_first) const {
    if (!is_first) throw fatal_at(line, parsed.pool_at, "expected the fingerprint of the pool in the first line only");
    if (scope_.knows_pool(*parsed.pool) || rules_.other_pools == OtherPools::allowed) return std::nullopt;
    throw fatal_at(line, parsed.pool_at,
                   fmt::format("expected events of this pool, whose fingerprint is {}, found those of {} (rows and "
                               "words may mean something else here; --any-pool uses them all the same)",
                               scope_.fingerprint, quoted_text(*parsed.pool)));
  }

  void keep(EventLine parsed, std::int64_t line) {
    bytes_ += sizeof(KeptEvent) + parsed.event.words.size() * sizeof(SaidWord) +
              (parsed.id ? sizeof(std::string) + parsed.id->size() : 0);
    if (bytes_ > rules_.room.most_bytes) {
      throw fatal_at(line, 0,
                     fmt::format("expected events that take at most {} bytes of memory (--memory), found more up to "
                                 "this line",
                                 rules_.room.most_bytes));
    }
    parsed.event.document = parsed.row;
    const std::int64_t id = parsed.id ? std::ssize(ids_) : -1;
    if (parsed.id) ids_.push_back(*std::move(parsed.id));
    kept_.push_back({std::move(parsed.event), line, id, parsed.row_at, parsed.id_at, parsed.features_at, parsed.separates});
  }

  void find_rows() {
    if (ids_.empty()) return;
    different_ids_ = ids_;
    std::ranges::sort(different_ids_);
    const auto repeated = std::ranges::unique(different_ids_);
    different_ids_.erase(repeated.begin(), repeated.end());
    rows_ = scope_.rows_of_ids(different_ids_);
  }

  void take(KeptEvent& kept) {
    RecordVerdict problem = kept.id >= 0 ? set_document(kept) : std::nullopt;
    if (!problem) problem = kept.separates ? separate(kept) : check_with_others(kept);
    if (problem && !rules_.skip_bad) throw error_at({kept.line, *problem});
    if (problem) return skip({kept.line, *std::move(problem)});
    if (kept.separates && !kept.event.separated) return;
    history_.add(kept.event, kept.line);
    take_for_text(kept.event);
    events_.push_back(std::move(kept.event));
    look_at_model(kept.line);
  }

  // Sets `separated` and nothing else, unless the document is one with no other here. In a pool that was built again the original
  // may be the other one of two.
  RecordVerdict separate(KeptEvent& kept) {
    std::int64_t document = *std::exchange(kept.event.document, std::nullopt);
    const auto& [rows, originals] = scope_.copies;
    if (copies_of_.empty())
      for (std::size_t n = 0; n < rows.size(); ++n) copies_of_[originals[n]].push_back(rows[n]);
    if (const auto its = copies_of_.find(document); its != copies_of_.end()) {
      if (its->second.size() > 1) {
        return RecordProblem{
            fmt::format("expected a copy, to take it apart, found document {}, which is the original of {} copies", document,
                        its->second.size()),
            kept.row_at > 0 ? kept.row_at : kept.id_at};
      }
      document = its->second.front();
    }
    if (scope_.copies.original_of(document) != document && separated_.insert(document).second) kept.event.separated = document;
    return std::nullopt;
  }

  // An event of a document counts for the first document of the same text. If several of them are rated, the last one counts.
  void take_for_text(Event& event) {
    if (scope_.copies.size() == 0 || !event.document) return;
    if (!separated_.contains(*event.document)) event.document = scope_.copies.original_of(*event.document);
    if (rules_.replays == Replays::allowed) return;
    const auto [last, is_first] = place_of_.insert({*event.document, events_.size()});
    if (!is_first) replaced_.push_back(std::exchange(last.value(), events_.size()));
  }

  [[nodiscard]] std::vector<Event> counting_events() {
    if (replaced_.empty()) return std::move(events_);
    std::ranges::sort(replaced_);
    std::vector<Event> counting;
    counting.reserve(events_.size() - replaced_.size());
    for (std::size_t n = 0; n < events_.size(); ++n)
      if (!std::ranges::binary_search(replaced_, n)) counting.push_back(std::move(events_[n]));
    return counting;
  }

  // Requires: an event that names an id.
  RecordVerdict set_document(KeptEvent& kept) const {
    const std::string& id = ids_[static_cast<std::size_t>(kept.id)];
    const auto place = std::ranges::lower_bound(different_ids_, id) - different_ids_.begin();
    const auto [first, second] = rows_[static_cast<std::size_t>(place)];
    const std::int64_t row = kept.event.document.value_or(-1);
    const auto problem = [&kept](std::string expectation) -> RecordVerdict {
      return RecordProblem{std::move(expectation), kept.id_at};
    };
    if (!first) {
      return problem(fmt::format("expected an id of the pool, found {}{}", quoted_text(id),
                                 parse_integer(id) ? " (a row is written without quotes)" : ""));
    }
    if (second && (row == *first || row == *second)) return std::nullopt;
    if (second) {
      return problem(
          fmt::format("expected an id that one document has, found {}, which the rows {} and {} have; name "
                      "the document by its row alone",
                      quoted_text(id), *first, *second));
    }
    if (kept.names_row() && row != *first) {
      return problem(
          fmt::format("expected the id of document {}, found {}, which is that of document {}", row, quoted_text(id), *first));
    }
    kept.event.document = *first;
    return std::nullopt;
  }

  [[nodiscard]] RecordVerdict check_with_others(const KeptEvent& kept) const {
    const std::int64_t document = kept.event.document.value_or(-1);
    const std::optional<std::int64_t> before = history_.line_of(document);
    if (before && rules_.replays == Replays::refused) {
      return RecordProblem{fmt::format("expected each document once (--with-replacement allows more), found "
                                       "document {} again, after line {}",
                                       document, *before),
                           kept.row_at > 0 ? kept.row_at : kept.id_at};
    }
    const std::int64_t in_use = history_.features_with(kept.event);
    if (in_use <= kLargestGram) return std::nullopt;
    return RecordProblem{fmt::format("expected at most {} different features in all events, found {}", kLargestGram, in_use),
                         kept.features_at};
  }

  // Keeps the line since which the model has been too large. Later events may change its form and make it small enough.
  void look_at_model(std::int64_t line) {
    if (!rules_.room.model_bytes) return;
    model_bytes_ = rules_.room.model_bytes(history_.features(), history_.documents());
    if (model_bytes_ <= rules_.room.most_bytes)
      too_large_from_ = 0;
    else if (too_large_from_ == 0)
      too_large_from_ = line;
  }

  void check_model() const {
    if (too_large_from_ == 0) return;
    constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
    throw FormatError(
        place(too_large_from_, 0),
        fmt::format("expected events that are learned in at most {} MiB (--memory); from this line on "
                    "they take more, and {} MiB with all {} marked words and {} documents",
                    rules_.room.most_bytes / mebibyte, model_bytes_ / mebibyte + 1, history_.features(), history_.documents()));
  }

  void skip(PlacedProblem problem) {
    ++skipped_;
    if (first_skipped_ && first_skipped_->line <= problem.line) return;
    first_skipped_ = std::move(problem);
    parser_.give_advice(false);
  }

  [[nodiscard]] std::string place(std::int64_t line, std::size_t position) const {
    return fmt::format("{}:{}:{}", path_, line, position + 1);
  }
  [[nodiscard]] std::string text_of(const PlacedProblem& placed) const {
    return fmt::format("{}: {}", place(placed.line, placed.problem.position), placed.problem.expectation);
  }
  [[nodiscard]] FormatError error_at(const PlacedProblem& placed) const {
    return {place(placed.line, placed.problem.position), placed.problem.expectation + std::string(kSkipHint)};
  }
  // A problem of the whole file, which cannot be skipped.
  [[nodiscard]] FormatError fatal_at(std::int64_t line, std::size_t position, std::string problem) const {
    return {place(line, position), std::move(problem)};
  }

  const std::string& path_;
  const EventScope& scope_;
  const EventRules& rules_;
  EventLineParser parser_;
  std::optional<AnswerTable> table_;  // only if the file is one
  std::string table_line_;
  std::int64_t lines_before_ = 0;
  bool any_line_ = false;
  std::uint64_t bytes_ = 0;
  std::vector<KeptEvent> kept_;
  std::vector<std::string> ids_;            // that events name, one after the other
  std::vector<std::string> different_ids_;  // the same, ascending, each once
  std::vector<RowsOfId> rows_;              // of these
  EventHistory history_;
  std::vector<Event> events_;
  tsl::robin_map<std::int64_t, std::size_t>
      place_of_;  // where in events_ the last rating of each text is; used only if texts have copies
  std::vector<std::size_t> replaced_;
  tsl::robin_set<std::int64_t> separated_;                             // copies
  tsl::robin_map<std::int64_t, std::vector<std::int64_t>> copies_of_;  // filled when a document is taken apart
  std::uint64_t model_bytes_ = 0;
  std::int64_t too_large_from_ = 0;  // a line, or 0
  std::int64_t skipped_ = 0;
  std::optional<PlacedProblem> first_skipped_;
  std::optional<PlacedProblem> last_problem_;  // at which reading ended
};

}  // namespace

EventLog read_events(InputStream& stream, const std::string& path, const EventScope& scope, const EventRules& rules) {
  return EventReader(path, scope, rules).read(stream);
}

std::string events_name(const std::string& path) { return path == "-" ? "standard input" : path; }

EventLog read_events(const std::string& path, const EventScope& scope, const EventRules& rules) {
  FileStream stream(path == "-" ? "/dev/stdin" : path);
  const std::unique_ptr<InputStream> sheet = is_workbook(stream) ? open_workbook(stream, UnpackingLimits()) : nullptr;
  EventLog log = read_events(sheet ? *sheet : stream, events_name(path), scope, rules);
  log.path = path;
  return log;
}

}  // namespace inkling
