// The searches of a file: which are known, which of them are in memory, and one user of each at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/base/process/memory_flag.hpp"
#include "io/base/system/limits.hpp"
#include "io/doors/serve/http/http_message.hpp"
#include "io/doors/serve/served_pool.hpp"
#include "io/search/people/reading_set.hpp"
#include "io/search/service/review_report.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/session/session_file.hpp"
#include "io/search/session/session_writer.hpp"

namespace inkling {

/// How often this thread kept something in the file of searches. One thread answers a request from its beginning to its end, so the
/// answer to one that fails says whether something was kept before.
inline thread_local std::uint64_t kept_by_this_thread = 0;

class SessionTable;

/// `ServedSearch::said` of searches that take long to learn anew.
inline constexpr std::int64_t kMuchSaid = 1'000;

/// One search. Who has its lease may call everything of it; others nothing.
class ServedSearch {
 public:
  [[nodiscard]] const SessionFacts& facts() const noexcept { return facts_; }
  [[nodiscard]] const ServedPool& pool() const noexcept { return *pool_; }
  [[nodiscard]] Searcher& searcher() noexcept { return *searcher_; }
  [[nodiscard]] const SearchHistory& history() const noexcept { return searcher_->history(); }
  /// Set if it is the search of one of two people who do not see each other, or of the one who decides between them.
  [[nodiscard]] const std::optional<ReadingSet>& reading() const noexcept { return reading_; }
  /// The name of the owner where several people search in it, so that answers tell who said what; nothing otherwise.
  [[nodiscard]] std::string owner_of_several() const {
    return history().is_shared() || history().has_others() ? facts_.owner : std::string();
  }
  /// Whether documents of it were ever drawn for a pair.
  [[nodiscard]] bool has_pairs() const noexcept { return has_pairs_; }
  /// The holder of the lease, as the searcher and events name people: nothing is the owner.
  [[nodiscard]] std::string person() const { return user_ == facts_.owner ? std::string() : user_; }
  /// The number of the last event.
  /// Events and the words that they rate: what it takes to learn it anew.
  [[nodiscard]] std::int64_t said() const noexcept { return said_; }
  [[nodiscard]] std::int64_t last() const noexcept { return std::ssize(history().events()); }

  /// The first event of the request to which this user gave this name; nothing where there was none.
  [[nodiscard]] std::optional<std::int64_t> event_of_request(const std::string& user, const std::string& name) const;
  /// Whether an event is the first one of any request.
  [[nodiscard]] bool begins_request(std::int64_t sequence) const;

  /// While it lives, what is answered is kept under the name of this request, for this user.
  class Answering {
   public:
    Answering(ServedSearch& search, const std::string& user, const std::string& request);
    ~Answering();
    Answering(const Answering&) = delete;
    Answering& operator=(const Answering&) = delete;

   private:
    ServedSearch& search_;
  };

 private:
  friend class SessionTable;
  friend class SearchLease;

  SessionFacts facts_;
  std::optional<ReadingSet> reading_;
  const ServedPool* pool_ = nullptr;  // none where its pool is not served
  std::atomic<std::int64_t> events_ = 0;
  std::atomic<std::int64_t> last_ms_ = 0;
  std::atomic<bool> may_be_closed_ = true;  // unknown as long as it was not read
  std::atomic<bool> has_pairs_ = false;     // whether documents were ever drawn from it
  std::mutex mutex_;                        // whoever has the lease holds it; of all below
  std::int64_t said_ = 0;
  std::unique_ptr<Searcher> searcher_;                                             // none while it is put away
  std::map<std::string, std::unordered_map<std::string, std::int64_t>> requests_;  // by person, and by the names of each
  std::string user_;
  std::optional<std::string> request_;
  // Members of the table, guarded by its mutex:
  std::vector<std::string> shared_;  // who else may see it
  std::optional<std::list<ServedSearch*>::iterator> place_;
  std::uint64_t bytes_of_scores_ = 0;
  bool is_of_latest_ = false;  // of those used last, which may keep their scores
  bool keeps_scores_ = false;
};

class SessionTable;

/// A search in memory, for one thread. Where an exception ends it after an allocation failed, whatever may be half done in memory
/// is dropped: the search is learned again from its log. Lifetime: the table must outlive it.
class SearchLease {
 public:
  SearchLease(SearchLease&&) noexcept = default;
  SearchLease(const SearchLease&) = delete;
  SearchLease& operator=(const SearchLease&) = delete;
  SearchLease& operator=(SearchLease&&) = delete;
  ~SearchLease();
  [[nodiscard]] ServedSearch& operator*() const noexcept { return *search_; }
  [[nodiscard]] ServedSearch* operator->() const noexcept { return search_; }

 private:
  friend class SessionTable;
  SearchLease(SessionTable& table, ServedSearch& search) : table_(&table), search_(&search), lock_(search.mutex_) {}

  SessionTable* table_;
  ServedSearch* search_;
  std::unique_lock<std::mutex> lock_;
  std::uint64_t failed_allocations_ = failed_allocations();
  int exceptions_ = std::uncaught_exceptions();
};

struct SessionTableSettings {
  std::size_t most_active = 1'000;  ///< searches in memory at once; others continue from the log when they are asked for
  /// Of those, the ones used last may keep scores of all documents: so many searches, and so many bytes, but one at least.
  std::size_t most_with_scores = 128;
  std::uint64_t memory_of_scores = std::uint64_t{1} << 30U;
  bool tells_users_apart = false;  ///< each user sees only their own searches, and those that are shared with them
  std::chrono::milliseconds most_learning = std::chrono::seconds(5);     ///< the first events of a new search
  std::chrono::milliseconds most_relearning = std::chrono::seconds(60);  ///< what one request to a kept search has learned again
};

/// A search that is put away and one that never was make the same choices (`Searcher`).
/// Thread safety: any number of threads. Lifetime: lends the pools.
class SessionTable {
 public:
  /// Opens the file for writing, or makes it. Throws as SessionFile does.
  SessionTable(const std::string& path, const ServedPools& pools, SessionTableSettings settings);

  /// The search of this id, in memory; waits until nobody else has it. Throws HttpRefusal: 404 where there is none that
  /// this user may see, 409 where its pool is not served.
  [[nodiscard]] SearchLease open(std::string_view id, const std::string& user);

  /// A function to be called again and again while the events of a new search are read and learned. It throws HttpRefusal: 422 if
  /// that takes too long, counted from `since`, and 503 after `end` was called.
  [[nodiscard]] std::function<void()> patience(std::chrono::steady_clock::time_point since) const;

  /// Keeps a new search with its first events, durably. Throws FormatError where they cannot be continued, HttpRefusal
  /// (429) where they are many and others are being learned, and what `patience` throws.
  /// Requires: `facts` name policy, options, seed and the fingerprint of a pool of the table.
  [[nodiscard]] SearchLease begin(SessionFacts facts, std::span<const SearchEvent> first, const std::string& user,
                                  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now());

  /// Keeps new searches of several people at once, all or none, with the same first events; returns their ids.
  std::vector<std::string> begin_together(std::vector<SessionFacts> searches, std::span<const SearchEvent> first,
                                          const std::string& user);

  /// Calls `remove` while no search begins. Throws HttpRefusal (409) where a search of anybody is one of this pool, and what `remove`
  /// throws.
  void while_unused(const ServedPool& pool, const std::function<void()>& remove);

  /// From now on, these people may see the search, beside its owner. Requires: its log says so.
  void share(const SearchLease& search, std::vector<std::string> names);

  /// The searches of all pairs of two people that this user reads, drew or decides; of one pair, where it is named.
  struct PairedSearch {
    const SessionFacts* facts = nullptr;
    const ReadingSet* reading = nullptr;
    const SessionFacts* from = nullptr;  ///< of the search that its documents were drawn from, where it is known
    bool is_served = false;              ///< whether its pool is
  };
  [[nodiscard]] std::vector<PairedSearch> paired(const std::string& user, std::string_view pair = {}) const;
  /// The searches of all pairs whose documents were drawn from this search.
  [[nodiscard]] std::vector<PairedSearch> drawn_from(std::string_view id) const;
  /// What a report of the search needs. Lifetime: as long as its lease.
  [[nodiscard]] ReviewOf review_of(const ServedSearch& search);
  /// False only where no answer can have ended the search. Requires: there is one of this id.
  [[nodiscard]] bool may_be_closed(std::string_view id) const;

  /// Frees the memory of a search that nobody has. Throws HttpRefusal as `open` does.
  void put_away(std::string_view id, const std::string& user);

  struct Line {
    const SessionFacts* facts = nullptr;
    const ServedPool* pool = nullptr;  ///< none where it is not served
    std::int64_t events = 0;
    std::int64_t last_ms = 0;  ///< when the last event came
  };
  /// Whether this user may see a search of this pool.
  [[nodiscard]] bool sees_search_of(const ServedPool& pool, const std::string& user) const;

  /// The searches that this user may see, the latest begun first.
  [[nodiscard]] std::vector<Line> lines(const std::string& user) const;

  [[nodiscard]] std::size_t active() const;

  /// Runs work of a request that takes many times as long as others, on one processor, after requests of others and so many at once
  /// as leave processors to them. Throws what `work` throws, and HttpRefusal (503) if it cannot begin for too long.
  void at_length(const std::function<void()>& work) { at_length(work, patience_of_kept()); }

  /// Cancels replays in progress. Thread safety: any thread.
  void end() noexcept { is_ending_ = true; }
  [[nodiscard]] bool is_ending() const noexcept { return is_ending_; }

 private:
  friend class SearchLease;

  [[nodiscard]] bool may_see(const ServedSearch& search, const std::string& user) const;
  [[nodiscard]] ServedSearch& find(std::string_view id, const std::string& user) const;
  [[nodiscard]] PairedSearch pair_line(const ServedSearch& search) const;
  [[nodiscard]] std::unique_ptr<ServedSearch> served(SessionFacts facts, std::int64_t events) const;
  ServedSearch& add(std::unique_ptr<ServedSearch> search);
  void load(ServedSearch& search, const std::function<void()>& patience);
  [[nodiscard]] std::function<void()> patience_until(std::chrono::steady_clock::time_point end, Refusal refusal) const;
  /// A place among those who do long work.
  struct EndOfLongWork {
    void operator()(std::counting_semaphore<>* places) const { places->release(); }
  };
  /// The same of a request to a search that is kept.
  [[nodiscard]] std::function<void()> patience_of_kept() const;
  void at_length(const std::function<void()>& work, const std::function<void()>& patience);
  /// Requires: nobody else has the search.
  void teach(ServedSearch& search, std::span<const SearchEvent> events, const std::function<void()>& between);
  void use_now(ServedSearch& search);
  /// Takes out what is in memory of a search. Requires: the caller has it.
  [[nodiscard]] std::unique_ptr<Searcher> taken_out(ServedSearch& search);
  void keep_scores_of_latest(ServedSearch& search);
  [[nodiscard]] KeepEvents keeper_of(ServedSearch& search);

  const ServedPools& pools_;
  SessionTableSettings settings_;
  SessionWriter writer_;
  std::atomic<bool> is_ending_ = false;
  std::shared_mutex beginning_;  // shared by whoever begins a search, before all others
  std::mutex long_work_mutex_;   // of whoever learns many first events
  std::counting_semaphore<> long_works_{std::max(available_threads() / 2, 1)};
  std::mutex reader_mutex_;
  SessionFile reader_;                                                          // of what is kept already: it waits for no commit
  mutable std::mutex mutex_;                                                    // of all below
  std::map<std::string, std::unique_ptr<ServedSearch>, std::less<>> searches_;  // never removed
  std::vector<ServedSearch*> in_order_;
  std::list<ServedSearch*> recent_;  // those in memory, the one used last first
};

}  // namespace inkling
