#include "io/search/session/kept_search_form.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/policy/presets.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/process.hpp"
#include "io/search/events/learning.hpp"
#include "io/search/events/setting_values.hpp"
#include "io/search/people/reading_set.hpp"

namespace inkling {
namespace {

// Words apart from documents become an event of their own.
SearchEvent search_event_of(const Event& event, std::int64_t sequence, std::int64_t at_ms) {
  SearchEvent made = {.sequence = sequence, .at_ms = at_ms, .kind = SearchEventKind::marked};
  if (event.separated) {
    made.kind = SearchEventKind::separated;
    made.document = static_cast<DocumentId>(*event.separated);
  } else if (event.document) {
    made.kind = SearchEventKind::rated;
    made.document = static_cast<DocumentId>(*event.document);
    made.reward = event.reward;
  }
  made.words = event.words;
  return made;
}

void write_said_word(JsonWriter& json, const SaidWord& word) {
  if (word == SaidWord{.feature = word.feature}) {
    json.value(word.feature);
    return;
  }
  json.begin_object().member("feature", word.feature);
  if (word.reward) json.member("reward", *word.reward);
  if (word.confidence != 1.0) json.member("confidence", word.confidence);
  json.end_object();
}

std::string event_line_of(const SearchStep& step, bool learns_ratings) {
  JsonWriter json;
  const bool is_one_word = step.kind == StepKind::words && step.words.size() == 1;
  if (is_one_word) {
    write_said_word(json, step.words.front());
    return json.take() + "\n";
  }
  json.begin_object();
  if (step.is_rating()) json.member("document", step.document).member("reward", step.reward);
  if (!step.words.empty()) {
    json.key("features").begin_array();
    for (const SaidWord& word : words_to_learn(step.words, learns_ratings)) write_said_word(json, word);
    json.end_array();
  }
  return json.end_object().take() + "\n";
}

}  // namespace

SearchSettings settings_of_search(const SessionFacts& facts, const Pool* pool) {
  const std::optional<Preset> preset = find_preset(facts.policy);
  if (!preset) {
    throw FormatError(fmt::format("the search {}", quoted_text(facts.name)),
                      fmt::format("expected a version of inkling that has its policy, {}", quoted_text(facts.policy)));
  }
  std::string settings = facts.options;
  std::optional<ReadingSet> set = take_reading_set(settings);
  PolicyOptions options = options_in_json(settings, *preset);
  if (pool != nullptr) options.inkling.survey = pool->survey();
  return {.preset = *preset,
          .options = options,
          .seed = facts.seed,
          .set = set ? std::move(set->documents) : std::vector<DocumentId>(),
          .set_grows = set && set->grows,
          .with_replacement = options.with_replacement,
          .keep_scores = true,
          .copies = pool == nullptr ? RowCopies() : pool->copies()};
}

SessionFacts facts_of_new_search(std::string name, std::string pool, std::string fingerprint) {
  return {.id = {},
          .name = std::move(name),
          .owner = name_of_user(),
          .pool = std::move(pool),
          .fingerprint = std::move(fingerprint),
          .policy = kDefaultPolicy,
          .options = "{}",
          .seed = 1,
          .created_ms = milliseconds_now()};
}

std::optional<SessionFacts> search_named(const SessionFile& file, std::string_view name) {
  const std::vector<SessionFacts> searches = file.sessions();
  const auto found = std::ranges::find(searches, name, &SessionFacts::name);
  return found == searches.end() ? std::nullopt : std::optional(*found);
}

SearchHistory history_of(std::span<const SearchEvent> events, RowCopies copies) {
  SearchHistory history(RatingsOfOne::last_counts, copies);
  for (const SearchEvent& event : events) history.append(event);
  return history;
}

std::vector<SearchEvent> search_events_of(const EventLog& log, std::int64_t at_ms) {
  std::vector<SearchEvent> events;
  events.reserve(log.events.size());
  for (const Event& event : log.events) {
    events.push_back(search_event_of(event, std::ssize(events) + 1, at_ms));
    if (!event.separated) events.back().batch = 1;
  }
  return events;
}

std::vector<SearchStep> said_in(const SearchHistory& history) {
  std::vector<SearchStep> said = history.steps();
  std::erase_if(said, [](const SearchStep& step) { return step.kind == StepKind::skip; });
  return said;
}

std::string events_file_of(const SessionFacts& facts, const SearchHistory& history) {
  const std::optional<Preset> preset = find_preset(facts.policy);
  const bool learns_ratings = preset && preset->uses.word_ratings;
  std::string file = JsonWriter().begin_object().member("pool", facts.fingerprint).end_object().take() + "\n";
  const std::vector<std::pair<std::int64_t, DocumentId>> separations = history.separations();
  auto next = separations.begin();
  const auto add_separations = [&](std::int64_t until) {
    for (; next != separations.end() && next->first < until; ++next)
      file += JsonWriter().begin_object().member("document", next->second).member("separated", true).end_object().take() + "\n";
  };
  for (const SearchStep& step : said_in(history)) {
    add_separations(step.sequence);
    file += event_line_of(step, learns_ratings);
  }
  add_separations(history.next_sequence());
  return file;
}

std::vector<FoundDocument> found_documents(const SearchHistory& history) {
  std::vector<FoundDocument> found;
  for (const SearchStep& step : history.steps())
    if (step.is_rating() && step.reward >= kGoodRating) found.push_back({step.document, step.reward});
  std::ranges::sort(found, {}, [](const FoundDocument& one) { return std::tuple(-one.rating, one.document); });
  return found;
}

std::vector<TagCount> tag_counts(const SearchHistory& history) {
  std::map<std::string, std::set<DocumentId>> documents;
  for (const SearchStep& step : history.steps()) {
    if (!step.is_rating()) continue;
    for (const std::string& tag : history.at(step.sequence).tags) documents[tag].insert(step.document);
  }
  std::vector<TagCount> counts;
  counts.reserve(documents.size());
  for (const auto& [tag, rows] : documents) counts.push_back({tag, std::ssize(rows)});
  std::ranges::stable_sort(counts, std::ranges::greater(), &TagCount::documents);
  return counts;
}

std::string session_file_beside(const std::string& pool) {
  std::string path = pool;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const std::string last = std::filesystem::path(path).filename().string();
  if (last.empty() || last == "." || last == "..") path = resolved_path(path);
  return path + ".search";
}

}  // namespace inkling
