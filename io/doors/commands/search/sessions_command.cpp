// `inkling sessions`: the searches that a file keeps: lists, checks and exports them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/interruption.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/kept/work_file.hpp"
#include "io/doors/commands/search/asked_searches.hpp"
#include "io/search/service/compared_work.hpp"
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
         {{"searches", Path{}, "FILE", std::nullopt, "the file that keeps the searches (default: POOL.search, beside the pool)"},
          {"name", Text{}, "NAME", std::nullopt,
           "one of the searches, by its name or its id (default: all; the only one for --write)"}}},
        {"Output",
         {{"json", Flag{}, "", std::nullopt, "print one JSON object a line and search"},
          {"verify", Flag{}, "", std::nullopt,
           "check that every event is what was written: exit code 0, or 5 and the damaged parts"},
          {"write", Choice{{"ratings", "events", "work", "report"}}, "WHAT", std::nullopt,
           "ratings: those that hold, of documents and of words, for inkling score --events; events: all of "
           "them, also what was undone, as JSON lines; work: the records with what was said of them, as "
           "inkling search --out writes them; report: the numbers of the review as PRISMA 2020 counts them, to "
           "a file that ends in .html, .json or .csv"},
          {"which", Choice{names_of(kWorkChoices)}, "WHAT", "all",
           "of --write work: all: every answer, good: the good documents, unread: those without a rating, "
           "everything: every answer, then the unread documents"},
          {"language", Choice{names_of(kLanguages)}, "LANGUAGE", "en",
           "of --write report to a file that ends in .html: English, German or Spanish"},
          {"agreement", Flag{}, "", std::nullopt,
           "of two files, ada.search bob.search, or two searches that --name names: how well two people "
           "agree who rated documents of one pool (Cohen's kappa); --out FILE.csv gets those in which they "
           "differ"},
          {"out", Path{}, "FILE", "-", "where --write and --agreement write to; - is standard output"},
          {"backup", Path{}, "COPY", std::nullopt,
           "write a whole copy of the file, even while it is in use; - is standard output. A copy of "
           "FILE alone by cp may lack the last second"}}}},
       {"[POOL]", "the pool that was searched, or the file that keeps its searches", 0, 2}});
}

std::string searches_asked_for(const ParsedOptions& options) {
  if (options.has("searches") != options.positionals().empty()) throw UsageError("expected either POOL or --searches FILE");
  if (options.positionals().size() > 1 && !options.flag("agreement")) throw UsageError("expected one POOL; two with --agreement");
  return options.has("searches") ? options.text("searches") : searches_at(options.positionals().front());
}

// A search and its counts of what holds.
struct ListedSearch {
  SessionFacts facts;
  std::int64_t ratings = 0;  // of documents
  std::int64_t words = 0;    // that are rated apart from documents
};

ListedSearch listed(const SessionFacts& facts, std::span<const SearchStep> said) {
  ListedSearch search = {.facts = facts};
  for (const SearchStep& step : said)
    if (step.is_rating())
      ++search.ratings;
    else
      search.words += std::ssize(step.words);
  return search;
}

// "2026-11-22 10:29"
std::string minute_text(std::int64_t milliseconds) {
  std::string text = time_text(milliseconds).substr(0, std::string_view("2026-11-22T10:29").size());
  std::ranges::replace(text, 'T', ' ');
  return text;
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
  const std::string words = search.words == 0 ? std::string() : " and " + counted(search.words, "word", "words");
  return fmt::format("{}  ({})\n  {}{} in {}, begun {} UTC by {}\n  pool {}, policy {}, seed {}\n", visible_text(facts.name),
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

// Undamaged rows may still be no valid search: this adds such a fault. Returns when the last event was kept.
std::int64_t add_fault_of_order(const SessionFile& file, const SessionFacts& facts, std::vector<SessionFault>& faults) {
  try {
    const std::vector<SearchEvent> events = file.events(facts.id);
    static_cast<void>(history_of(events));
    return events.empty() ? 0 : events.back().at_ms;
  } catch (const FormatError& error) {
    faults.push_back({facts.id, 0, error.what()});
    return 0;
  }
}

// "3 minutes", for a time that is not in the future.
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

std::string intact_text(const SessionFile& file, std::size_t searches, std::int64_t events, std::int64_t last_ms) {
  std::string text =
      fmt::format("{}: intact. {} searches, {} events", visible_text(file.path()), digit_groups(searches), digit_groups(events));
  if (events == 0) return text + "\n";
  return text + fmt::format(", the last one {} ago, at {} UTC\n", age_text(milliseconds_now() - last_ms), minute_text(last_ms));
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

// Whether what is written is about the records of the pool.
bool writes_records(const ParsedOptions& options) {
  return options.has("write") && (options.text("write") == "work" || options.text("write") == "report");
}

// Only where copies were taken apart does it matter which document is one with another.
std::string ratings_file_of(const SessionFacts& facts, std::span<const SearchEvent> events) {
  if (std::ranges::find(events, SearchEventKind::separated, &SearchEvent::kind) == events.end())
    return events_file_of(facts, history_of(events));
  const WholePool whole(facts.pool, PoolTrust::remembered);
  check_pool_of(facts, whole);
  return events_file_of(facts, history_of(events, whole.pool().copies()));
}

int write_session(const SessionFile& file, const ParsedOptions& options) {
  const SessionFacts facts = only_session(asked_sessions(options, file.sessions()));
  const std::vector<SearchEvent> events = file.events(facts.id);
  if (writes_records(options)) {
    const WholePool whole(facts.pool, PoolTrust::remembered);
    check_pool_of(facts, whole);
    if (options.text("write") == "report")
      write_report_file(options.text("out"), whole, facts, events, file, options.choice("language", kLanguages));
    else
      write_work_file(options.text("out"), whole, facts, events, options.choice("which", kWorkChoices));
    return ExitCode::ok;
  }
  OutputFile output = OutputFile::at(options.text("out"));
  if (options.text("write") == "ratings")
    output.append(ratings_file_of(facts, events));
  else
    for (const SearchEvent& event : events) output.append(log_line_of(event));
  output.close();
  return ExitCode::ok;
}

/// The answers of one of two people, and where they are kept.
struct OneOfTwo {
  SessionFacts facts;
  std::string file;
  AnswersOfOne answers;
};

OneOfTwo one_of_two(const SessionFile& file, SessionFacts facts) {
  AnswersOfOne answers = answers_of_one(history_of(file.events(facts.id)));
  return {std::move(facts), file.path(), std::move(answers)};
}

std::vector<OneOfTwo> the_two(const SessionFile& file, const ParsedOptions& options) {
  std::vector<OneOfTwo> two;
  std::vector<SessionFacts> asked = asked_sessions(options, file.sessions());
  if (options.positionals().size() == 2) {
    const SessionFile other(searches_at(options.positionals()[1]), SessionAccess::read);
    two.push_back(one_of_two(file, only_session(std::move(asked))));
    two.push_back(one_of_two(other, only_session(asked_sessions(options, other.sessions()))));
    return two;
  }
  if (asked.size() != 2)
    throw UsageError(fmt::format("--agreement: expected two files, or one with two searches, found {} searches: {}", asked.size(),
                                 names_with_ids(asked)));
  for (SessionFacts& facts : asked) two.push_back(one_of_two(file, std::move(facts)));
  return two;
}

// Two people are distinguished by their names, or else by their files, or by their searches.
std::string name_among(const OneOfTwo& one, const OneOfTwo& other) {
  if (one.facts.owner != other.facts.owner) return one.facts.owner;
  std::string stem = std::filesystem::path(one.file).stem().string();
  if (stem != std::filesystem::path(other.file).stem().string()) return stem;
  return one.facts.name != other.facts.name ? one.facts.name : one.facts.id;
}

std::string text_of_agreement(const ComparedWork& compared, std::span<const OneOfTwo> two,
                              const std::array<std::string, 2>& names) {
  const auto [neither, second, first, both] = compared.counts();
  std::string text;
  for (const std::size_t n : {0U, 1U})
    text += fmt::format("{}: {} ({}, {})\n", visible_text(names[n]), counted(std::ssize(two[n].answers), "rating", "ratings"),
                        visible_text(two[n].facts.name), visible_text(two[n].file));
  text += fmt::format("both rated {}: {} good to both, {} to neither, {} to {} alone, {} to {} alone\n",
                      counted(std::ssize(compared.documents()), "document", "documents"), both, neither, first,
                      visible_text(names[0]), second, visible_text(names[1]));
  const std::optional<Kappa> kappa = compared.kappa();
  if (!kappa) return text + "Cohen's kappa: undefined, because both rated every document the same way\n";
  return text + fmt::format("Cohen's kappa {:.3f} (95 %: {:.3f} to {:.3f})\n", kappa->kappa, kappa->low, kappa->high);
}

// The pool of the first one, or else of the second. If neither can be opened, throws the first error.
std::unique_ptr<WholePool> pool_of_two(std::span<const OneOfTwo> two) {
  try {
    return std::make_unique<WholePool>(two[0].facts.pool, PoolTrust::remembered);
  } catch (const SystemError&) {
    if (!exists_at(two[1].facts.pool)) throw;
    return std::make_unique<WholePool>(two[1].facts.pool, PoolTrust::remembered);
  }
}

int compare_sessions(const SessionFile& file, const ParsedOptions& options) {
  std::vector<OneOfTwo> two = the_two(file, options);
  if (two[0].facts.fingerprint != two[1].facts.fingerprint)
    throw UsageError(fmt::format("expected two searches of one pool, found {} and {}", visible_text(two[0].facts.pool),
                                 visible_text(two[1].facts.pool)));
  const std::array<std::string, 2> names = {name_among(two[0], two[1]), name_among(two[1], two[0])};
  const ComparedWork compared({names[0], two[0].answers}, {names[1], two[1].answers});
  if (options.given("out")) {
    const std::unique_ptr<WholePool> whole = pool_of_two(two);
    check_pool_of(two[0].facts, *whole);
    write_work_rows(options.text("out"), *whole, with_copies(compared.rows(compared.conflicts()), whole->pool().copies()));
  }
  if (options.flag("json")) {
    JsonWriter json;
    json.begin_object();
    json.key("readers").array(names);
    compared.write_agreement(json);
    fmt::print("{}\n", json.end_object().take());
  } else if (!options.given("out") || options.text("out") != "-") {
    fmt::print("{}", text_of_agreement(compared, two, names));
  }
  return ExitCode::ok;
}

// Writes a copy that only its user may access, like the file itself.
int back_up(const SessionFile& file, const std::string& place) {
  make_all_private();
  OutputFile output = OutputFile::at(place);
  output.append(file.copy());
  output.close();
  return ExitCode::ok;
}

void check_sessions_output(const ParsedOptions& options, const std::string& searches) {
  const bool writes = options.has("write");
  const bool chooses = writes || options.flag("json") || options.has("name");
  const bool compares = options.flag("agreement");
  if (compares && (writes || options.flag("verify") || options.has("backup")))
    throw UsageError::option("agreement", "expected without --write, --verify and --backup");
  if (options.given("out") && !writes && !compares) throw UsageError::option("out", "expected with --write or --agreement");
  const bool writes_work = writes && options.text("write") == "work";
  if (options.given("which") && !writes_work) throw UsageError::option("which", "expected with --write work");
  const bool writes_report = writes && options.text("write") == "report";
  const bool writes_page = writes_report && report_format_at(options.text("out")) == ReportFormat::html;
  if (options.given("language") && !writes_page)
    throw UsageError::option("language", "expected with --write report and --out FILE.html");
  if (writes_work || (compares && options.given("out"))) static_cast<void>(work_format_at(options.text("out")));
  if (options.flag("verify") && (chooses || options.has("backup")))
    throw UsageError::option("verify", "expected without other options: it reads the whole file");
  if (options.has("backup") && chooses)
    throw UsageError::option("backup", "expected without other options: it copies the whole file");
  if (options.flag("json") && writes) throw UsageError::option("json", "expected without --write");
  OutputGuard guard;
  for (const char* const output : {"out", "backup"}) {
    if (!options.has(output)) continue;
    // SQLite's files beside the file belong to it, even while they do not exist.
    for (const char* const beside : {"-wal", "-shm", "-lock"})
      if (options.text(output) == searches + beside)
        throw UsageError::option(output, "expected another place: this one belongs to the file of searches");
  }
  for (const char* const beside : {"", "-wal", "-shm", "-lock"}) guard.reads("the file of searches", searches + beside);
  for (const char* const output : {"out", "backup"})
    if (options.has(output)) guard.writes("--" + std::string(output), options.text(output));
}

int run_sessions(const ParsedOptions& options) {
  const std::string searches = searches_asked_for(options);
  check_sessions_output(options, searches);
  const SessionFile file(searches, SessionAccess::read);
  if (options.flag("verify")) return verify_sessions(file);
  if (options.has("backup")) return back_up(file, options.text("backup"));
  if (options.flag("agreement")) return compare_sessions(file, options);
  if (options.has("write")) return write_session(file, options);
  return list_sessions(file, options);
}

}  // namespace

Command sessions_command() { return command_of(sessions_options(), run_sessions); }

}  // namespace inkling
