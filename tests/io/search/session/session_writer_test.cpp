#include "io/search/session/session_writer.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/io/random_search_events.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

std::vector<std::string> begun_sessions(SessionFile& file, std::size_t count) {
  std::vector<std::string> sessions;
  sessions.reserve(count);
  for (std::size_t n = 0; n < count; ++n) sessions.push_back(file.begin(SessionFacts()).id);
  return sessions;
}

// Calls `work` with each number from 0 on, each in its own thread, and waits for all.
template <typename Work>
void in_threads(std::size_t count, const Work& work) {
  std::vector<std::jthread> threads;
  threads.reserve(count);
  for (std::size_t n = 0; n < count; ++n) threads.emplace_back([&work, n] { work(n); });
}

bool is_kept(SessionWriter& writer, const std::string& session, std::span<const SearchEvent> events) {
  try {
    writer.append({session, "ada", events});
    return true;
  } catch (const FormatError&) {
    return false;
  }
}

TEST_CASE_FIXTURE(test::InFolder, "events that many threads append at once are kept in order and a bad batch harms no other") {
  SessionFile file(folder.file("log.db"), SessionAccess::write);
  const std::vector<std::string> sessions = begun_sessions(file, 12);
  SessionWriter writer(std::move(file));
  std::vector<std::vector<SearchEvent>> kept(sessions.size());
  std::atomic<int> wrong = 0;
  in_threads(sessions.size(), [&](std::size_t n) {
    test::RandomSearchEvents random(100 + n);
    for (int round = 0; round < 25; ++round) {
      const bool is_bad = random.whole(0, 3) == 0;
      const auto next = static_cast<std::int64_t>(kept[n].size()) + 1;
      auto events = random.several(is_bad ? next + 1 : next, random.whole(1, 3));
      if (is_kept(writer, sessions[n], events) == is_bad) ++wrong;
      for (SearchEvent& event : events) event.actor = "ada";  // not the owner
      if (!is_bad) kept[n].insert(kept[n].end(), events.begin(), events.end());
    }
  });
  CHECK(wrong == 0);
  writer.with_file([&](const SessionFile& written) {
    for (std::size_t n = 0; n < sessions.size(); ++n) CHECK(written.events(sessions[n]) == kept[n]);
    CHECK(written.verify().empty());
  });
}

TEST_CASE_FIXTURE(test::InFolder, "exactly one of many threads that append the same next event succeeds") {
  SessionFile file(folder.file("log.db"), SessionAccess::write);
  const std::string session = begun_sessions(file, 1).front();
  SessionWriter writer(std::move(file));
  for (std::int64_t sequence = 1; sequence <= 10; ++sequence) {
    std::atomic<int> succeeded = 0;
    in_threads(8, [&](std::size_t n) {
      const auto events = test::RandomSearchEvents(n).several(sequence, 1);
      if (is_kept(writer, session, events)) ++succeeded;
    });
    CHECK(succeeded == 1);
  }
  writer.with_file([&](const SessionFile& written) { CHECK(written.events(session).size() == 10); });
}

TEST_CASE_FIXTURE(test::InFolder, "batches that wait while the disk is busy are written together") {
  const std::string log = folder.file("log.db-wal");
  SessionFile file(folder.file("log.db"), SessionAccess::write);
  const std::vector<std::string> sessions = begun_sessions(file, 64);
  SessionWriter writer(std::move(file));
  const auto before = std::filesystem::file_size(log);
  std::vector<std::jthread> threads;
  writer.with_file([&](const SessionFile&) {
    std::atomic<int> started = 0;
    for (const std::string& session : sessions) {
      threads.emplace_back([&writer, &started, &session] {
        const std::vector<SearchEvent> events(1, SearchEvent{.sequence = 1});
        ++started;
        CHECK(is_kept(writer, session, events));
      });
    }
    while (started < 64) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  threads.clear();
  // If they were appended one by one, each would have written at least one page of the table.
  CHECK(std::filesystem::file_size(log) - before < std::uintmax_t{32} * 4096);
}

TEST_CASE_FIXTURE(test::InFolder, "exclusive use of the file gets its turn among appends and nothing is written meanwhile") {
  SessionFile file(folder.file("log.db"), SessionAccess::write);
  const std::vector<std::string> sessions = begun_sessions(file, 6);
  SessionWriter writer(std::move(file));
  std::atomic<bool> ends = false;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (const std::string& session : sessions) {
    threads.emplace_back([&writer, &ends, &wrong, &session] {
      for (std::int64_t sequence = 1; !ends; ++sequence) {
        const std::vector<SearchEvent> events(1, SearchEvent{.sequence = sequence});
        if (!is_kept(writer, session, events)) ++wrong;
      }
    });
  }
  for (int turn = 0; turn < 20; ++turn) {
    writer.with_file([&](const SessionFile& used) {
      const std::size_t before = used.events(sessions.front()).size();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      CHECK(used.events(sessions.front()).size() == before);
    });
  }
  ends = true;
  threads.clear();
  CHECK(wrong == 0);
  writer.with_file([&](const SessionFile& used) { CHECK(used.verify().empty()); });
}

}  // namespace
}  // namespace inkling
