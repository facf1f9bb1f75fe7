// What another policy would have found: in a session, and in rounds of any log.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "engine/core/errors.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_session.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/search/evaluation/rounds_table.hpp"

namespace inkling::python {
namespace {

using Numbers = ArrayIn<double>;
using Counts = std::tuple<ArrayOut<std::int64_t>, ArrayOut<std::int64_t>, ArrayOut<std::int64_t>, ArrayOut<std::int64_t>>;
using Reals = std::tuple<ArrayOut<double>, ArrayOut<double>, ArrayOut<double>, ArrayOut<double>, ArrayOut<double>,
                         ArrayOut<double>, ArrayOut<double>>;

template <typename Number>
ArrayOut<Number> column_of(const LoggedRounds& found, const auto& value) {
  std::vector<Number> numbers;
  numbers.reserve(found.rounds.size());
  for (const LoggedRound& round : found.rounds) numbers.push_back(static_cast<Number>(value(round)));
  return array_of(std::move(numbers));
}

// The estimates as JSON; shown, document, among and best (-1 if it explored for certain); the other columns of rounds_text.
std::tuple<std::string, Counts, Reals> evaluate_session(CoreSession& session, const std::string& policy,
                                                        const PolicyOptions& options, double confidence) {
  LoggedRounds found;
  std::string json;
  at_length(session, [&](const Searcher& search, const LongWork& work) {
    const SearchSettings target = settings_of_target(session.facts, session.mapped, preset_named(policy), options);
    found = logged_rounds(session.pool, target, search.history().logged(), [&work] { work.stopped(); });
    require_rounds(found, session.facts.name, session.facts.policy);
    json = value_json(policy_value(found.weighed(), confidence), &found.left_out);
  });
  const auto real = [&](double WeighedRound::*member) {
    return column_of<double>(found, [member](const LoggedRound& round) { return round.weighed.*member; });
  };
  const auto best_of = [](const LoggedRound& round) { return round.odds.best.empty() ? kNoDocument : round.odds.best.front(); };
  return {std::move(json),
          {column_of<std::int64_t>(found, [](const LoggedRound& round) { return round.shown; }),
           column_of<std::int64_t>(found, [](const LoggedRound& round) { return round.document; }),
           column_of<std::int64_t>(found, [](const LoggedRound& round) { return round.odds.among; }),
           column_of<std::int64_t>(found, best_of)},
          {column_of<double>(found, [](const LoggedRound& round) { return round.odds.exploration; }), real(&WeighedRound::logged),
           real(&WeighedRound::target), real(&WeighedRound::reward), real(&WeighedRound::predicted),
           real(&WeighedRound::expectation), real(&WeighedRound::square)}};
}

std::string evaluate_rounds(const Numbers& logged, const Numbers& target, const Numbers& reward, const Numbers& predicted,
                            const Numbers& expectation, const Numbers& square, double confidence) {
  for (const Numbers* const column : {&target, &reward, &predicted, &expectation, &square})
    if (column->size() != logged.size()) throw FormatError("the columns of the rounds", "expected one length");
  std::vector<WeighedRound> rounds(logged.size());
  for (std::size_t n = 0; n < rounds.size(); ++n) {
    rounds[n] = {span_of(logged)[n],    span_of(target)[n],      span_of(reward)[n],
                 span_of(predicted)[n], span_of(expectation)[n], span_of(square)[n]};
    if (const std::optional<std::string> broken = broken_rule_of_round(rounds[n]))
      throw FormatError("round " + std::to_string(n), "expected " + *broken);
  }
  if (rounds.empty()) throw FormatError("the rounds", "expected at least one");
  const nb::gil_scoped_release released;
  return value_json(policy_value(rounds, confidence), nullptr);
}

}  // namespace

void bind_evaluation(nb::module_& module) {
  module.def("evaluate_session", evaluate_session, nb::arg("session"), nb::arg("policy"), nb::arg("options"),
             nb::arg("confidence"));
  module.def("evaluate_rounds", evaluate_rounds, nb::arg("logged").noconvert(), nb::arg("target").noconvert(),
             nb::arg("reward").noconvert(), nb::arg("predicted").noconvert(), nb::arg("expectation").noconvert(),
             nb::arg("square").noconvert(), nb::arg("confidence"));
}

}  // namespace inkling::python
