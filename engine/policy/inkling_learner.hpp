// The policy `inkling`, which needs no settings: it detects whether the rewards are grades or measurements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/core/id_map.hpp"
#include "engine/policy/learner.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// Whether this many rewards with this many different values are measurements. With continuous noise no two are equal.
[[nodiscard]] constexpr bool are_measurements(std::int64_t rewards, std::int64_t values) noexcept {
  constexpr std::int64_t fewest = 3;
  return rewards >= fewest && 4 * values > 3 * rewards;
}

/// Rewards that repeat are grades by a person: `GradedLearner` learns from them. Rewards that hardly ever repeat are
/// measurements (`are_measurements`), for `MeasuredLearner`. When that changes, the other learner learns everything from
/// the start.
class InklingLearner final : public Learner {
 public:
  InklingLearner(PoolView pool, const PolicyOptions& options);

  [[nodiscard]] const LinearModel* model() const noexcept override { return current_->model(); }
  [[nodiscard]] std::int32_t features_in_use() const noexcept override { return current_->features_in_use(); }
  void start_with(std::span<const FeatureId> features) override;
  void adopt(FeatureId feature) override;
  void observe(DocumentId document, double reward) override;
  void observe_marks(DocumentId document, std::span<const SaidWord> marks) override;
  [[nodiscard]] bool counts_mark(FeatureId feature) const noexcept override { return current_->counts_mark(feature); }
  void rate_words(std::span<const SaidWord> ratings) override;
  void learn(std::span<const Lesson> lessons, const std::function<void()>& between) override;
  void refine() override { current_->refine(); }
  void retire(DocumentId document) override;
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override { return current_->choose(sampling); }
  [[nodiscard]] Ranked best_held(RandomStream& sampling) override { return current_->best_held(sampling); }
  [[nodiscard]] std::vector<Ranked> rank(RandomStream& sampling, std::size_t count, const Remains& remains) override {
    return current_->rank(sampling, count, remains);
  }
  void keep_scores(bool keep) override;
  [[nodiscard]] bool explores_anyway() const noexcept override { return current_->explores_anyway(); }
  [[nodiscard]] std::optional<double> radius() const override { return current_->radius(); }
  [[nodiscard]] std::int64_t documents_scored() const noexcept override { return current_->documents_scored(); }

 private:
  /// A call of this learner, recorded in order to repeat it. Its marks and ratings are parts of `marks_` and
  /// `ratings_`.
  struct Call {
    enum class Kind { adopt, observe, observe_marks, rate_words };

    Kind kind = Kind::observe;
    std::int32_t id = 0;  ///< of the document or the feature
    double reward = 0.0;
    std::size_t begin = 0;
    std::size_t count = 0;
  };

  /// Returns whether the rewards now need the other learner.
  [[nodiscard]] bool count_reward(double reward);
  [[nodiscard]] std::unique_ptr<Learner> empty_learner() const;
  void remember(DocumentId document, std::span<const SaidWord> marks);
  void remember(std::span<const SaidWord> ratings);
  void repeat(const Call& call);
  void repeat_from(std::size_t call, const std::function<void()>& between);
  void begin_again();
  void start_over();

  PoolView pool_;
  PolicyOptions options_;
  bool measured_ = false;
  std::unique_ptr<Learner> current_;  // for the rewards so far
  std::vector<FeatureId> first_;      // in use from the start
  std::vector<Call> calls_;
  std::vector<SaidWord> marks_;
  std::vector<SaidWord> ratings_;
  std::vector<DocumentId> retired_;
  std::set<double> values_;  // of the rewards
  std::int64_t rewards_ = 0;
  bool keeps_scores_ = true;
};

}  // namespace inkling
