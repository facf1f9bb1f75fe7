// Promises C1, C4 and C5 at every call of the system: the first, the second, and so on fails, until a command passes.
#include "tests/support/io/failing_system.hpp"

#include <cerrno>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/doors/cli/command_line.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/search/records_added.hpp"
#include "io/doors/steps/parts.hpp"
#include "io/search/session/session_file.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/io/random_search_events.hpp"
#include "tests/support/io/session_files.hpp"
#include "tests/support/io/shard_builds.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

using test::FailingSystem;
using Files = std::map<std::string, std::string>;

const test::Calls kAllCalls = {SystemCall::open,  SystemCall::look,        SystemCall::read,   SystemCall::write,
                               SystemCall::sync,  SystemCall::cut,         SystemCall::lock,   SystemCall::map,
                               SystemCall::list,  SystemCall::make_folder, SystemCall::rename, SystemCall::exchange,
                               SystemCall::remove};
#ifdef _WIN32
const test::Calls kInterruptedCalls = {};
#else
// Of the others no system says so of a file on a disk.
const test::Calls kInterruptedCalls = {SystemCall::open, SystemCall::read, SystemCall::write,
                                       SystemCall::sync, SystemCall::cut,  SystemCall::lock};
#endif

struct FaultOfCall {
  std::string name;
  std::function<FailingSystem::Decide(int number)> at;
  bool is_invisible;  // every run succeeds all the same
};

FaultOfCall failing_once(std::string name, Fault fault, const test::Calls& calls, bool is_invisible) {
  return {std::move(name), [=](int number) { return test::one(number, fault, calls); }, is_invisible};
}

std::vector<FaultOfCall> all_faults() {
  return {failing_once("ENOSPC", {.error = ENOSPC}, kAllCalls, false),
          failing_once("EIO", {.error = EIO}, kAllCalls, false),
          failing_once("EACCES", {.error = EACCES}, kAllCalls, false),
          {"a full disk", test::full_disk, false},
          failing_once("EINTR", {.error = EINTR}, kInterruptedCalls, true),
          failing_once("a short write", {.most_bytes = 1}, {SystemCall::write}, true)};
}

// What a command that writes a target is run on: the target, and all else in its folder.
struct Trial {
  std::function<void()> run;
  std::string folder, target;
};

Files files_at(const std::string& path) {
  if (fs::is_directory(path)) return test::files_in(path);
  return fs::exists(path) ? Files{{"", test::text_of(path)}} : Files();
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

// "" where it succeeded. Anything but an error with a message would end the test.
std::string failure_of(const std::function<void()>& run) {
  try {
    run();
    return "";
  } catch (const SystemError& error) {
    return error.what();
  } catch (const FormatError& error) {
    return error.what();
  }
}

struct RunOutcome {
  std::string failure;  // "" where it succeeded
  bool was_reached = false;
};

RunOutcome run_with(const FaultOfCall& fault, int number, const std::function<void()>& run) {
  RunOutcome outcome;
  const FailingSystem system([&, decide = fault.at(number)](const test::PresentCall& call) {
    const Fault made = decide(call);
    outcome.was_reached = outcome.was_reached || made.error != 0 || made.most_bytes != SIZE_MAX;
    return made;
  });
  outcome.failure = failure_of(run);
  return outcome;
}

void restore(const std::string& kept, const std::string& target) {
  fs::remove_all(target);
  if (fs::exists(kept)) fs::copy(kept, target, fs::copy_options::recursive);
}

// Returns how many calls were made fail.
int check_every_call(const Trial& trial, const FaultOfCall& fault, const std::string& kept, const Files& whole) {
  const Files old = files_at(kept);
  restore(kept, trial.target);
  std::set<std::string> names = names_in(trial.folder);
  names.insert(fs::path(trial.target).filename().string());
  bool has_run_out = false;
  int number = 0;
  while (!has_run_out) {
    ++number;
    INFO(fault.name << " at call " << number);
    const RunOutcome outcome = run_with(fault, number, trial.run);
    const std::string& failure = outcome.failure;
    INFO(failure);
    CHECK((failure.empty() || (outcome.was_reached && !fault.is_invisible)));
    const Files now = files_at(trial.target);
    CHECK((failure.empty() ? now == whole : now == old));
    std::set<std::string> found = names_in(trial.folder);
    found.insert(fs::path(trial.target).filename().string());
    if (found != names) {  // the next run has to remove it
      CHECK(failure_of(trial.run) == "");
      CHECK(fmt::format("{}", fmt::join(names_in(trial.folder), ", ")) == fmt::format("{}", fmt::join(names, ", ")));
      CHECK(files_at(trial.target) == whole);
    }
    has_run_out = !outcome.was_reached;
    if (files_at(trial.target) != old) restore(kept, trial.target);
    REQUIRE(number < 5000);
  }
  return number - 1;
}

// With an old version and with none. `fewest`: of the calls that a run makes.
void check_faults(const Trial& trial, const std::string& old, int fewest) {
  CHECK(failure_of(trial.run) == "");
  const Files whole = files_at(trial.target);
  fs::remove_all(trial.target);
  for (const std::string& kept : {old, std::string("/nothing/here")}) {
    for (const FaultOfCall& fault : all_faults()) {
      const int calls = check_every_call(trial, fault, kept, whole);
      if (fault.name == "EIO") CHECK(calls >= fewest);
    }
  }
}

void run_command(const Command& command, const std::vector<std::string>& args) {
  if (command.run(args) != 0) throw std::runtime_error("the command failed");
}

void write_lines(const std::string& path, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write_file(path, text);
}

TEST_CASE_FIXTURE(test::InFolder,
                  "whichever call of a build fails, the old pool or none is there, and a later build leaves no litter") {
  const test::TemporaryFolder sources;
  write_lines(sources.file("old.txt"), {"anchor the keel", "boat and sail", "keel and anchor"});
  write_lines(sources.file("new.txt"), {"rose and loam", "loam", "the rose", "a rose garden"});
  const auto build = [&](const std::string& source, const std::string& out) {
    static_cast<void>(build_records(
        std::vector<std::string>{sources.file(source), "--out", out, "--keep-text", "--force", "--format", "lines"}));
  };
  build("old.txt", sources.file("P"));
  check_faults({[&] { build("new.txt", folder.file("P")); }, folder.file("."), folder.file("P")}, sources.file("P"), 90);
}

TEST_CASE_FIXTURE(test::InFolder,
                  "whichever call of a join fails, the old set or none is there, and a later join leaves no litter") {
  const test::TemporaryFolder sources;
  write_lines(sources.file("all.txt"), {"anchor the keel", "boat and sail", "keel and anchor", "sail"});
  SourceOptions source = {.format = "lines"};
  const BuildPlan plan = test::plan_for({sources.file("all.txt")}, source, TextRecipe(), TextKeeping::drop, 2);
  RandomStream random = test::stream_for(1);
  std::vector<std::string> args = test::build_shards(sources.file("."), plan, random);
  args.insert(args.end(), {"--out", folder.file("set"), "--json"});
  // An output of join is never replaced, so there is no old one.
  check_faults({[&] { run_command(join_step(), args); }, folder.file("."), folder.file("set")}, "/nothing/here", 50);
}

void check_additions(const std::vector<FaultOfCall>& faults) {
  const test::TemporaryFolder sources;
  const test::TemporaryFolder folder;
  write_lines(sources.file("old.csv"), {"id,text", "1,anchor the keel", "2,boat and sail", "3,keel and anchor"});
  write_lines(sources.file("new.csv"), {"id,text", "3,keel and anchor", "4,sail the boat"});
  const std::string pool = folder.file("P");
  static_cast<void>(build_records(std::vector<std::string>{sources.file("old.csv"), "--out", pool, "--keep-text"}));
  fs::copy(pool, sources.file("P"), fs::copy_options::recursive);
  const std::vector<std::string> added = {sources.file("new.csv")};
  const Trial trial = {[&] { add_records(pool, added, {}, pool); }, folder.file("."), pool};
  trial.run();
  const Files whole = files_at(pool);
  for (const FaultOfCall& fault : faults) {
    const int calls = check_every_call(trial, fault, sources.file("P"), whole);
    if (fault.name == "EIO") CHECK(calls >= 400);
  }
}

TEST_CASE("whichever call of an addition fails, the pool is the old one, and a later addition leaves no litter") {
  check_additions({failing_once("EIO", {.error = EIO}, kAllCalls, false)});
}

TEST_CASE("the same of an addition for every kind of fault" * doctest::test_suite("slow")) { check_additions(all_faults()); }

// SQLite opens and writes the file of searches itself: what is ours is its lock, and the files that are exported.
TEST_CASE_FIXTURE(test::InFolder,
                  "whichever call beside SQLite fails, a file of searches keeps each request whole or not at all") {
  const std::string path = folder.file("log.search");
  const std::vector<SearchEvent> events = test::RandomSearchEvents(6).several(1, 3);
  std::string session;
  {
    SessionFile file(path, SessionAccess::write);
    session = file.begin(test::facts_named("one")).id;
    test::append_to(file, session, events, "first");
  }
  const std::string before = test::text_of(path);
  for (const FaultOfCall& fault : all_faults()) {
    bool was_reached = true;
    for (int number = 1; was_reached; ++number) {
      INFO(fault.name << " at call " << number);
      fs::remove(path);
      write_file(path, before);
      const RunOutcome outcome = run_with(fault, number, [&] {
        SessionFile file(path, SessionAccess::write);
        test::append_to(file, session, test::RandomSearchEvents(7).several(4, 3), "second");
      });
      was_reached = outcome.was_reached;
      const std::string& failure = outcome.failure;
      INFO(failure);
      CHECK((failure.empty() || (was_reached && !fault.is_invisible)));
      {
        const SessionFile file(path, SessionAccess::write);
        CHECK(file.verify().empty());
        const std::size_t kept = file.events(session).size();  // a call that fails after it was kept loses nothing
        CHECK((kept == 6 || (kept == 3 && !failure.empty())));
      }
      CHECK(names_in(folder.file(".")) == std::set<std::string>{"log.search"});
      REQUIRE(number < 1000);
    }
  }
  const std::vector<std::string> args = {path, "--write", "events", "--out", folder.file("events.jsonl")};
  write_file(folder.file("old.jsonl"), "old\n");
  check_faults({[&] { run_command(sessions_command(), args); }, folder.file("."), folder.file("events.jsonl")},
               folder.file("old.jsonl"), 10);
}

}  // namespace
}  // namespace inkling
