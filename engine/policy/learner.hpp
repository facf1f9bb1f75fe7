// How a policy turns what it has seen into the next document.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/policy/policy_options.hpp"
#include "engine/scoring/ranked.hpp"

namespace inkling {

class LinearModel;
class Policy;
class RandomStream;
struct PoolView;

/// One document with its reward, all its marks, and the features to adopt unless they are in use; or ratings of words
/// without a document. Lifetime: lends what it holds.
struct Lesson {
  DocumentId document = 0;  ///< kNoDocument where only words were rated
  double reward = 0.0;
  std::span<const FeatureId> adopted = {};
  std::span<const SaidWord> marks = {};
  std::span<const SaidWord> words = {};
};

/// Something that learns from rewards and marks, and a rule to choose by it.
/// Lifetime: the pool must outlive the learner. Thread safety: none; the work inside may use all threads.
class Learner {
 public:
  Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;
  virtual ~Learner() = default;

  /// The ridge model on the features of the pool; nullptr for a learner without a ridge model, which must override the
  /// next three members.
  [[nodiscard]] virtual const LinearModel* model() const noexcept { return nullptr; }

  [[nodiscard]] virtual std::int32_t features_in_use() const noexcept;
  /// Requires of this and the next: a feature of the pool.
  [[nodiscard]] virtual bool uses(FeatureId feature) const noexcept;
  /// Its estimate of the weight of the feature; 0 where not in use.
  [[nodiscard]] virtual double weight(FeatureId feature) const noexcept;

  /// These features come into use before anything is learned. Requires: none is in use.
  virtual void start_with(std::span<const FeatureId> features);

  /// The feature comes into use. Requires: not in use.
  virtual void adopt(FeatureId feature) = 0;

  /// Throws FormatError on a bad reward and leaves the learner as it was.
  virtual void observe(DocumentId document, double reward) = 0;

  /// All marks in the document whose reward was observed last, for a learner that weighs marks and their absence.
  /// Features that a mark brings into use are adopted by `adopt`, not here.
  virtual void observe_marks(DocumentId /*document*/, std::span<const SaidWord> /*marks*/) {}

  /// Whether the learner uses the mark of this word. Requires: it was marked.
  [[nodiscard]] virtual bool counts_mark(FeatureId /*feature*/) const noexcept { return true; }

  /// Words were rated apart from any document. If the policy learns from marks, words rated above 0 are already in use. The
  /// default does nothing more.
  virtual void rate_words(std::span<const SaidWord> /*ratings*/) {}

  /// Many lessons at once: the same up to rounding as observe, adopt, observe_marks and rate_words of each in order, without
  /// the work that keeps scores for a choice, and refined at the end. `between` is called before each lesson, and often
  /// during long work; if it throws, the learner can only be destroyed.
  virtual void learn(std::span<const Lesson> lessons, const std::function<void()>& between);

  /// Computes what was learned again, as exactly as it can be.
  virtual void refine() {}

  /// The caller makes no query before the next refine(), so the learner may defer work until then
  /// (`LinearModel::put_off`).
  virtual void put_off(const std::function<void()>& /*between*/) {}

  /// The document is never chosen again. Documents that are retired, chosen or ranked are rows of the view; those that
  /// were observed are numbered in the whole pool, of which the view may be a part.
  virtual void retire(DocumentId document) = 0;

  /// Requires: at least one feature in use and one document not retired.
  [[nodiscard]] virtual DocumentId choose(RandomStream& sampling) = 0;

  /// What `choose` would choose, with a score that does not depend on past rounding, so that it can be compared with
  /// scores of documents held elsewhere. kNoDocument if all documents held are retired.
  [[nodiscard]] virtual Ranked best_held(RandomStream& sampling);

  /// The `count` best of the documents that remain, best first; the first is what `choose` would choose. Computed for this
  /// call alone. Requires: a feature in use.
  [[nodiscard]] virtual std::vector<Ranked> rank(RandomStream& sampling, std::size_t count, const Remains& remains);

  /// With false, drops what is kept of each document in order to choose; `choose` computes it again.
  virtual void keep_scores(bool /*keep*/) {}

  /// Whether the next document is to be drawn at random, whatever the schedule says, because nothing that was learned
  /// helps to choose.
  [[nodiscard]] virtual bool explores_anyway() const noexcept { return false; }

  /// What multiplies the width, where the rule has one.
  [[nodiscard]] virtual std::optional<double> radius() const { return std::nullopt; }

  /// How many documents were scored, or given a new bound, for all choices so far.
  [[nodiscard]] virtual std::int64_t documents_scored() const noexcept { return 0; }

 private:
  void learn_one(const Lesson& lesson);
};

/// The learner of this preset, for a learner of one's own that changes a part of what it does. Throws FormatError on an unknown
/// name, with the nearest one, and on options that the preset does not take.
[[nodiscard]] std::unique_ptr<Learner> learner_of(std::string_view preset, PoolView pool, const PolicyOptions& options);

/// A policy of one's own: the schedule and the scope of this preset with a learner that is made once, for options in which nothing
/// is automatic. Throws as Policy does.
[[nodiscard]] Policy policy_with(const std::function<std::unique_ptr<Learner>(PoolView, const PolicyOptions&)>& learner,
                                 std::string_view preset, PoolView pool, const PolicyOptions& options, std::uint64_t seed);

}  // namespace inkling
