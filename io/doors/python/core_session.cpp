#include "io/doors/python/core_session.hpp"

#include <utility>

#include "engine/core/errors.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling::python {

std::vector<SaidWord> said_words(const WordTuples& tuples) {
  std::vector<SaidWord> words;
  words.reserve(tuples.size());
  for (const auto& [feature, rate, confidence] : tuples) words.push_back({feature, rate, confidence});
  return words;
}

SearchSettings settings_of_session(const SessionFacts& facts, const CorePool& pool) {
  SearchSettings settings = settings_of_search(facts, pool.mapped());
  settings.offers_next = false;
  return settings;
}

CoreSession::CoreSession(const CorePool& pool_, SessionFacts facts_, std::span<const SearchEvent> past,
                         std::unique_ptr<SessionFile> file_, int threads_)
    : threads(threads_),
      place(threads_),
      pool(pool_.view()),
      mapped(pool_.mapped()),
      facts(std::move(facts_)),
      file(std::move(file_)),
      search(place.run([&] {
        return Searcher(pool, settings_of_session(facts, pool_), past, [this](std::span<const SearchEvent> events) {
          if (is_closed) throw FormatError("the session", "expected one that is open; it was closed");
          const SessionBatch batch = {.session = facts.id, .actor = name_of_user(), .events = events};
          if (file) file->append({&batch, 1});
        });
      })) {}

AskedPool::AskedPool(const Pool& pool)
    : pools(PoolSet::open(std::span(&pool.path(), 1), PoolAccess::map, PoolTrust::checksums)),
      scope(event_scope_of(pools)),
      shown(pool, scope) {}

const LinearModel* CoreSession::model() const {
  const Learner* const learner = search.policy().learner();
  return learner == nullptr ? nullptr : learner->model();
}

}  // namespace inkling::python
