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
  [[nodiscard]] std::int64_t different_texts() const noexcept {
    return pool_.documents() - settings_.copies.size();
  }
  [[nodiscard]] std::optional<DocumentId> original_of(std::optional<DocumentId> document) const noexcept {
    return document ? std::optional(settings_.copies.original_of(*document)) : std::nullopt;
  }
  [[nodiscard]] SearchSettings& settings() noexcept { return settings_; }
  [[nodiscard]] const SearchHistory& history() const noexcept { return history_; }

  void acts_as(const std::string& person) {
    if (person != person_ && history_.is_shared()) chosen_ = false;
    person_ = person;
  }
  [[nodiscard]] const std::string& person() const noexcept { return person_; }
  [[nodiscard]] std::optional<std::string_view> only_person() const {
    return history_.is_shared() ? std::optional<std::string_view>(person_) : std::nullopt;
  }

  /// The policy as it stands after all that holds.
  [[nodiscard]] SearchFold& fold() {
    if (!follows_) start_over();
    return fold_;
  }
  /// What was said so far, in numbers.
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
  [[nodiscard]] std::vector<Offer> standing() const;
  /// The event that offered it, where it stands on offer.
  [[nodiscard]] std::optional<std::int64_t> standing_of(DocumentId document) const;
  [[nodiscard]] std::int64_t shown() const noexcept { return chosen_ ? shown_ : 0; }

  /// See Searcher::taken_by.
  [[nodiscard]] std::optional<std::string> taken_by(DocumentId document) const;
  [[nodiscard]] bool is_free(DocumentId document) const {
    return !history_.is_rated(document) && !taken_by(document);
  }

  /// The offer is shown, if it is not yet.
  void show() {
    if (!offer() || shown_ != 0) return;
    change([&] { offer_next(); });
  }

  std::vector<Offer> choose(std::int64_t count, std::span<const bool> among);

  /// Appends these, which get their numbers here, and the next offer; keeps them, or stands where it stood.
  std::int64_t answer(std::vector<SearchEvent> events);

 private:
  template <typename Append>
  void change(const Append& append_events) {
    const std::size_t before = history_.events().size();
    try {
      append_events();
      static_cast<void>(fold());  // what cannot be learned is not kept
      if (settings_.offers_next) offer_next();
      const auto events = history_.events().subspan(before);
      if (keep_ && !events.empty()) keep_(events);
    } catch (...) {
      if (history_.events().size() > before) go_back_to(before);
      throw;
    }
  }

  // Adds what the policy is to learn of it to the steps.
  void append(const SearchEvent& event, std::vector<SearchStep>& steps);

  void offer_next() {
    if (!chosen_) choose();
    if (offer_ && shown_ == 0) shown_ = append_shown(*offer_);
  }

  std::int64_t append_shown(const Offer& offer);

  [[nodiscard]] const SearchEvent& event_at(std::int64_t sequence) const {
    return history_.events()[static_cast<std::size_t>(sequence) - 1];
  }

  void choose();
  // In this order: the offer of an answer that this person took back, their own offer, one that somebody left or handed on, and
  // then a choice among what nobody has.
  void choose_for_person();

  [[nodiscard]] static bool is_kept_for_others(const SearchEvent& shown) {
    return milliseconds_now() - shown.at_ms < kOfferStandsMs;
  }

  // Skipped ones are put off as others are, while there are others.
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
  bool follows_ = true;  // whether these three are what the history says
  bool chosen_ = false;  // whether the next two are
  std::optional<Offer> offer_;
  std::int64_t shown_ = 0;
  std::string person_;                      // of a shared search; nothing: its owner
  std::optional<std::int64_t> comes_back_;  // the offer of an answer that this person took back just now
};

}  // namespace inkling
