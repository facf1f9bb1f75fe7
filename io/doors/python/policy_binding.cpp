// Policies without a search.
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "engine/core/errors.hpp"
#include "engine/policy/policy_state.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_session.hpp"

namespace inkling::python {

namespace {

/// Lifetime: the pool outlives it. Thread safety: refuses a second thread.
struct CorePolicy {
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  WorkPlace place;
  std::optional<Policy> policy = {};
};

template <typename Work>
auto by_policy(CorePolicy& core, const Work& work) {
  const OneThread one(core.busy);
  return core.place.run([&] { return work(*core.policy); });
}

void make_policy(CorePolicy* self, const CorePool& pool, const std::string& policy, const PolicyOptions& options,
                 std::uint64_t seed, std::uint64_t trial, int threads) {
  const Preset preset = preset_named(policy);
  new (self) CorePolicy{.place = WorkPlace(threads)};
  self->place.run([&] {
    self->policy.emplace(pool.view(), preset, options, RandomStream(seed, trial, RandomRole::exploration),
                         RandomStream(seed, trial, RandomRole::sampling));
  });
}

}  // namespace

void bind_policy(nb::module_& module) {
  nb::class_<CorePolicy>(module, "Policy", "A policy with its own random streams.")
      .def("__init__", make_policy, nb::arg("pool"), nb::arg("policy"), nb::arg("options"), nb::arg("seed"), nb::arg("trial"),
           nb::arg("threads"), nb::keep_alive<1, 2>())
      .def("choose",
           [](CorePolicy& core) {
             return by_policy(core, [](Policy& policy) {
               if (policy.exhausted()) throw FormatError("choose", "expected a document that is left");
               return policy.choose().document;
             });
           })
      .def(
          "observe",
          [](CorePolicy& core, DocumentId document, double reward, const std::vector<FeatureId>& marks) {
            by_policy(core, [&](Policy& policy) { policy.observe(document, reward, marks); });
          },
          nb::arg("document"), nb::arg("reward"), nb::arg("marks"));
}

}  // namespace inkling::python
