#include "io/doors/python/core_session.hpp"

#include <algorithm>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/base/system/process.hpp"
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

SessionKeeper::SessionKeeper(SessionFile file, std::string search)
    : search_(std::move(search)), writer_(std::make_unique<SessionWriter>(std::move(file))) {}

SessionKeeper::~SessionKeeper() {
  if (threads_are_lost()) {
    static_cast<void>(writer_.release());  // to end it, its thread would have to end, which this process does not have
    return;
  }
  try {
    keep_offers();
  } catch (...) {
    // The search makes them again.
  }
}

void SessionKeeper::keep(std::span<const SearchEvent> events) {
  const std::size_t before = offers_.size();
  offers_.insert(offers_.end(), events.begin(), events.end());
  if (std::ranges::all_of(events, [](const SearchEvent& event) { return event.kind == SearchEventKind::shown; })) return;
  try {
    keep_offers();
  } catch (...) {
    offers_.resize(before);
    throw;
  }
}

void SessionKeeper::keep_offers() {
  if (offers_.empty()) return;
  writer_->append({.session = search_, .actor = name_of_user(), .events = offers_});
  offers_.clear();
}

CoreSession::CoreSession(const CorePool& pool_, SessionFacts facts_, std::span<const SearchEvent> past,
                         std::unique_ptr<SessionKeeper> keeper_, int threads_)
    : threads(threads_),
      place(threads_),
      pool(pool_.view()),
      mapped(pool_.mapped()),
      facts(std::move(facts_)),
      keeper(std::move(keeper_)),
      search(place.run([&] {
        return Searcher(pool, settings_of_session(facts, pool_), past, [this](std::span<const SearchEvent> events) {
          if (is_closed) throw FormatError("the session", "expected one that is open; it was closed");
          if (keeper) keeper->keep(events);
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
