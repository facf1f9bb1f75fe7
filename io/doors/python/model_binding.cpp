// The ridge model alone, on rows of any origin.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/model/confidence_radius.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/scoring/scan/model_scan.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/python_glue.hpp"

namespace inkling::python {
namespace {

/// A model that owns what it learned from, and the lock that keeps other
/// threads out.
struct CoreModel {
  CoreModel(std::int32_t columns, double ridge, bool dual)
      : model(make_linear_model(dual ? ModelForm::dual : ModelForm::primal, columns, {.ridge = ridge})) {}

  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  std::unique_ptr<LinearModel> model;
  std::int64_t rows = 0;
};

CsrView view_of(std::int32_t columns, const ArrayIn<std::int64_t>& offsets, const ArrayIn<std::int32_t>& features,
                const ArrayIn<float>& values) {
  check_csr(columns, span_of(offsets), span_of(features), span_of(values));
  return {columns, span_of(offsets), span_of(features), span_of(values)};
}

// Rows one by one, each with its reward; `adopted` are brought into use after
// the row of the same number.
void learn(CoreModel& core, const ArrayIn<std::int64_t>& offsets, const ArrayIn<std::int32_t>& features,
           const ArrayIn<float>& values, const ArrayIn<double>& rewards, const ArrayIn<std::int64_t>& mark_offsets,
           const ArrayIn<std::int32_t>& marks, const ArrayIn<double>& precisions) {
  const CsrView rows = view_of(core.model->columns(), offsets, features, values);
  if (rewards.size() != static_cast<std::size_t>(rows.rows())) throw FormatError("y", "expected one for each row");
  const OneThread one(core.busy);
  LongWork work;
  work.run(0, [&] {
    for (std::int32_t i = 0; i < rows.rows(); ++i) {
      work.stopped();
      const auto at = static_cast<std::size_t>(i);
      core.model->observe(core.rows++, rows.row(i), span_of(rewards)[at]);
      for (auto n = span_of(mark_offsets)[at]; n < span_of(mark_offsets)[at + 1]; ++n) {
        const FeatureId feature = span_of(marks)[static_cast<std::size_t>(n)];
        check_id("feature", feature, core.model->columns());
        if (!core.model->uses(feature)) core.model->adopt(feature);
        if (precisions.size() > 0) {
          const double precision = span_of(precisions)[static_cast<std::size_t>(n)];
          if (precision < core.model->precision(feature)) core.model->reweigh(feature, precision);
        }
      }
    }
  });
}

std::tuple<ArrayOut<double>, ArrayOut<double>> predict(CoreModel& core, const ArrayIn<std::int64_t>& offsets,
                                                       const ArrayIn<std::int32_t>& features, const ArrayIn<float>& values) {
  const CsrView rows = view_of(core.model->columns(), offsets, features, values);
  std::vector<double> means(static_cast<std::size_t>(rows.rows()), 0.0);
  std::vector<double> widths(means.size(), 0.0);
  const OneThread one(core.busy);
  WorkPlace(0).run([&] {
    if (core.model->features_in_use() == 0) return;
    ModelScan(*core.model, rows.rows()).for_each(rows, [&](DocumentId row, const Prediction& prediction) {
      const auto at = static_cast<std::size_t>(row);
      means[at] = prediction.mean;
      widths[at] = std::sqrt(std::max(prediction.square, 0.0));
    });
  });
  return {array_of(std::move(means)), array_of(std::move(widths))};
}

std::tuple<ArrayOut<std::int32_t>, ArrayOut<double>> weights(CoreModel& core) {
  std::vector<std::int32_t> features;
  std::vector<double> values;
  for (FeatureId feature = 0; feature < core.model->columns(); ++feature) {
    if (!core.model->uses(feature)) continue;
    features.insert(features.end(), feature);
    values.insert(values.end(), core.model->weight(feature));
  }
  return {array_of(std::move(features)), array_of(std::move(values))};
}

// A draw from the posterior, less its mean, over all features.
ArrayOut<double> deviation(CoreModel& core, RandomStream& random) {
  std::vector<double> all(static_cast<std::size_t>(core.model->columns()), 0.0);
  const OneThread one(core.busy);
  const std::vector<double> drawn = core.model->draw_deviation(random);
  if (core.model->form() == ModelForm::dual) {
    std::ranges::copy(drawn, all.begin());
  } else {
    const auto in_use = core.model->coordinates();
    for (std::size_t n = 0; n < in_use.size(); ++n) all[static_cast<std::size_t>(in_use[n])] = drawn[n];
  }
  return array_of(std::move(all));
}

void start_with_all(CoreModel& core) {
  std::vector<FeatureId> all(static_cast<std::size_t>(core.model->columns()));
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = static_cast<FeatureId>(n);
  WorkPlace(0).run([&] { core.model->start_with(all); });
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<CoreModel>(module, "Model", "Ridge regression on the features in use.")
      .def(nb::init<std::int32_t, double, bool>(), nb::arg("columns"), nb::arg("ridge"), nb::arg("dual"))
      .def("start_with_all", start_with_all)
      .def("learn", learn, nb::arg("offsets").noconvert(), nb::arg("features").noconvert(), nb::arg("values").noconvert(),
           nb::arg("rewards").noconvert(), nb::arg("mark_offsets").noconvert(), nb::arg("marks").noconvert(),
           nb::arg("precisions").noconvert())
      .def("predict", predict, nb::arg("offsets").noconvert(), nb::arg("features").noconvert(), nb::arg("values").noconvert())
      .def("weights", weights)
      .def("deviation", deviation, nb::arg("random"))
      .def_prop_ro("features_in_use", [](CoreModel& core) { return core.model->features_in_use(); })
      .def(
          "radius",
          [](CoreModel& core, double noise, double norm_bound, double delta) {
            return confidence_radius(core.model->log_det_ratio(), core.model->ridge(),
                                     {.noise = noise, .norm_bound = norm_bound, .delta = delta});
          },
          nb::arg("noise"), nb::arg("norm_bound"), nb::arg("delta"));
}

}  // namespace inkling::python
