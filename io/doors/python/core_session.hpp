// A search as Python holds it: with the lock that keeps other threads out, its threads, and the file that keeps it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/model/linear_model.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/search/service/shown_pool.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/session/session_file.hpp"
#include "io/search/session/session_writer.hpp"

namespace inkling::python {

/// Words as `WordFeedback` of Python has them: feature, rating or nothing for a mark, confidence.
using WordTuples = std::vector<std::tuple<FeatureId, std::optional<double>, double>>;

[[nodiscard]] std::vector<SaidWord> said_words(const WordTuples& tuples);

/// The pool with its words and ids, for requests that name them.
struct AskedPool {
  explicit AskedPool(const Pool& pool);

  PoolSet pools;
  EventScope scope;
  ShownPool shown;
};

/// Only `choose` puts documents on offer.
[[nodiscard]] SearchSettings settings_of_session(const SessionFacts& facts, const CorePool& pool);

/// The file of a session. An offer is kept with the next answer, in one transaction: until then nothing is lost with it, because a
/// search that continues makes the same offer again.
class SessionKeeper {
 public:
  /// For the search of this id.
  SessionKeeper(SessionFile file, std::string search);
  /// Keeps the last offers if it can. In a forked child it leaves the file to the parent.
  ~SessionKeeper();
  SessionKeeper(const SessionKeeper&) = delete;
  SessionKeeper& operator=(const SessionKeeper&) = delete;

  /// As `KeepEvents`.
  void keep(std::span<const SearchEvent> events);
  /// Keeps the last offers. Throws as SessionFile::append.
  void keep_offers();
  [[nodiscard]] SessionWriter& writer() noexcept { return *writer_; }

 private:
  std::string search_;
  std::vector<SearchEvent> offers_;  // since the last answer
  std::unique_ptr<SessionWriter> writer_;
};

/// Lifetime: the pool outlives it. Thread safety: through `alone` and `at_length`, which refuse a second thread.
struct CoreSession {
  /// Continues after `past`. Without a file, nothing is kept.
  CoreSession(const CorePool& pool, SessionFacts facts_, std::span<const SearchEvent> past,
              std::unique_ptr<SessionKeeper> keeper_, int threads_);

  [[nodiscard]] const LinearModel* model() const;

  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  int threads;  ///< 0: as many as the machine has
  WorkPlace place;
  PoolView pool;
  const Pool* mapped;  ///< nullptr if the pool is in memory
  SessionFacts facts;
  std::unique_ptr<SessionKeeper> keeper;
  bool is_closed = false;  ///< its file was closed, so it takes no more answers
  Searcher search;
  std::unique_ptr<AskedPool> asked = {};  ///< made by the first request of `ask`
};

/// Runs work on the search alone, with Python's lock released.
template <typename Work>
auto alone(CoreSession& session, const Work& work) {
  const OneThread one(session.busy);
  return session.place.run([&] { return work(session.search); });
}

/// The same for work that may learn everything anew: Ctrl-C ends it and leaves the search unchanged.
template <typename Work>
void at_length(CoreSession& session, const Work& work) {
  const OneThread one(session.busy);
  LongWork long_work;
  session.search.call_between([&long_work] { long_work.stopped(); });
  const auto let_be = [&session](void*) { session.search.call_between([] {}); };
  const std::unique_ptr<void, decltype(let_be)> at_end(&session, let_be);
  long_work.run(session.threads, [&] { work(session.search, long_work); });
}

}  // namespace inkling::python
