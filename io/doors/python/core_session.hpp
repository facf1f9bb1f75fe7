// A session as Python holds it: with the lock that keeps other threads out, and
// the place where it works.
#pragma once

#include <atomic>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/live_session.hpp"
#include "io/doors/python/python_glue.hpp"

namespace inkling::python {

/// Ratings of words as Python gives them: feature, reward, confidence.
using RatingTuples = std::vector<std::tuple<FeatureId, double, double>>;

/// Marks, with as many confidences or none, and ratings; of a word the first mention.
[[nodiscard]] std::vector<SaidWord> said_words(const std::vector<FeatureId>& marks,
                                               const std::vector<double>& confidences,
                                               const RatingTuples& ratings);

/// Throws FormatError on what cannot be.
[[nodiscard]] Preset preset_named(const std::string& name);

/// Lifetime: the pool outlives it. Thread safety: through `alone` and
/// `looked_at`, which refuse a second thread.
struct CoreSession {
  CoreSession(const CorePool& pool, LiveSettings settings, int threads_)
      : threads(threads_),
        place(threads_),
        live(place.run([&] { return LiveSession(pool.view(), std::move(settings)); })) {}

  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  int threads;  ///< 0: as many as the machine has
  WorkPlace place;
  LiveSession live;
};

/// Runs work on the session alone, with Python's lock released.
template <typename Work>
auto alone(CoreSession& session, const Work& work) {
  const OneThread one(session.busy);
  return session.place.run(work);
}

/// The same for what is quick, with Python's lock.
template <typename Look>
auto looked_at(CoreSession& session, const Look& look) {
  const OneThread one(session.busy);
  return look(session.live);
}

}  // namespace inkling::python
