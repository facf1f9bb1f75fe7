// The steps of a search as the policy that learned from them, and what it offers next.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/policy/policy.hpp"
#include "io/search/session/search_history.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// Steps are learned one by one in their order, so a search that grew and one that was told again have the same bits.
/// Lifetime: the pool must outlive it. Thread safety: none.
class SearchFold {
 public:
  /// Throws FormatError where nobody can search with the preset.
  SearchFold(PoolView pool, const SearchSettings& settings);

  /// Forgets all and learns these steps. Where it throws, nothing else may be asked before it is called again.
  void start_over(std::span<const SearchStep> steps);
  /// Learns one more step. Where it throws, only `start_over` may follow.
  void append(const SearchStep& step);

  /// What to show next; nothing where every document is rated. Nothing changes by it. With `is_sampled` it is drawn at
  /// random from all that are on offer.
  [[nodiscard]] std::optional<Offer> choose(bool is_sampled);

  void keep_scores(bool keep);

  [[nodiscard]] Policy& policy() noexcept { return *policy_; }
  [[nodiscard]] const Policy& policy() const noexcept { return *policy_; }

  /// The skipped documents that are not on offer yet.
  [[nodiscard]] std::vector<DocumentId> waiting() const;

 private:
  struct Skip {
    DocumentId document = 0;
    std::int64_t round = 0;
  };

  void learn_rating(const SearchStep& step);
  void set_aside(DocumentId document);
  [[nodiscard]] Offer draw(const Remains& on_offer) const;
  [[nodiscard]] Offer choice(const Remains& on_offer, double among);
  [[nodiscard]] std::optional<double> propensity_of(const Play& play, const Remains& on_offer, double among);
  void add_prediction(Offer& offer) const;

  PoolView pool_;
  Preset preset_;
  PolicyOptions options_;
  std::uint64_t seed_;
  bool keeps_scores_;
  std::optional<Policy> policy_;
  std::int64_t round_ = 1;   // the one that is to be answered
  std::vector<Skip> skips_;  // of the last rounds
};

}  // namespace inkling
