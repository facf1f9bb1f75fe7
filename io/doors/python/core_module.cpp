// The module inkling._core: the C++ classes, one to one. The package in Python makes the API of them.
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/policy/presets.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/corpus/text/stop_words.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/search/events/learning.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling::python {
namespace {

nb::object error_class(const char* name) { return nb::module_::import_("inkling._errors").attr(name); }

void raise_format_error(const char* name, const FormatError& error) {
  const nb::object type = error_class(name);
  const nb::object made = type(nb::str(error.where().c_str()), nb::str(error.expectation().c_str()));
  PyErr_SetObject(type.ptr(), made.ptr());
}

// OSError itself chooses the subclass by the number, such as FileNotFoundError.
void raise_system_error(const SystemError& error) {
  const nb::object made =
      nb::steal(PyObject_CallFunction(PyExc_OSError, "iss", error.error_number(), error.what(), error.path().c_str()));
  if (made.is_valid()) PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const CorruptFileError& error) {
    raise_format_error("CorruptFileError", error);
  } catch (const FormatError& error) {
    raise_format_error("FormatError", error);
  } catch (const NumericalError& error) {
    PyErr_SetString(error_class("NumericalError").ptr(), error.what());
  } catch (const SystemError& error) {
    raise_system_error(error);
  }
}

template <typename Condition>
std::vector<std::string> policies_with(const Condition& condition) {
  std::vector<std::string> names;
  for (const Preset& preset : presets())
    if (condition(preset)) names.emplace_back(preset.name);
  return names;
}

}  // namespace

void bind_errors(nb::module_& module) {
  nb::register_exception_translator(translate);
  module.def("policy_names", [] { return policies_with([](const Preset&) { return true; }); });
  module.def("tuned_policies", [] {
    return policies_with([](const Preset& preset) { return preset.scope == FeatureScope::Kind::all && preset.uses.ridge; });
  });
  module.def("search_policies", [] { return policies_with(can_search_with); });
  module.def("scoring_policies", [] { return policies_with(learns_from_events); });
  module.def("english_stop_words", [] {
    std::vector<std::string> words;
    words.reserve(english_stop_words().size());
    for (const std::string_view word : english_stop_words()) words.emplace_back(word);
    return words;
  });
  module.def("available_threads", available_threads);
  module.def("write_file", [](const std::string& path, const std::string& text) { write_file(path, text); });
  module.def("write_file", [](const std::string& path, const nb::bytes& bytes) {
    write_file(path, {bytes.c_str(), bytes.size()});
  });
  module.attr("default_policy") = kDefaultPolicy;
  module.attr("version") = std::string(program_version).c_str();
  nb::enum_<RandomRole>(module, "RandomRole")
      .value("target", RandomRole::target)
      .value("reward", RandomRole::reward)
      .value("marks", RandomRole::marks)
      .value("subset", RandomRole::subset)
      .value("pool", RandomRole::pool)
      .value("topics", RandomRole::topics)
      .value("sampling", RandomRole::sampling);
  nb::class_<RandomStream>(module, "RandomStream", "The random numbers of Inkling: the same on every machine.")
      .def(nb::init<std::uint64_t, std::uint64_t, RandomRole>(), nb::arg("seed"), nb::arg("trial"), nb::arg("role"))
      .def("below", &RandomStream::below, nb::arg("bound"))
      .def("uniform", &RandomStream::uniform)
      .def("normal", &RandomStream::normal)
      .def("uniforms", [](RandomStream& stream, std::size_t count) {
        std::vector<double> numbers(count);
        for (double& number : numbers) number = stream.uniform();
        return array_of(std::move(numbers));
      });
}

}  // namespace inkling::python

NB_MODULE(_core, module) {
  module.doc() = "The engine of Inkling, class by class. Use the package inkling.";
  inkling::python::bind_errors(module);
  inkling::python::bind_pool(module);
  inkling::python::bind_building(module);
  inkling::python::bind_settings(module);
  inkling::python::bind_trials(module);
  inkling::python::bind_session(module);
  inkling::python::bind_evaluation(module);
  inkling::python::bind_model(module);
  inkling::python::bind_classifier(module);
  inkling::python::bind_scoring(module);
  inkling::python::bind_log_scoring(module);
#ifdef INKLING_PARTS
  inkling::python::bind_live(module);
#endif
#ifdef INKLING_LAB
  inkling::python::bind_lab(module);
#endif
}
