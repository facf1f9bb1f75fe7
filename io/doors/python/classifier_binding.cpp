// What `inkling` learns, on rows of any origin.
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "engine/core/errors.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/policy/learner.hpp"
#include "engine/policy/policy.hpp"
#include "engine/scoring/scan/mean_scan.hpp"
#include "engine/scoring/survey/average_document.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/pool_part.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/python_glue.hpp"

namespace inkling::python {
namespace {

/// Features that ascend, and their means.
using Average = std::tuple<ArrayIn<std::int32_t>, ArrayIn<float>>;
using CsrArrays = std::tuple<ArrayIn<std::int64_t>, ArrayIn<std::int32_t>, ArrayIn<float>>;

/// A part of a pool that holds none of its documents: its policy learns rows that come from elsewhere.
class CoreClassifier {
 public:
  /// Without an average document, none is presumed useless.
  CoreClassifier(std::int32_t columns, const std::optional<Average>& average)
      : by_document_(columns),
        by_feature_(transposed(by_document_.view())),
        policy_({by_document_.view(), by_feature_.view(), &part_}, "inkling", options_with(columns, average), 1) {}

  /// Rows one after the other, each with its reward and its marks.
  void learn(const CsrArrays& given, const ArrayIn<double>& rewards, const CsrArrays& marked);
  void rate_words(const ArrayIn<std::int32_t>& features, const ArrayIn<double>& ratings);
  [[nodiscard]] ArrayOut<double> means(const CsrArrays& given);
  /// What the base rate adds to each mean.
  [[nodiscard]] double base_mean();
  /// Features with their weights that are not 0.
  [[nodiscard]] std::tuple<ArrayOut<std::int32_t>, ArrayOut<double>> weights();

 private:
  static PolicyOptions options_with(std::int32_t columns, const std::optional<Average>& given) {
    PolicyOptions options;
    AverageDocument average;
    if (given) {
      const auto& [features, values] = *given;
      check_csr(columns, std::array{std::int64_t{0}, static_cast<std::int64_t>(features.size())}, span_of(features),
                span_of(values));
      average = {{features.data(), features.data() + features.size()}, {values.data(), values.data() + values.size()}};
    } else {
      options.inkling.presumed_share = 0.0;
    }
    options.inkling.average = std::make_shared<const AverageDocument>(std::move(average));
    return options;
  }

  [[nodiscard]] std::int32_t columns() const noexcept { return by_document_.view().columns(); }
  [[nodiscard]] const LinearModel& model() const { return *policy_.learner()->model(); }
  [[nodiscard]] CsrView checked(const CsrArrays& given) const {
    const auto& [offsets, features, values] = given;
    check_csr(columns(), span_of(offsets), span_of(features), span_of(values));
    return {columns(), span_of(offsets), span_of(features), span_of(values)};
  }

  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  CsrMatrix by_document_;
  CsrMatrix by_feature_;
  PoolPart part_{0, std::numeric_limits<DocumentId>::max(), 0};
  DocumentId rows_ = 0;  // so far
  Policy policy_;
};

void CoreClassifier::learn(const CsrArrays& given, const ArrayIn<double>& rewards, const CsrArrays& marked) {
  const CsrView rows = checked(given);
  const CsrView marks = checked(marked);
  if (rewards.size() != static_cast<std::size_t>(rows.rows())) throw FormatError("y", "expected one for each row");
  if (marks.rows() != rows.rows()) throw FormatError("marks", "expected those of each row");
  if (rows.rows() > std::numeric_limits<DocumentId>::max() - rows_) throw FormatError("X", "expected fewer rows");
  const OneThread one(busy_);
  const auto learn_all = [&](const std::function<void()>& between) {
    std::vector<std::vector<SaidWord>> words(static_cast<std::size_t>(rows.rows()));
    std::vector<PastEvent> events;
    events.reserve(words.size());
    for (std::int32_t i = 0; i < rows.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const SparseRow row = marks.row(i);
      for (std::size_t n = 0; n < row.size(); ++n)
        words[at].push_back({.feature = row.features[n], .confidence = static_cast<double>(row.values[n])});
      part_.learn_row(rows_, rows.row(i));
      events.push_back({rows_++, span_of(rewards)[at], words[at]});
    }
    if (events.size() == 1)
      policy_.observe(events.front());
    else
      policy_.learn(events, between);
  };
  if (rows.rows() == 1) return WorkPlace(0).run([&] { learn_all([] {}); });
  LongWork work;
  work.run(0, [&] { learn_all([&work] { work.stopped(); }); });
}

void CoreClassifier::rate_words(const ArrayIn<std::int32_t>& features, const ArrayIn<double>& ratings) {
  if (features.size() != ratings.size()) throw FormatError("words", "expected a rating for each");
  std::vector<SaidWord> words;
  for (std::size_t n = 0; n < features.size(); ++n)
    words.push_back({.feature = span_of(features)[n], .reward = span_of(ratings)[n]});
  const OneThread one(busy_);
  WorkPlace(0).run([&] { policy_.rate_words(words); });
}

ArrayOut<double> CoreClassifier::means(const CsrArrays& given) {
  const CsrView rows = checked(given);
  std::vector<DocumentId> all(static_cast<std::size_t>(rows.rows()));
  std::iota(all.begin(), all.end(), DocumentId{0});
  std::vector<double> found(all.size(), 0.0);
  const OneThread one(busy_);
  WorkPlace(0).run([&] { score_means(model(), rows, all, found); });
  return array_of(std::move(found));
}

double CoreClassifier::base_mean() {
  const OneThread one(busy_);
  return model().base_mean();
}

std::tuple<ArrayOut<std::int32_t>, ArrayOut<double>> CoreClassifier::weights() {
  const OneThread one(busy_);
  const std::vector<double> all = weights_by_feature(model());
  std::vector<FeatureId> features;
  std::vector<double> found;
  for (std::size_t feature = 0; feature < all.size(); ++feature) {
    if (all[feature] == 0.0) continue;
    features.push_back(static_cast<FeatureId>(feature));
    found.push_back(all[feature]);
  }
  return {array_of(std::move(features)), array_of(std::move(found))};
}

std::tuple<ArrayOut<std::int32_t>, ArrayOut<float>> average_of(const CorePool& pool) {
  const std::span<const DocumentId> copies =
      pool.mapped() == nullptr ? std::span<const DocumentId>() : pool.mapped()->copies().rows;
  AverageDocument average = WorkPlace(0).run([&] { return average_document(pool.view().by_feature, copies); });
  return {array_of(std::move(average.features)), array_of(std::move(average.values))};
}

}  // namespace

void bind_classifier(nb::module_& module) {
  module.def("average_of", average_of, nb::arg("pool"));
  nb::class_<CoreClassifier>(module, "Classifier", "What `inkling` learns, on rows of any origin.")
      .def(nb::init<std::int32_t, std::optional<Average>>(), nb::arg("columns"), nb::arg("average").none())
      .def("learn", &CoreClassifier::learn, nb::arg("rows"), nb::arg("rewards").noconvert(), nb::arg("marks"))
      .def("rate_words", &CoreClassifier::rate_words, nb::arg("features").noconvert(), nb::arg("ratings").noconvert())
      .def("means", &CoreClassifier::means, nb::arg("rows"))
      .def("base_mean", &CoreClassifier::base_mean)
      .def("weights", &CoreClassifier::weights);
}

}  // namespace inkling::python
