// Learns the steps of a search with its policy, and chooses what to offer next.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/policy/policy_state.hpp"
#include "io/search/session/search_history.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// Each round of a search draws from streams of its own.
[[nodiscard]] RandomStream stream_of_round(std::uint64_t seed, std::int64_t round, RandomRole role);

/// What limits a choice, besides what was learned. Lifetime: lends its lists.
struct OfferRequest {
  bool is_sampled = false;                    ///< drawn at random from all that are on offer
  std::span<const DocumentId> beside = {};    ///< documents that are on offer
  std::span<const bool> among = {};           ///< by document, whether it may be chosen; empty: all may
  std::span<const DocumentId> withheld = {};  ///< documents that are not chosen
  std::span<const DocumentId> put_off = {};   ///< documents that are chosen only if there are no others
};

/// How a policy would choose: with probability `exploration` any of `among` documents, else one of `best`, all of which are equally
/// likely. More than one are draws of a policy that draws its scores.
struct ChoiceOdds {
  std::int64_t among = 0;
  double exploration = 1.0;
  std::vector<DocumentId> best = {};  ///< empty if it explores for certain

  [[nodiscard]] double of(DocumentId document) const;
};

/// Learns steps one by one in their order, and those of a batch at once. So a search that learned its steps as they came and one
/// that learned them again from the log have the same bits. Lifetime: the pool must outlive it. Thread safety: none.
class SearchFold {
 public:
  /// Throws FormatError if the preset cannot be searched with.
  SearchFold(PoolView pool, const SearchSettings& settings);

  /// From the next `start_over` on these are not chosen, in place of the copies. Lifetime: lends them.
  void leave_out(std::span<const DocumentId> documents) { options_.left_out = documents; }
  /// Forgets everything and learns these steps. If it throws, it must be called again before any other call.
  void start_over(std::span<const SearchStep> steps);
  /// Learns more steps, only whole batches. If it throws, only `start_over` may follow.
  void append(std::span<const SearchStep> steps);

  /// What to show next, or nothing if no document is left. It changes nothing. Documents that are on offer are not chosen;
  /// each counts as a round that passes before this one.
  [[nodiscard]] std::optional<Offer> choose(const OfferRequest& request);

  /// The odds of `choose` if no sample was asked for, and so many documents drawn from all that are on offer. They are the same for
  /// the same `draws`, and independent of what `choose` draws.
  [[nodiscard]] ChoiceOdds odds(const OfferRequest& request, int draws);
  [[nodiscard]] std::vector<DocumentId> drawn(const OfferRequest& request, int draws) const;

  /// Is called before each step that is learned, and may throw.
  void call_between(std::function<void()> between) { between_ = std::move(between); }

  void keep_scores(bool keep);

  [[nodiscard]] Policy& policy() noexcept { return *policy_; }
  [[nodiscard]] const Policy& policy() const noexcept { return *policy_; }

  /// The round that is to be answered next.
  [[nodiscard]] std::int64_t round() const noexcept { return round_; }
  /// The skipped documents that are not on offer yet.
  [[nodiscard]] std::vector<DocumentId> waiting() const { return waiting_at(round_); }

 private:
  struct Skip {
    DocumentId document = 0;
    std::int64_t round = 0;
  };

  void append_one(const SearchStep& step);
  void learn_rating(const SearchStep& step);
  void learn_batch(std::span<const SearchStep> steps);
  void set_aside(DocumentId document);
  [[nodiscard]] std::vector<DocumentId> waiting_at(std::int64_t round) const;
  struct OnOffer;
  [[nodiscard]] std::vector<DocumentId> not_on_offer(const OfferRequest& request) const;
  [[nodiscard]] OnOffer on_offer(const OfferRequest& request) const;
  [[nodiscard]] Offer draw(const Remains& on_offer, std::int64_t round) const;
  [[nodiscard]] Play play(const Remains& on_offer, std::int64_t round, const RandomStream& sampling);
  [[nodiscard]] Offer choice(const Remains& on_offer, double among, std::int64_t round);
  [[nodiscard]] std::optional<double> propensity_of(const Play& play, const Remains& on_offer, double among);
  void add_prediction(Offer& offer) const;

  PoolView pool_;
  Preset preset_;
  PolicyOptions options_;
  std::uint64_t seed_;
  bool keeps_scores_;
  std::function<void()> between_ = [] {};
  std::optional<Policy> policy_;
  std::int64_t round_ = 1;   // to be answered next
  std::vector<Skip> skips_;  // of the last rounds
};

}  // namespace inkling
