// The table of settings of policies, and their values from Python.
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_session.hpp"
#include "io/search/events/setting_values.hpp"

namespace inkling::python {
namespace {

PolicyOptions options_of_search() {
  PolicyOptions options;
  options.with_replacement = false;
  return options;
}

// A value of another type becomes its text, which the table refuses.
SettingValue setting_value(const PolicySetting& setting, nb::handle given) {
  const bool is_number = PyNumber_Check(given.ptr()) != 0;
  try {
    if (std::holds_alternative<ChoiceSetting>(setting.kind)) return nb::cast<std::string>(given);
    if (std::holds_alternative<FlagSetting>(setting.kind)) return nb::cast<bool>(nb::bool_(given));
    if (std::holds_alternative<FeaturesSetting>(setting.kind)) return nb::cast<std::vector<FeatureId>>(given);
    if (std::holds_alternative<WholeSetting>(setting.kind) && !nb::isinstance<nb::bool_>(given))
      return nb::cast<std::int64_t>(given);
    if (std::holds_alternative<RealSetting>(setting.kind) && is_number) return nb::cast<double>(nb::float_(given));
  } catch (const std::exception&) {
    PyErr_Clear();
  }
  return std::string(nb::str(given).c_str());
}

void make_options(PolicyOptions* self, const std::string& policy, const nb::typed<nb::dict, nb::str, nb::object>& settings) {
  const Preset preset = preset_named(policy);
  PolicyOptions options = options_of_search();
  for (const auto& [key, value] : settings) {
    const auto name = nb::cast<std::string>(key);
    const PolicySetting* const setting = find_setting(name);
    if (setting == nullptr) throw nb::type_error(("unexpected setting '" + name + "'" + nearest_setting(name)).c_str());
    if (!value.is_none()) tell_setting(options, preset, *setting, setting_value(*setting, value));
  }
  new (self) PolicyOptions(std::move(options));
}

/// Name, default or None, sentence, the policies that use it, whether it is of the model.
using SettingRow = std::tuple<std::string, nb::object, std::string, std::vector<std::string>, bool>;

std::vector<SettingRow> setting_rows() {
  std::vector<SettingRow> rows;
  for (const PolicySetting& setting : policy_settings()) {
    const auto* const real = std::get_if<RealSetting>(&setting.kind);
    nb::object otherwise = real != nullptr && real->has_rule ? nb::none() : nb::cast(setting_in(options_of_search(), setting));
    std::vector<std::string> users;
    for (const Preset& preset : presets())
      if (setting.used_by(preset)) users.emplace_back(preset.name);
    rows.emplace_back(setting.name, std::move(otherwise), setting.help, std::move(users), setting.part == SettingOf::model);
  }
  return rows;
}

}  // namespace

void bind_settings(nb::module_& module) {
  nb::class_<PolicyOptions>(module, "PolicyOptions", "The settings of a policy.")
      .def("__init__", make_options, nb::arg("policy"), nb::arg("settings"))
      .def("__getitem__",
           [](const PolicyOptions& options, const std::string& name) {
             const PolicySetting* const setting = find_setting(name);
             if (setting == nullptr) throw nb::key_error(name.c_str());
             return setting_in(options, *setting);
           })
      .def("text",
           [](const PolicyOptions& options, const std::string& policy) { return options_text(options, preset_named(policy)); });
  module.def("policy_settings", setting_rows);
  module.def("nearest_setting", nearest_setting, nb::arg("name"));
}

}  // namespace inkling::python
