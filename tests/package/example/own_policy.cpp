// A policy of one's own: it learns as the preset ff-oful and chooses by a rule of its own. With a patience of 0 it makes the choices
// of that preset, bit by bit.
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include <inkling/inkling.hpp>

using namespace inkling;

/// Passes over the best document so many times after it was chosen, and takes the next best.
class Patient final : public Learner {
 public:
  Patient(std::unique_ptr<Learner> learner, int patience) : learner_(std::move(learner)), patience_(patience) {}

  [[nodiscard]] const LinearModel* model() const noexcept override { return learner_->model(); }
  void adopt(FeatureId feature) override { learner_->adopt(feature); }
  void observe(DocumentId document, double reward) override { learner_->observe(document, reward); }
  void retire(DocumentId document) override { learner_->retire(document); }
  [[nodiscard]] std::optional<double> radius() const override { return learner_->radius(); }
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override {
    const DocumentId best = learner_->choose(sampling);
    if (best != last_) left_ = patience_;
    last_ = best;
    if (left_-- == patience_) return best;
    const auto others = learner_->rank(sampling, 1, [best](DocumentId document) { return document != best; });
    return left_ >= 0 && !others.empty() ? others.front().document : best;
  }

 private:
  std::unique_ptr<Learner> learner_;
  int patience_;
  DocumentId last_ = kNoDocument;
  int left_ = 0;
};

std::vector<DocumentId> choices(Policy policy, PoolView pool) {
  std::vector<DocumentId> chosen;
  for (int round = 0; round < 300; ++round) {
    chosen.push_back(policy.choose().document);
    const double rating = value_at(pool.by_document.row(chosen.back()), 1);
    const std::vector<FeatureId> marks = rating > 0.5 ? std::vector<FeatureId>{1} : std::vector<FeatureId>{};
    policy.observe(chosen.back(), rating, marks);
  }
  return chosen;
}

int main() {
  const PoolMatrix pool(CsrMatrix(2, {0, 1, 2, 4, 6}, {0, 1, 0, 1, 0, 1}, {1.0F, 1.0F, 0.6F, 0.8F, 0.8F, 0.6F}));
  const auto with_patience = [&](int patience) {
    const auto learner = [patience](PoolView view, const PolicyOptions& options) {
      return std::make_unique<Patient>(learner_of("ff-oful", view, options), patience);
    };
    return choices(policy_with(learner, "ff-oful", pool.view(), PolicyOptions{}, 7), pool.view());
  };
  const auto preset = choices(Policy(pool.view(), "ff-oful", PolicyOptions{}, 7), pool.view());
  std::printf("the same choices as ff-oful: %s; with patience: %s\n", with_patience(0) == preset ? "yes" : "no",
              with_patience(2) == preset ? "yes" : "no");
  return with_patience(0) == preset && with_patience(2) != preset ? 0 : 1;
}
