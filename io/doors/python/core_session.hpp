// A search as Python holds it: with the lock that keeps other threads out, the place where it works, and the file that
// keeps it.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "engine/model/linear_model.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/search/service/shown_pool.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/session/session_file.hpp"

namespace inkling::python {

/// Ratings of words as Python gives them: feature, reward, confidence.
using RatingTuples = std::vector<std::tuple<FeatureId, double, double>>;

/// Marks, with as many confidences or none, and ratings; of a word the first mention.
[[nodiscard]] std::vector<SaidWord> said_words(const std::vector<FeatureId>& marks,
                                               const std::vector<double>& confidences,
                                               const RatingTuples& ratings);

/// The pool with its words and ids, as requests name them.
struct AskedPool {
  explicit AskedPool(const Pool& pool);

  PoolSet pools;
  EventScope scope;
  ShownPool shown;
};

/// Those of a search whose program chooses what is offered.
[[nodiscard]] SearchSettings settings_of_session(const SessionFacts& facts, const CorePool& pool);

/// Lifetime: the pool outlives it. Thread safety: through `alone` and `at_length`, which refuse a second thread.
struct CoreSession {
  /// Goes on after `past`. Without a file, nothing is kept.
  CoreSession(const CorePool& pool, SessionFacts facts_, std::span<const SearchEvent> past,
              std::unique_ptr<SessionFile> file_, int threads_);

  [[nodiscard]] const LinearModel* model() const;

  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  int threads;  ///< 0: as many as the machine has
  WorkPlace place;
  PoolView pool;
  const Pool* mapped;  ///< nothing where the pool is in memory
  SessionFacts facts;
  std::unique_ptr<SessionFile> file;
  bool is_closed = false;  ///< its file was let go: nothing more can be said
  Searcher search;
  std::unique_ptr<AskedPool> asked = {};  ///< since the first request of `ask`
};

/// Runs work on the search alone, with Python's lock released.
template <typename Work>
auto alone(CoreSession& session, const Work& work) {
  const OneThread one(session.busy);
  return session.place.run([&] { return work(session.search); });
}

/// The same for what may learn everything anew: after Ctrl-C it ends, as if it had not begun.
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
