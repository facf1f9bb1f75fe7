// A word means the same at every door: gives random events to each of them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/model/linear_model.hpp"
#include "engine/scoring/survey/average_document.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/search/events/learning.hpp"
#include "io/search/service/search_request.hpp"
#include "io/search/session/kept_search_form.hpp"
#include "io/search/session/searcher.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

constexpr DocumentId kDocuments = 24;
constexpr FeatureId kFeatures = 10;
constexpr std::uint64_t kFiles = test::cases(400U);

/// One event written in two ways: as a line of a file, and as a request of pipes and HTTP.
struct SaidLine {
  std::string in_file, on_pipe;
};

class RandomLines {
 public:
  explicit RandomLines(std::uint64_t number) : random_(test::stream_for(31, number)) {}

  [[nodiscard]] std::vector<SaidLine> several() {
    std::vector<SaidLine> lines;
    for (std::uint64_t n = 2 + random_.below(10); n > 0; --n) lines.push_back(random_.coin(0.25) ? words_apart() : document());
    return lines;
  }

 private:
  SaidLine document() {
    const auto document = random_.below(kDocuments);
    const double reward = random_.coin(0.5) ? 1.0 : random_.coin(0.2) ? 0.5 : 0.0;
    const SaidLine words = several_words(random_.below(6));
    const char* const note = random_.coin(0.2) ? R"(,"note":"read twice")" : "";
    return {fmt::format(R"({{"document":{},"reward":{},"features":[{}]{}}})", document, reward, words.in_file, note),
            fmt::format(R"({{"rate":{},"document":{},"words":[{}]{}}})", reward, document, words.on_pipe, note)};
  }
  SaidLine words_apart() {
    const SaidLine words = several_words(1 + random_.below(3));
    return {fmt::format(R"({{"features":[{}]}})", words.in_file), fmt::format(R"({{"query":[{}]}})", words.on_pipe)};
  }
  SaidLine several_words(std::uint64_t count) {
    SaidLine words;
    for (; count > 0; --count) {
      const SaidLine more = word();
      const char* const comma = words.in_file.empty() ? "" : ",";
      words.in_file += comma + more.in_file;
      words.on_pipe += comma + more.on_pipe;
    }
    return words;
  }
  SaidLine word() {
    const auto feature = random_.below(kFeatures);
    const bool is_sure = random_.coin(0.5);
    const double confidence = 0.1 * static_cast<double>(1 + random_.below(9));
    const std::string sure = is_sure ? "" : fmt::format(R"(,"confidence":{})", confidence);
    if (random_.coin(0.5)) {
      if (is_sure) return {std::to_string(feature), std::to_string(feature)};
      return {fmt::format(R"({{"feature":{}{}}})", feature, sure), fmt::format(R"({{"word":{}{}}})", feature, sure)};
    }
    constexpr double ratings[] = {1.0, -1.0, 0.5, -0.25, 0.75};
    const double rating = ratings[random_.below(5)];
    return {fmt::format(R"({{"feature":{},"reward":{}{}}})", feature, rating, sure),
            fmt::format(R"({{"word":{},"rate":{}{}}})", feature, rating, sure)};
  }

  RandomStream random_;
};

EventScope some_scope() { return {.documents = kDocuments, .features = kFeatures}; }

std::vector<Event> read(const std::string& file, Replays replays) {
  MemoryStream stream(file);
  return read_events(stream, "a file", some_scope(), {.replays = replays}).events;
}

/// The means of all documents at one door.
using Means = std::vector<double>;

class Doors {
 public:
  explicit Doors(const std::string& policy, RandomStream random)
      : pool_(test::random_pool({.documents = kDocuments, .features = kFeatures, .density = 0.4}, random)),
        settings_{.preset = find_preset(policy).value()} {
    settings_.options.inkling.average = std::make_shared<const AverageDocument>(average_document(pool_.view().by_feature));
  }

  [[nodiscard]] Means of_score(std::span<const Event> events) const {
    std::vector<EventLog> logs(1);
    logs.front().events = {events.begin(), events.end()};
    const PoolView view = pool_.view();
    const PlayedPool played(played_documents(logs), kFeatures, [view](std::int64_t document) {
      CsrMatrix row(kFeatures);
      row.append_row(view.by_document.row(static_cast<DocumentId>(document)));
      return row;
    });
    const Policy taught = taught_policy(events, played, settings_.preset, settings_.options);
    Means means;
    for (DocumentId i = 0; i < kDocuments; ++i) means.push_back(taught.learner()->model()->predict(view.by_document.row(i)).mean);
    return means;
  }
  [[nodiscard]] Means of_import(std::span<const SearchEvent> past) const {
    return means_of(Searcher(pool_.view(), settings_, past));
  }
  [[nodiscard]] Searcher live(std::span<const Event> events) const {
    Searcher searcher(pool_.view(), settings_);
    for (const Event& event : events)
      if (event.document)
        searcher.rate({static_cast<DocumentId>(*event.document), event.reward, event.words, {}});
      else
        searcher.rate_words(event.words);
    return searcher;
  }
  [[nodiscard]] Means of_pipe(std::span<const SaidLine> lines) const {
    Searcher searcher(pool_.view(), settings_);
    for (const SaidLine& line : lines) {
      const SearchRequest request = read_search_request(line.on_pipe, some_scope());
      if (request.verb == SearchVerb::rate)
        searcher.rate({request.document, request.reward, request.words, request.note});
      else
        searcher.rate_words(request.words);
    }
    return means_of(searcher);
  }
  [[nodiscard]] static Means means_of(const Searcher& searcher) {
    Means means;
    for (DocumentId i = 0; i < kDocuments; ++i) means.push_back(searcher.why(i).mean);
    return means;
  }

 private:
  PoolMatrix pool_;
  SearchSettings settings_;
};

void check_same(const Means& found, const Means& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t n = 0; n < found.size(); ++n)
    REQUIRE(std::fabs(found[n] - expected[n]) <= 1e-9 * std::max(1.0, std::fabs(expected[n])));
}

/// In a search only the last rating of a document counts, so `score` gets only the last.
std::vector<Event> last_of_each(std::vector<Event> events) {
  std::set<std::int64_t> rated;
  std::vector<Event> last;
  for (Event& event : events | std::views::reverse)
    if (!event.document || rated.insert(*event.document).second) last.push_back(std::move(event));
  std::ranges::reverse(last);
  return last;
}

std::vector<SearchEvent> read_again(std::span<const SearchEvent> events) {
  std::vector<SearchEvent> again;
  for (const SearchEvent& event : events) {
    SearchEvent read = {.sequence = event.sequence, .at_ms = event.at_ms, .kind = event.kind, .document = event.document};
    read_body(read, body_of(event), "a log");
    again.push_back(std::move(read));
  }
  return again;
}

std::vector<Event> exported(const std::string& policy, const SearchHistory& history) {
  SessionFacts facts;
  facts.policy = policy;
  const std::string file = events_file_of(facts, history);
  return read(file.substr(file.find('\n') + 1), Replays::refused);
}

TEST_CASE("ratings of words mean the same in files and in a search and on the pipe and in a log and in score") {
  for (const Preset& preset : presets()) {
    if (!learns_from_events(preset)) continue;
    const std::string policy(preset.name);
    CAPTURE(policy);
    for (std::uint64_t number = 0; number < kFiles; ++number) {
      CAPTURE(number);
      const std::vector<SaidLine> lines = RandomLines(number).several();
      std::string file;
      for (const SaidLine& line : lines) file += line.in_file + "\n";
      CAPTURE(file);
      const Doors doors(policy, test::stream_for(32, number));
      const std::vector<Event> events = read(file, Replays::allowed);
      const Means expected = doors.of_score(last_of_each(events));

      EventLog log;
      log.events = events;
      check_same(doors.of_import(search_events_of(log, 0)), expected);
      check_same(doors.of_pipe(lines), expected);
      const Searcher live = doors.live(events);
      check_same(Doors::means_of(live), expected);
      check_same(doors.of_import(read_again(live.history().events())), expected);
      check_same(doors.of_score(exported(policy, live.history())), expected);
    }
  }
}

// The log of an older version, which had no ratings of words in documents.
TEST_CASE("a word that spoke against its document in an old log is still a rating to inkling and a mark to others") {
  SearchEvent old = {.sequence = 1, .kind = SearchEventKind::rated, .document = 3};
  read_body(old, R"({"reward":1,"words":[{"feature":2,"rate":-0.5},{"feature":4,"rate":0.5}]})", "a log");
  CHECK(body_of(old) == R"({"reward":1,"words":[{"feature":2,"rate":-0.5},{"feature":4,"rate":0.5}]})");
  for (const Preset& preset : presets()) {
    if (!learns_from_events(preset)) continue;
    const std::string policy(preset.name);
    CAPTURE(policy);
    const Doors doors(policy, test::stream_for(33));
    Event meant = {.document = 3, .reward = 1.0, .words = {{2, {}, 0.5}, {4, {}, 0.5}}};
    if (preset.uses.word_ratings) meant.words.front().reward = -1.0;
    check_same(doors.of_import({&old, 1}), doors.of_score({&meant, 1}));
    check_same(doors.of_score(exported(policy, history_of({&old, 1}))), doors.of_score({&meant, 1}));
  }
}

}  // namespace
}  // namespace inkling
