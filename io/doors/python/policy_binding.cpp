// Policies without a search around them, and what policies can be told.
#include <atomic>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "engine/core/enum_names.hpp"
#include "engine/core/errors.hpp"
#include "engine/policy/policy.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_session.hpp"
#include "io/search/events/policy_settings.hpp"

namespace inkling::python {

PolicyOptions checked_options(const PolicyOptions& options) {
  PolicyOptions checked = options;
  PolicyOptions defaults;
  for (const PolicySetting& setting : policy_settings()) {
    const double value = setting.in(checked);
    const bool is_default = value == setting.in(defaults);  // 0 leaves a precision to its rule
    if (is_default || setting.range.contains(value)) continue;
    throw FormatError(std::string(setting.name) + " " + number_text(value),
                      "expected " + expectation(setting.range));
  }
  if (options.first_rounds < 0) throw FormatError("first_rounds", "expected a number of at least 0");
  return checked;
}

Preset preset_named(const std::string& name) {
  if (const std::optional<Preset> found = find_preset(name)) return *found;
  std::string names;
  for (const Preset& preset : presets()) names += (names.empty() ? "" : ", ") + std::string(preset.name);
  throw FormatError("policy '" + name + "'", "expected one of " + names);
}

namespace {

RadiusKind radius_kind(const std::string& name) {
  for (const EnumName<RadiusKind>& one : kRadiusNames) {
    if (one.name == name || (name == "auto" && one.value == RadiusKind::automatic)) return one.value;
  }
  throw FormatError("radius '" + name + "'", "expected auto, ellipsoid or posterior");
}

void set_number(PolicyOptions& options, const std::string& name, double value) {
  policy_setting(name).in(options) = value;
}

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

void make_policy(CorePolicy* self, const CorePool& pool, const std::string& policy,
                 const PolicyOptions& given, std::uint64_t seed, std::uint64_t trial, int threads) {
  const Preset preset = preset_named(policy);
  const PolicyOptions options = checked_options(given);
  new (self) CorePolicy{.place = WorkPlace(threads)};
  self->place.run([&] {
    self->policy.emplace(pool.view(), preset, options, RandomStream(seed, trial, RandomRole::exploration),
                         RandomStream(seed, trial, RandomRole::sampling));
  });
}

void bind_options(nb::module_& module) {
  nb::class_<PolicyOptions>(module, "PolicyOptions", "What a policy can be told.")
      .def(nb::init<>())
      .def("set", set_number, nb::arg("name"), nb::arg("value"))
      .def("set_radius",
           [](PolicyOptions& options, const std::string& name) { options.radius = radius_kind(name); })
      .def("check", [](const PolicyOptions& options) { static_cast<void>(checked_options(options)); })
      .def("text",
           [](const PolicyOptions& options, const std::string& policy) {
             return policy_settings_text(options, preset_named(policy));
           })
      .def_rw("first_rounds", &PolicyOptions::first_rounds)
      .def_rw("expected_rounds", &PolicyOptions::expected_rounds)
      .def_rw("with_replacement", &PolicyOptions::with_replacement)
      .def_rw("given", &PolicyOptions::given);
}

}  // namespace

void bind_policy(nb::module_& module) {
  bind_options(module);
  nb::class_<CorePolicy>(module, "Policy", "A policy with random streams of its own.")
      .def("__init__", make_policy, nb::arg("pool"), nb::arg("policy"), nb::arg("options"), nb::arg("seed"),
           nb::arg("trial"), nb::arg("threads"), nb::keep_alive<1, 2>())
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
