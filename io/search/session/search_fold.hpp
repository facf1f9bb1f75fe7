// The steps of a search as the policy that learned from them, and what it offers next.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/policy/policy_moment.hpp"
#include "io/search/session/search_history.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// Each round of a search draws from streams of its own.
[[nodiscard]] RandomStream stream_of_round(std::uint64_t seed, std::int64_t round, RandomRole role);

/// What a choice heeds beside what was learned. Lifetime: lends its lists.
struct OfferRequest {
  bool is_sampled = false;                   ///< drawn at random from all that are on offer
  std::span<const DocumentId> beside = {};   ///< documents that stand on offer
  std::span<const bool> among = {};          ///< by document, whether it may be chosen; empty: all may
  std::span<const DocumentId> put_off = {};  ///< documents that are chosen where nothing else is on offer
};

/// Steps are learned one by one in their order, and those of a batch at once, so a search that grew and one that was told
/// again have the same bits. Lifetime: the pool must outlive it. Thread safety: none.
class SearchFold {
 public:
  /// Throws FormatError where nobody can search with the preset.
  SearchFold(PoolView pool, const SearchSettings& settings);

  /// Forgets all and learns these steps. Where it throws, nothing else may be asked before it is called again.
  void start_over(std::span<const SearchStep> steps);
  /// Learns more steps, whole batches of them. Where it throws, only `start_over` may follow.
  void append(std::span<const SearchStep> steps);

  /// What to show next; nothing where there is none. Nothing changes by it. Documents that stand on offer are not chosen,
  /// and are rounds that pass before this one.
  [[nodiscard]] std::optional<Offer> choose(const OfferRequest& request);

  /// Is called before each step that is learned, and may throw.
  void call_between(std::function<void()> between) { between_ = std::move(between); }

  void keep_scores(bool keep);

  [[nodiscard]] Policy& policy() noexcept { return *policy_; }
  [[nodiscard]] const Policy& policy() const noexcept { return *policy_; }

  /// The one that is to be answered.
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
  [[nodiscard]] std::vector<DocumentId> not_on_offer(const OfferRequest& request) const;
  [[nodiscard]] Offer draw(const Remains& on_offer, std::int64_t round) const;
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
  std::int64_t round_ = 1;   // the one that is to be answered
  std::vector<Skip> skips_;  // of the last rounds
};

}  // namespace inkling
