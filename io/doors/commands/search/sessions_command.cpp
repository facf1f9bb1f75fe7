// `inkling sessions`: the searches that a file keeps: lists, checks and exports them.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/interruption.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/kept/work_file.hpp"
#include "io/doors/commands/search/pool_of_records.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/session/kept_search_form.hpp"
#include "io/search/session/search_history.hpp"
#include "io/search/session/session_file.hpp"

namespace inkling {
namespace {

OptionTable sessions_options() {
  return OptionTable(
      {"inkling sessions",
       "Lists, checks, exports and copies the searches that were kept. They are those of inkling search and "
       "inkling serve.",
       "inkling sessions reviews --write ratings --out ratings.jsonl",
       {{"Which",
         {{"searches", Path{}, "FILE", std::nullopt,
           "the file that keeps the searches (default: POOL.search, beside the pool)"},
          {"name", Text{}, "NAME", std::nullopt,
           "one of the searches, by its name or its id (default: all; the only one for --write)"}}},
        {"Output",
         {{"json", Flag{}, "", std::nullopt, "print one JSON object a line and search"},
          {"verify", Flag{}, "", std::nullopt,
           "read every event and check that it is what was written: exit code 0, or 5 and what is not"},
          {"write", Choice{{"ratings", "events", "work"}}, "WHAT", std::nullopt,
           "ratings: those that hold, of documents and of words, for inkling score --events; events: all of "
           "them, also what was undone, as JSON lines; work: the records with what was said of them, as "
           "inkling "
           "search --out writes them"},
          {"which", Choice{names_of(kWorkChoices)}, "WHAT", "all",
           "of --write work: all answers, the good documents, or the unread ones"},
          {"out", Path{}, "FILE", "-", "where --write writes to; - is standard output"},
          {"backup", Path{}, "COPY", std::nullopt,
           "write a whole copy of the file, at any time, also while a search goes on; - is standard output. "
           "What cp makes of FILE alone may lack the last second"}}}},
       {"[POOL]", "the pool that was searched, or the file that keeps its searches", 0, 1}});
}

// A pool is a folder, or the file of a set; anything else keeps searches itself.
std::string searches_asked_for(const ParsedOptions& options) {
  if (options.has("searches") != options.positionals().empty())
    throw UsageError("expected either POOL or --searches FILE");
  if (options.has("searches")) return options.text("searches");
  const std::string place = standing_pool_of(options.positionals().front());
  const bool is_pool =
      std::filesystem::is_directory(place) || place.ends_with(".json") || !std::filesystem::exists(place);
  return is_pool && !place.ends_with(".search") ? session_file_beside(place) : place;
}

// A search with what of it holds.
struct ListedSearch {
  SessionFacts facts;
  std::int64_t ratings = 0;  // of documents
  std::int64_t words = 0;    // that are rated apart from documents
};

std::string names_with_ids(std::span<const SessionFacts> sessions) {
  std::string names;
  for (const SessionFacts& facts : sessions)
    names +=
        fmt::format("{}{} ({})", names.empty() ? "" : ", ", quoted_text(facts.name), visible_text(facts.id));
  return names.empty() ? "(it keeps none)" : names;
}

// Those with this name or this id; all where none is asked for. Throws UsageError where there is none.
std::vector<SessionFacts> asked_sessions(const ParsedOptions& options, std::vector<SessionFacts> all) {
  if (!options.has("name")) return all;
  const std::string& name = options.text("name");
  std::vector<SessionFacts> asked = all;
  std::erase_if(asked, [&](const SessionFacts& facts) { return facts.name != name && facts.id != name; });
  if (!asked.empty()) return asked;
  throw UsageError::option(
      "name", fmt::format("expected the name or the id of a search in this file, found {}: it keeps {}",
                          quoted_text(name), names_with_ids(all)));
}

SessionFacts only_session(std::vector<SessionFacts> asked) {
  if (asked.size() == 1) return std::move(asked.front());
  throw UsageError(fmt::format("expected --name with the name or the id of one search, found {} searches: {}",
                               asked.size(), names_with_ids(asked)));
}

ListedSearch listed(const SessionFacts& facts, std::span<const SearchStep> said) {
  ListedSearch search = {.facts = facts};
  for (const SearchStep& step : said) {
    if (step.is_rating())
      ++search.ratings;
    else
      search.words += std::ssize(step.words);
  }
  return search;
}

// "2026-11-22 10:29", of a day that people write so.
std::string minute_text(std::int64_t milliseconds) {
  constexpr std::int64_t largest = 253'402'300'799'000;  // the end of the year 9999
  const std::chrono::sys_time<std::chrono::milliseconds> at(
      std::chrono::milliseconds(std::clamp<std::int64_t>(milliseconds, 0, largest)));
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(at - day).count();
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), minutes / 60,
                     minutes % 60);
}

std::string json_of_search(const ListedSearch& search) {
  const SessionFacts& facts = search.facts;
  JsonWriter json;
  json.begin_object().member("name", facts.name).member("id", facts.id).member("owner", facts.owner);
  json.member("pool", facts.pool).member("fingerprint", facts.fingerprint).member("policy", facts.policy);
  json.member("seed", facts.seed).member("begun_ms", facts.created_ms).member("events", facts.events);
  return json.member("ratings", search.ratings).member("words", search.words).end_object().take();
}

std::string text_of_search(const ListedSearch& search) {
  const SessionFacts& facts = search.facts;
  const std::string words =
      search.words == 0 ? std::string() : " and " + counted(search.words, "word", "words");
  return fmt::format(
      "{}  ({})\n  {}{} in {}, begun {} UTC by {}\n  pool {}, policy {}, seed {}\n", visible_text(facts.name),
      visible_text(facts.id), counted(search.ratings, "rating", "ratings"), words,
      counted(std::max<std::int64_t>(facts.events, 0), "event", "events"), minute_text(facts.created_ms),
      visible_text(facts.owner), visible_text(facts.pool), visible_text(facts.policy), facts.seed);
}

int list_sessions(const SessionFile& file, const ParsedOptions& options) {
  const std::vector<SessionFacts> sessions = asked_sessions(options, file.sessions());
  if (sessions.empty() && !options.flag("json"))
    tell(fmt::format("inkling sessions: {} keeps no searches yet\n", visible_text(file.path())));
  for (const SessionFacts& facts : sessions) {
    throw_if_interrupted();
    const ListedSearch search = listed(facts, said_in(history_of(file.events(facts.id))));
    if (options.flag("json"))
      fmt::print("{}\n", json_of_search(search));
    else
      fmt::print("{}", text_of_search(search));
  }
  return ExitCode::ok;
}

// What the rows say may be as it was written and still be no search. Returns when the last event was kept.
std::int64_t add_fault_of_order(const SessionFile& file, const SessionFacts& facts,
                                std::vector<SessionFault>& faults) {
  try {
    const std::vector<SearchEvent> events = file.events(facts.id);
    static_cast<void>(history_of(events));
    return events.empty() ? 0 : events.back().at_ms;
  } catch (const FormatError& error) {
    faults.push_back({facts.id, 0, error.what()});
    return 0;
  }
}

// "3 minutes", of what is not in the future.
std::string age_text(std::int64_t milliseconds) {
  constexpr std::int64_t second = 1'000;
  constexpr std::int64_t minute = 60 * second;
  constexpr std::int64_t hour = 60 * minute;
  constexpr std::int64_t day = 24 * hour;
  const std::int64_t age = std::max<std::int64_t>(milliseconds, 0);
  if (age < minute) return counted(age / second, "second", "seconds");
  if (age < hour) return counted(age / minute, "minute", "minutes");
  if (age < day) return counted(age / hour, "hour", "hours");
  return counted(age / day, "day", "days");
}

std::string intact_text(const SessionFile& file, std::size_t searches, std::int64_t events,
                        std::int64_t last_ms) {
  std::string text = fmt::format("{}: intact. {} searches, {} events", visible_text(file.path()),
                                 digit_groups(searches), digit_groups(events));
  if (events == 0) return text + "\n";
  return text + fmt::format(", the last one {} ago, at {} UTC\n", age_text(milliseconds_now() - last_ms),
                            minute_text(last_ms));
}

int verify_sessions(const SessionFile& file) {
  std::vector<SessionFault> faults = file.verify();
  std::vector<SessionFacts> sessions;
  if (faults.empty()) sessions = file.sessions();
  std::int64_t events = 0;
  std::int64_t last_ms = 0;
  for (const SessionFacts& facts : sessions) {
    events += facts.events;
    last_ms = std::max(last_ms, add_fault_of_order(file, facts, faults));
  }
  for (const SessionFault& fault : faults) {
    std::string place = visible_text(file.path());
    if (!fault.session.empty()) place += ": search " + visible_text(fault.session);
    if (fault.sequence > 0) place += fmt::format(", event {}", fault.sequence);
    tell(fmt::format("inkling sessions: {}: {}\n", place, visible_text(fault.problem)));
  }
  if (!faults.empty()) return ExitCode::corrupt_file;
  fmt::print("{}", intact_text(file, sessions.size(), events, last_ms));
  return ExitCode::ok;
}

std::string log_line_of(const SearchEvent& event) {
  JsonWriter json;
  json.begin_object().member("sequence", event.sequence).member("at_ms", event.at_ms);
  json.member("kind", search_event_name(event.kind));
  if (event.document) json.member("document", *event.document);
  std::string line = json.end_object().take();
  const std::string body = body_of(event);
  if (body != "{}") line.replace(line.size() - 1, 1, "," + body.substr(1));
  return line + "\n";
}

OutputFile opened_sessions_output(const std::string& path) {
  if (path == "-") return OutputFile::standard_output();
  return OutputFile(path);
}

int write_session(const SessionFile& file, const ParsedOptions& options) {
  const SessionFacts facts = only_session(asked_sessions(options, file.sessions()));
  const std::vector<SearchEvent> events = file.events(facts.id);
  if (options.text("write") == "work") {
    const WholePool whole(facts.pool, PoolTrust::remembered);
    if (fingerprint_of(whole.members()) != facts.fingerprint)
      throw UsageError(fmt::format("{}: expected the pool of the search {}, found another one",
                                   visible_text(facts.pool), quoted_text(facts.name)));
    write_work_file(options.text("out"), whole, facts, events, options.choice("which", kWorkChoices));
    return ExitCode::ok;
  }
  OutputFile output = opened_sessions_output(options.text("out"));
  if (options.text("write") == "ratings")
    output.append(events_file_of(facts, history_of(events)));
  else
    for (const SearchEvent& event : events) output.append(log_line_of(event));
  output.close();
  return ExitCode::ok;
}

// For its user alone, as the file is.
int back_up(const SessionFile& file, const std::string& place) {
  ::umask(S_IRWXG | S_IRWXO);
  OutputFile output = opened_sessions_output(place);
  output.append(file.copy());
  output.close();
  return ExitCode::ok;
}

void check_sessions_output(const ParsedOptions& options, const std::string& searches) {
  const bool writes = options.has("write");
  const bool chooses = writes || options.flag("json") || options.has("name");
  if (options.given("out") && !writes) throw UsageError::option("out", "expected with --write");
  const bool writes_work = writes && options.text("write") == "work";
  if (options.given("which") && !writes_work) throw UsageError::option("which", "expected with --write work");
  if (writes_work) static_cast<void>(work_format_at(options.text("out")));
  if (options.flag("verify") && (chooses || options.has("backup")))
    throw UsageError::option("verify", "expected without other options: it reads the whole file");
  if (options.has("backup") && chooses)
    throw UsageError::option("backup", "expected without other options: it copies the whole file");
  if (options.flag("json") && writes) throw UsageError::option("json", "expected without --write");
  OutputGuard guard;
  for (const char* const output : {"out", "backup"}) {
    if (!options.has(output)) continue;
    // What SQLite keeps beside the file belongs to it, also while it is not there.
    for (const char* const beside : {"-wal", "-shm", "-lock"})
      if (options.text(output) == searches + beside)
        throw UsageError::option(output, "expected another place: this one belongs to the file of searches");
  }
  for (const char* const beside : {"", "-wal", "-shm", "-lock"})
    guard.reads("the file of searches", searches + beside);
  for (const char* const output : {"out", "backup"})
    if (options.has(output)) guard.writes("--" + std::string(output), options.text(output));
}

int run_sessions(const ParsedOptions& options) {
  const std::string searches = searches_asked_for(options);
  check_sessions_output(options, searches);
  const SessionFile file(searches, SessionAccess::read);
  if (options.flag("verify")) return verify_sessions(file);
  if (options.has("backup")) return back_up(file, options.text("backup"));
  if (options.has("write")) return write_session(file, options);
  return list_sessions(file, options);
}

}  // namespace

Command sessions_command() { return command_of(sessions_options(), run_sessions); }

}  // namespace inkling
