// What a Searcher is made of: the history, the policy that follows it, and the offer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/search/session/search_fold.hpp"
#include "io/search/session/search_history.hpp"
#include "io/search/session/search_tally.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// A history, the policy that follows it, and the offer that was made of both.
class Searcher::State {
 public:
  State(PoolView pool, SearchSettings settings, std::span<const SearchEvent> past, KeepEvents keep,
        const std::function<void()>& between);

  void call_between(std::function<void()> between) { fold_.call_between(std::move(between)); }
  [[nodiscard]] PoolView pool() const noexcept { return pool_; }
  /// How many documents can be offered.
  [[nodiscard]] std::int64_t different_texts() const noexcept { return pool_.documents() - settings_.copies.size(); }
  [[nodiscard]] std::optional<DocumentId> original_of(std::optional<DocumentId> document) const noexcept {
    return document ? std::optional(settings_.copies.original_of(*document)) : std::nullopt;
  }
  [[nodiscard]] SearchSettings& settings() noexcept { return settings_; }
  [[nodiscard]] const SearchHistory& history() const noexcept { return history_; }
  /// The only documents that are offered, in their order; nothing if the policy chooses.
  [[nodiscard]] std::optional<std::span<const DocumentId>> set() const noexcept {
    if (settings_.set_grows) return history_.aim().set;
    return settings_.set.empty() ? std::nullopt : std::optional<std::span<const DocumentId>>(settings_.set);
  }

  void acts_as(const std::string& person) {
    if (person != person_ && history_.is_shared()) chosen_ = false;
    person_ = person;
  }
  [[nodiscard]] const std::string& person() const noexcept { return person_; }
  [[nodiscard]] std::optional<std::string_view> only_person() const {
    return history_.is_shared() ? std::optional<std::string_view>(person_) : std::nullopt;
  }

  /// The policy after all answers that hold.
  [[nodiscard]] SearchFold& fold() {
    if (!follows_) start_over();
    return fold_;
  }
  /// The counts of all answers that hold.
  [[nodiscard]] const SearchTally& tally() {
    if (!follows_) start_over();
    return tally_;
  }
  [[nodiscard]] std::int64_t sample_left() {
    if (!follows_) start_over();
    return sample_left_;
  }
  [[nodiscard]] const std::optional<Offer>& offer() {
    if (!chosen_) choose();
    return offer_;
  }
  [[nodiscard]] bool was_explored(DocumentId document);
  [[nodiscard]] std::vector<Offer> open_offers() const;
  /// The `shown` event of the document, if it is on offer.
  [[nodiscard]] std::optional<std::int64_t> open_offer_of(DocumentId document) const;
  [[nodiscard]] std::int64_t shown() const noexcept { return chosen_ ? shown_ : 0; }

  /// See Searcher::taken_by.
  [[nodiscard]] std::optional<std::string> taken_by(DocumentId document) const;
  [[nodiscard]] bool is_free(DocumentId document) const {
    return !history_.is_rated(document) && !history_.is_withheld(document) && !taken_by(document);
  }

  /// Appends a `shown` event for the offer, if there is none yet.
  void show() {
    if (!offer() || shown_ != 0) return;
    change([&] { offer_next(); });
  }

  std::vector<Offer> choose(std::int64_t count, std::span<const bool> among);

  /// Numbers these events of a person, appends them and the next offer, and keeps all. If that throws, the search is as before.
  std::int64_t answer(std::vector<SearchEvent> events, const std::string& person);
  std::int64_t answer(std::vector<SearchEvent> events);

 private:
  template <typename Append>
  void change(const Append& append_events) {
    const std::size_t before = history_.events().size();
    try {
      append_events();
      static_cast<void>(fold());  // learns first: what cannot be learned must not be kept
      if (settings_.offers_next) offer_next();
      const auto events = history_.events().subspan(before);
      if (keep_ && !events.empty()) keep_(events);
    } catch (...) {
      if (history_.events().size() > before) go_back_to(before);
      throw;
    }
  }

  // Appends the event to the history, and to `steps` what the policy is to learn from it.
  void append(const SearchEvent& event, std::vector<SearchStep>& steps);

  void offer_next() {
    if (!chosen_) choose();
    if (offer_ && shown_ == 0) shown_ = append_shown(*offer_);
  }

  std::int64_t append_shown(const Offer& offer);

  void choose();
  // Offers the first of these that exists: the offer of an answer that this person took back, their own offer, an offer that
  // somebody left or handed on, or a choice among the documents that nobody has on offer.
  void choose_for_person();

  [[nodiscard]] static bool is_kept_for_others(const SearchEvent& shown) {
    return milliseconds_now() - shown.at_ms < kOfferKeptMs;
  }

  // Skipped documents are put off, as in other searches, unless all that are left were skipped.
  [[nodiscard]] std::optional<Offer> next_of_set();

  void start_over();
  void go_back_to(std::size_t events);

  PoolView pool_;
  SearchSettings settings_;
  KeepEvents keep_;
  SearchHistory history_;
  SearchFold fold_;
  SearchTally tally_;
  std::int64_t sample_left_ = 0;
  bool follows_ = true;  // whether fold_, tally_ and sample_left_ are up to date with the history
  bool chosen_ = false;  // whether offer_ and shown_ are
  std::optional<Offer> offer_;
  std::int64_t shown_ = 0;
  std::string person_;                      // who acts in a shared search; empty: its owner
  std::optional<std::int64_t> comes_back_;  // `shown` of an answer that this person has just taken back
};

}  // namespace inkling
