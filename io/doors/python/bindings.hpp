// One function for each part of the module.
#pragma once

#include <nanobind/nanobind.h>

namespace inkling::python {

struct CoreSession;

void bind_errors(nanobind::module_& module);
void bind_pool(nanobind::module_& module);
void bind_building(nanobind::module_& module);
void bind_settings(nanobind::module_& module);
void bind_trials(nanobind::module_& module);
void bind_session(nanobind::module_& module);
void bind_kept_sessions(nanobind::module_& module, nanobind::class_<CoreSession>& methods);
void bind_evaluation(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_classifier(nanobind::module_& module);
void bind_scoring(nanobind::module_& module);
void bind_log_scoring(nanobind::module_& module);
void bind_live(nanobind::module_& module);  // with INKLING_PARTS
void bind_lab(nanobind::module_& module);   // with INKLING_LAB: bench/lab/lab_binding.cpp

}  // namespace inkling::python
