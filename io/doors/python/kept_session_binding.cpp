// Sessions that are kept: in a log of searches, which all programs share, or as a list of events.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "engine/core/enum_names.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/process.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/core_session.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling::python {
namespace {

/// An event without its sequence: milliseconds, kind, document, body.
using PastTuple = std::tuple<std::int64_t, std::string, std::optional<DocumentId>, std::string>;

std::vector<PastTuple> past_of(std::span<const SearchEvent> events) {
  std::vector<PastTuple> past;
  past.reserve(events.size());
  for (const SearchEvent& event : events)
    past.emplace_back(event.at_ms, search_event_name(event.kind), event.document, body_of(event));
  return past;
}

std::vector<SearchEvent> events_in(const std::vector<PastTuple>& past) {
  std::vector<SearchEvent> events;
  events.reserve(past.size());
  for (const auto& [at_ms, name, document, body] : past) {
    const std::optional<SearchEventKind> kind = value_of(std::string_view(name), kSearchEventNames);
    if (!kind) throw FormatError("the events of a session", "expected kinds that are known, found " + name);
    SearchEvent& event = events.emplace_back();
    event = {.sequence = std::ssize(events), .at_ms = at_ms, .kind = *kind, .document = document};
    read_body(event, body, "event " + std::to_string(event.sequence));
  }
  return events;
}

SessionFacts with_date(SessionFacts facts) {
  facts.owner = name_of_user();
  facts.created_ms = milliseconds_now();
  return facts;
}

// With a file: continues the search that the facts name, or begins a new one; the file is made if there is none. Without a
// file: continues after `past`.
void make_session(CoreSession* self, const CorePool& pool, SessionFacts facts, const std::vector<PastTuple>& past,
                  const std::optional<std::string>& path, int threads) {
  std::vector<SearchEvent> events = events_in(past);
  std::unique_ptr<SessionKeeper> keeper;
  if (path) {
    require_own_threads();
    const bool is_new = facts.id.empty();
    if (is_new) static_cast<void>(Searcher(pool.view(), settings_of_session(facts, pool)));  // throws on bad settings
    SessionFile file(*path, SessionAccess::write);
    if (is_new && search_named(file, facts.name))
      throw FormatError(*path,
                        "expected a new name, found the search " + quoted_text(facts.name) + ", which Session.open continues");
    if (is_new) facts = file.begin(with_date(std::move(facts)));
    events = file.events(facts.id);
    keeper = std::make_unique<SessionKeeper>(std::move(file), facts.id);
  }
  new (self) CoreSession(pool, std::move(facts), events, std::move(keeper), threads);
}

// Appends the events that the file lacks.
void save_session(CoreSession& session, const std::string& path, const std::string& name) {
  alone(session, [&](const Searcher& search) {
    SessionFile file(path, SessionAccess::write);
    const std::vector<SearchEvent> events = search.history().logged();
    std::optional<SessionFacts> old = search_named(file, name);
    if (!old) {
      SessionFacts facts = with_date(session.facts);
      facts.name = name;
      static_cast<void>(file.begin(std::move(facts), events, name_of_user()));
      return;
    }
    const std::vector<SearchEvent> kept = file.events(old->id);
    const SessionFacts& own = session.facts;
    const bool is_same = old->fingerprint == own.fingerprint && old->policy == own.policy && old->options == own.options &&
                         old->seed == own.seed && kept.size() <= events.size() &&
                         std::ranges::equal(kept, std::span(events).first(kept.size()));
    if (!is_same) throw FormatError(path, "expected a new name, found another search of the name " + quoted_text(name));
    const SessionBatch batch = {.session = old->id, .actor = name_of_user(), .events = std::span(events).subspan(kept.size())};
    if (!batch.events.empty()) file.append({&batch, 1});
  });
}

}  // namespace

void bind_kept_sessions(nb::module_& module, nb::class_<CoreSession>& methods) {
  nb::class_<SessionFacts>(module, "SearchFacts", "A search without its events.")
      .def(nb::init<>())
      .def_rw("name", &SessionFacts::name)
      .def_rw("pool", &SessionFacts::pool)
      .def_rw("fingerprint", &SessionFacts::fingerprint)
      .def_rw("policy", &SessionFacts::policy)
      .def_rw("options", &SessionFacts::options)
      .def_rw("seed", &SessionFacts::seed);
  module.def(
      "searches_in",
      [](const std::string& path) {
        require_own_threads();
        return SessionFile(path, SessionAccess::read).sessions();
      },
      nb::arg("path"));
  module.def(
      "past_in",
      [](const std::string& path, const SessionFacts& facts) {
        require_own_threads();
        return past_of(SessionFile(path, SessionAccess::read).events(facts.id));
      },
      nb::arg("path"), nb::arg("facts"));
  methods
      .def("__init__", make_session, nb::arg("pool"), nb::arg("facts"), nb::arg("past"), nb::arg("path").none(),
           nb::arg("threads"), nb::keep_alive<1, 2>())
      .def("save", save_session, nb::arg("path"), nb::arg("name"))
      .def("past", [](CoreSession& self) {
        return alone(self, [](const Searcher& search) { return past_of(search.history().logged()); });
      });
}

}  // namespace inkling::python
