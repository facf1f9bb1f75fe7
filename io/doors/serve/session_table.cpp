#include "io/doors/serve/session_table.hpp"

#include <algorithm>
#include <future>
#include <ranges>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

std::int64_t said_in(std::span<const SearchEvent> events) {
  std::int64_t said = std::ssize(events);
  for (const SearchEvent& event : events) said += std::ssize(event.words);
  return said;
}

// Scores of all documents would be the most of a search's memory; without them a choice takes longer, and is the same.
SearchSettings served_settings(const SessionFacts& facts, const ServedPool& pool) {
  SearchSettings settings = settings_of_search(facts, &pool.pool());
  settings.keep_scores = false;
  return settings;
}

// The memory for what a search keeps about all documents and features between two choices; may be a little too high.
std::uint64_t bytes_of_scores(const SearchSettings& settings, PoolView pool) {
  constexpr std::uint64_t of_means = 5;  // a mean, and what is highest and largest of a group
  constexpr std::uint64_t of_bounds = 50;
  constexpr std::uint64_t of_feature = 24;
  return (settings.preset.uses.word_ratings ? of_means : of_bounds) * static_cast<std::uint64_t>(pool.documents()) +
         of_feature * static_cast<std::uint64_t>(pool.features());
}

}  // namespace

std::optional<std::int64_t> ServedSearch::event_of_request(const std::string& user, const std::string& name) const {
  const auto of_user = requests_.find(user);
  if (of_user == requests_.end()) return std::nullopt;
  const auto found = of_user->second.find(name);
  return found == of_user->second.end() ? std::nullopt : std::optional(found->second);
}

bool ServedSearch::begins_request(std::int64_t sequence) const {
  return std::ranges::any_of(requests_ | std::views::values | std::views::join,
                             [sequence](const auto& known) { return known.second == sequence; });
}

ServedSearch::Answering::Answering(ServedSearch& search, const std::string& user, const std::string& request) : search_(search) {
  search_.user_ = user;
  search_.request_ = request;
}
ServedSearch::Answering::~Answering() { search_.request_.reset(); }

SearchLease::~SearchLease() {
  const bool ends_by_exception = std::uncaught_exceptions() > exceptions_;
  if (lock_.owns_lock() && ends_by_exception && failed_allocations() != failed_allocations_)
    static_cast<void>(table_->taken_out(*search_));
}

SessionTable::SessionTable(const std::string& path, const ServedPools& pools, SessionTableSettings settings)
    : pools_(pools), settings_(settings), writer_(SessionFile(path, SessionAccess::write)), reader_(path, SessionAccess::read) {
  std::map<std::string, std::vector<std::string>> shared;
  if (settings_.tells_users_apart) shared = reader_.shared();
  const std::map<std::string, std::int64_t> last = reader_.last_times();
  for (SessionFacts& facts : reader_.sessions()) {
    const std::int64_t events = facts.events;
    const auto time = last.find(facts.id);
    const std::int64_t last_ms = time == last.end() ? facts.created_ms : time->second;
    ServedSearch& search = add(served(std::move(facts), events));
    search.last_ms_ = last_ms;
    if (const auto with = shared.find(search.facts_.id); with != shared.end()) search.shared_ = std::move(with->second);
  }
}

std::unique_ptr<ServedSearch> SessionTable::served(SessionFacts facts, std::int64_t events) const {
  auto search = std::make_unique<ServedSearch>();
  // Of several pools, one of just these documents, and one that its owner may see: two people may have brought the same file.
  int most = -1;
  for (const ServedPool* const pool : pools_.all()) {
    const bool is_its_own = pool->scope().fingerprint == facts.fingerprint;
    const bool is_theirs = pool->owner().empty() || pool->owner() == facts.owner;
    const int fits = (is_its_own ? 2 : 0) + (is_theirs ? 1 : 0);
    if (fits <= most || !(is_its_own || pool->scope().knows_pool(facts.fingerprint))) continue;
    most = fits;
    search->pool_ = pool;
  }
  search->events_ = events;
  search->last_ms_ = facts.created_ms;
  search->facts_ = std::move(facts);
  try {
    std::string settings = search->facts_.options;
    search->reading_ = take_reading_set(settings);
  } catch (const FormatError&) {
    search->reading_.reset();  // opening the search reports it
  }
  return search;
}

ServedSearch& SessionTable::add(std::unique_ptr<ServedSearch> search) {
  ServedSearch& added = *search;
  const auto place = searches_.emplace(added.facts_.id, std::move(search)).first;
  try {
    in_order_.push_back(&added);
  } catch (...) {
    searches_.erase(place);
    throw;
  }
  if (added.reading_)
    if (const auto from = searches_.find(added.reading_->from); from != searches_.end()) from->second->has_pairs_ = true;
  return added;
}

// Requires: the table's mutex is locked.
bool SessionTable::may_see(const ServedSearch& search, const std::string& user) const {
  return !settings_.tells_users_apart || search.facts_.owner == user ||
         std::ranges::find(search.shared_, user) != search.shared_.end();
}

ServedSearch& SessionTable::find(std::string_view id, const std::string& user) const {
  const std::scoped_lock lock(mutex_);
  const auto found = searches_.find(id);
  if (found == searches_.end() || !may_see(*found->second, user)) throw HttpRefusal(404, "there is no such search");
  return *found->second;
}

SearchLease SessionTable::open(std::string_view id, const std::string& user) {
  ServedSearch& search = find(id, user);
  if (search.pool_ == nullptr) {
    throw HttpRefusal({409,
                       fmt::format("the search is one of the pool {}, which is not served here", quoted_text(search.facts_.pool)),
                       "session", "a search of a pool that inkling serve was started with"});
  }
  SearchLease lease(*this, search);
  static_cast<void>(find(id, user));  // whoever had it may have ended the sharing
  const std::function<void()> patience = patience_of_kept();
  if (!search.searcher_) load(search, patience);
  search.searcher_->call_between(patience);
  search.user_ = user;
  search.searcher_->acts_as(settings_.tells_users_apart ? search.person() : std::string());
  use_now(search);
  return lease;
}

void SessionTable::at_length(const std::function<void()>& work, const std::function<void()>& patience) {
  while (!long_works_.try_acquire_for(std::chrono::milliseconds(50))) patience();
  const std::unique_ptr<std::counting_semaphore<>, EndOfLongWork> place(&long_works_);
  std::future<void> done;
  try {  // a thread of its own, because it keeps its low priority
    done = std::async(std::launch::async, [&work] {
      yield_to_other_threads();
      tbb::task_arena(1).execute(work);
    });
  } catch (const std::system_error& error) {
    throw SystemError("a thread for long work", error.code().value(), "cannot begin");
  }
  done.get();
}

ReviewOf SessionTable::review_of(const ServedSearch& search) {
  return {&search.facts(), &search.pool().members(), [this, &search] {
            const std::scoped_lock lock(reader_mutex_);
            return search.has_pairs() ? pairs_drawn_from(reader_, search.facts().id, search.pool().pool().copies())
                                      : std::vector<PairOfReaders>();
          }};
}

void SessionTable::load(ServedSearch& search, const std::function<void()>& patience) {
  std::vector<SearchEvent> events;
  std::vector<KeptRequest> requests;
  {
    const std::scoped_lock lock(reader_mutex_);
    events = reader_.events(search.facts_.id);
    requests = reader_.requests(search.facts_.id);
  }
  for (KeptRequest& one : requests) search.requests_[one.person].emplace(std::move(one.name), one.first);
  if (said_in(events) <= kMuchSaid)
    teach(search, events, patience);
  else
    at_length([&] { teach(search, events, patience); }, patience);
}

void SessionTable::teach(ServedSearch& search, std::span<const SearchEvent> events, const std::function<void()>& between) {
  SearchSettings settings = served_settings(search.facts_, *search.pool_);
  const PoolView pool = search.pool_->pool().view();
  search.bytes_of_scores_ = bytes_of_scores(settings, pool);
  search.said_ = said_in(events);
  search.searcher_ = std::make_unique<Searcher>(pool, std::move(settings), events, keeper_of(search), between);
  search.may_be_closed_ = search.history().is_closed();
}

KeepEvents SessionTable::keeper_of(ServedSearch& search) {
  return [this, &search](std::span<const SearchEvent> events) {
    SessionBatch batch = {.session = search.facts_.id, .actor = search.user_, .events = events};
    // A document that is shown before a request is looked at is no part of it.
    if (search.request_ && events.front().kind != SearchEventKind::shown) batch.request = search.request_;
    // First, because what is kept must be known.
    if (batch.request) search.requests_[search.user_].emplace(*batch.request, events.front().sequence);
    try {
      writer_.append(batch);
      ++kept_by_this_thread;
    } catch (...) {
      if (batch.request) search.requests_[search.user_].erase(*batch.request);
      throw;
    }
    search.events_ = events.back().sequence;
    search.said_ += said_in(events);
    search.last_ms_ = events.back().at_ms;
    if (std::ranges::find(events, SearchEventKind::closed, &SearchEvent::kind) != events.end()) search.may_be_closed_ = true;
  };
}

// The searches used last keep their scores from one event to the next; others compute each choice by a pass over the pool or over
// the postings of its words. If there is not enough memory for all searches, one that was not among the latest does not keep
// scores at its first use: searches that take turns would only displace each other. Requires: the table's mutex is locked, and
// the search is the one used last.
void SessionTable::keep_scores_of_latest(ServedSearch& search) {
  std::uint64_t bytes = search.bytes_of_scores_;
  std::size_t searches = 1;
  auto at = std::next(recent_.begin());
  for (; at != recent_.end() && searches < settings_.most_with_scores; ++at, ++searches) {
    bytes += (*at)->bytes_of_scores_;
    if (bytes > settings_.memory_of_scores) break;
  }
  const bool all_can = at == recent_.end() && bytes <= settings_.memory_of_scores;
  if ((search.is_of_latest_ || all_can) && !search.keeps_scores_) {
    search.searcher_->keep_scores(true);
    search.keeps_scores_ = true;
  }
  search.is_of_latest_ = true;
  // At each use one search leaves the latest. If it is in use then, a later use finds it again.
  constexpr int looked_at = 16;
  for (int n = 0; n < looked_at && at != recent_.end(); ++n, ++at) {
    ServedSearch& old = **at;
    if (!old.is_of_latest_) continue;
    const std::unique_lock held(old.mutex_, std::try_to_lock);
    if (!held.owns_lock()) continue;
    old.is_of_latest_ = false;
    if (!old.keeps_scores_) continue;
    old.searcher_->keep_scores(false);
    old.keeps_scores_ = false;
  }
}

// Never blocks on a search while it holds the table's mutex: searches in use are skipped, and put away later.
void SessionTable::use_now(ServedSearch& search) {
  std::vector<std::unique_ptr<Searcher>> put_away;  // freed when the table is free
  const std::scoped_lock lock(mutex_);
  if (search.place_)
    recent_.splice(recent_.begin(), recent_, *search.place_);
  else
    search.place_ = recent_.insert(recent_.begin(), &search);
  keep_scores_of_latest(search);
  std::size_t too_many = recent_.size() - std::min(recent_.size(), settings_.most_active);
  for (auto at = recent_.end(); too_many > 0 && at != std::next(recent_.begin());) {
    --at;
    ServedSearch& old = **at;
    const std::unique_lock held(old.mutex_, std::try_to_lock);
    if (!held.owns_lock()) continue;
    put_away.push_back(std::move(old.searcher_));
    old.requests_ = decltype(old.requests_)();  // assigning {} would keep the capacity
    old.is_of_latest_ = old.keeps_scores_ = false;
    old.place_.reset();
    at = recent_.erase(at);
    --too_many;
  }
}

std::function<void()> SessionTable::patience_until(std::chrono::steady_clock::time_point end, Refusal refusal) const {
  return [this, end, refusal = std::move(refusal)] {
    if (is_ending_) throw HttpRefusal(503, "the server ends");
    if (std::chrono::steady_clock::now() >= end) throw HttpRefusal(refusal);
  };
}

std::function<void()> SessionTable::patience(std::chrono::steady_clock::time_point since) const {
  return patience_until(since + settings_.most_learning, {422, "these events take too long to read and to learn here", "the body",
                                                          "fewer events, or a search that inkling search --import begins"});
}

std::function<void()> SessionTable::patience_of_kept() const {
  return patience_until(
      std::chrono::steady_clock::now() + settings_.most_relearning,
      {503, "this search takes longer to learn again than a request may: open it with inkling search --searches"});
}

SearchLease SessionTable::begin(SessionFacts facts, std::span<const SearchEvent> first, const std::string& user,
                                std::chrono::steady_clock::time_point since) {
  std::unique_lock long_work(long_work_mutex_, std::defer_lock);
  if (said_in(first) > kMuchSaid && !long_work.try_lock())
    throw HttpRefusal(429, "another search is being imported: try again soon");
  std::shared_lock beginning(beginning_);
  std::unique_ptr<ServedSearch> search = served(std::move(facts), std::ssize(first));
  if (search->pool_ == nullptr) throw HttpRefusal(404, "this pool was removed just now");
  search->user_ = user;
  // A search that cannot be continued is not begun.
  teach(*search, first, patience(since));
  search->facts_ = writer_.with_file([&](SessionFile& file) { return file.begin(search->facts_, first, user); });
  ++kept_by_this_thread;
  const std::string id = search->facts_.id;
  {
    const std::scoped_lock lock(mutex_);
    static_cast<void>(add(std::move(search)));
  }
  beginning.unlock();
  return open(id, user);
}

std::vector<std::string> SessionTable::begin_together(std::vector<SessionFacts> searches, std::span<const SearchEvent> first,
                                                      const std::string& user) {
  writer_.with_file([&](SessionFile& file) { file.begin_together(searches, first, user); });
  ++kept_by_this_thread;
  std::vector<std::string> ids;
  const std::scoped_lock lock(mutex_);
  for (SessionFacts& facts : searches) {
    ids.push_back(facts.id);
    static_cast<void>(add(served(std::move(facts), std::ssize(first))));
  }
  return ids;
}

void SessionTable::while_unused(const ServedPool& pool, const std::function<void()>& remove) {
  const std::unique_lock beginning(beginning_);
  {
    const std::scoped_lock lock(mutex_);
    const auto user = std::ranges::find(in_order_, &pool, [](const ServedSearch* search) { return search->pool_; });
    if (user != in_order_.end())
      throw HttpRefusal(
          {409, fmt::format("the search {} reads this pool, and would be lost without it", quoted_text((*user)->facts_.name)),
           "pool", "a pool of which there is no search"});
  }
  remove();
}

void SessionTable::share(const SearchLease& search, std::vector<std::string> names) {
  const std::scoped_lock lock(mutex_);
  search->shared_ = std::move(names);
}

std::vector<SessionTable::PairedSearch> SessionTable::paired(const std::string& user, std::string_view pair) const {
  const std::scoped_lock lock(mutex_);
  std::vector<PairedSearch> paired;
  for (const ServedSearch* const search : in_order_) {
    const std::optional<ReadingSet>& set = search->reading_;
    if (!set || (!pair.empty() && set->pair != pair)) continue;
    const bool is_of_it =
        set->drawn_by == user || set->decider == user || std::ranges::find(set->readers, user) != set->readers.end();
    if (is_of_it) paired.push_back(pair_line(*search));
  }
  return paired;
}

// Requires: the table's mutex is locked, and the search has a set.
SessionTable::PairedSearch SessionTable::pair_line(const ServedSearch& search) const {
  const auto from = searches_.find(search.reading_->from);
  return {&search.facts_, &*search.reading_, from == searches_.end() ? nullptr : &from->second->facts_, search.pool_ != nullptr};
}

std::vector<SessionTable::PairedSearch> SessionTable::drawn_from(std::string_view id) const {
  const std::scoped_lock lock(mutex_);
  std::vector<PairedSearch> drawn;
  for (const ServedSearch* const search : in_order_)
    if (search->reading_ && search->reading_->from == id) drawn.push_back(pair_line(*search));
  return drawn;
}

bool SessionTable::may_be_closed(std::string_view id) const {
  const std::scoped_lock lock(mutex_);
  return searches_.find(id)->second->may_be_closed_;
}

void SessionTable::put_away(std::string_view id, const std::string& user) {
  ServedSearch& search = find(id, user);
  std::unique_ptr<Searcher> freed;
  const std::scoped_lock held(search.mutex_);
  freed = taken_out(search);
}

std::unique_ptr<Searcher> SessionTable::taken_out(ServedSearch& search) {
  search.requests_ = decltype(search.requests_)();  // likewise
  const std::scoped_lock lock(mutex_);
  if (search.place_) recent_.erase(*search.place_);
  search.place_.reset();
  search.is_of_latest_ = search.keeps_scores_ = false;
  return std::move(search.searcher_);
}

bool SessionTable::sees_search_of(const ServedPool& pool, const std::string& user) const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(in_order_, [&](const ServedSearch* one) { return one->pool_ == &pool && may_see(*one, user); });
}

std::vector<SessionTable::Line> SessionTable::lines(const std::string& user) const {
  const std::scoped_lock lock(mutex_);
  std::vector<Line> lines;
  lines.reserve(in_order_.size());
  for (const ServedSearch* const search : in_order_ | std::views::reverse) {
    if (!may_see(*search, user)) continue;
    lines.push_back({&search->facts_, search->pool_, search->events_, search->last_ms_});
  }
  return lines;
}

std::size_t SessionTable::active() const {
  const std::scoped_lock lock(mutex_);
  return recent_.size();
}

}  // namespace inkling
