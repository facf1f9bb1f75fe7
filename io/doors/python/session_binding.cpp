// Sessions: a person's search, driven from Python.
#include <algorithm>
#include <cmath>
#include <limits>
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
#include "engine/scoring/scan/model_scan.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/core_session.hpp"
#include "io/doors/python/live_session.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/session/good_left.hpp"
#include "io/search/session/search_insight.hpp"

namespace inkling::python {
std::vector<SaidWord> said_words(const std::vector<FeatureId>& marks, const std::vector<double>& confidences,
                                 const RatingTuples& ratings) {
  if (!confidences.empty() && confidences.size() != marks.size())
    throw FormatError("confidences", "expected one for each mark, or none");
  std::vector<SaidWord> words;
  words.reserve(marks.size() + ratings.size());
  for (std::size_t n = 0; n < marks.size(); ++n)
    words.push_back({.feature = marks[n], .confidence = confidences.empty() ? 1.0 : confidences[n]});
  for (const auto& [feature, reward, confidence] : ratings) words.push_back({feature, reward, confidence});
  keep_first_mentions(words);
  return words;
}

Preset preset_named(const std::string& name) {
  if (const std::optional<Preset> found = find_preset(name)) return *found;
  std::string names;
  for (const Preset& preset : presets()) names += (names.empty() ? "" : ", ") + std::string(preset.name);
  throw FormatError("policy '" + name + "'", "expected one of " + names);
}

namespace {

std::optional<LiveChoice> choose(CoreSession& session, const std::optional<ArrayIn<bool>>& among) {
  if (among && among->size() != static_cast<std::size_t>(session.live.pool().documents())) {
    throw FormatError("among", "expected a mask of " + std::to_string(session.live.pool().documents()) +
                                   " documents, got " + std::to_string(among->size()));
  }
  const std::span<const bool> mask = among ? span_of(*among) : std::span<const bool>();
  return alone(session, [&] { return session.live.choose(mask); });
}

RatingTuples ratings_in(std::span<const SaidWord> words) {
  RatingTuples tuples;
  for (const SaidWord& word : words)
    if (word.reward) tuples.emplace_back(word.feature, *word.reward, word.confidence);
  return tuples;
}

std::vector<FeatureId> marks_in(std::span<const SaidWord> words) {
  std::vector<FeatureId> marks;
  for (const SaidWord& word : words)
    if (!word.reward) marks.push_back(word.feature);
  return marks;
}

// None where all marks are certain.
std::vector<double> confidences_in(std::span<const SaidWord> words) {
  std::vector<double> confidences;
  for (const SaidWord& word : words)
    if (!word.reward) confidences.push_back(word.confidence);
  const bool all_certain = std::ranges::all_of(confidences, [](double one) { return one == 1.0; });
  return all_certain ? std::vector<double>() : confidences;
}

void rate_words(CoreSession& session, const RatingTuples& given) {
  const std::vector<SaidWord> words = said_words({}, {}, given);
  alone(session, [&] { session.live.rate_words(words); });
}

void observe(CoreSession& session, DocumentId document, double reward, const std::vector<FeatureId>& marks,
             const std::vector<double>& confidences, const RatingTuples& given) {
  const std::vector<SaidWord> words = said_words(marks, confidences, given);
  alone(session, [&] { session.live.observe(document, reward, words); });
}

void observe_many(CoreSession& session, const ArrayIn<std::int32_t>& documents,
                  const ArrayIn<double>& rewards, const ArrayIn<std::int64_t>& offsets,
                  const ArrayIn<std::int32_t>& marks) {
  const std::size_t count = documents.size();
  if (rewards.size() != count) throw FormatError("rewards", "expected one for each document");
  const auto ends = span_of(offsets);
  std::vector<SaidWord> words;
  words.reserve(marks.size());
  for (const FeatureId feature : span_of(marks)) words.push_back({.feature = feature});
  std::vector<PastEvent> events(count);
  for (std::size_t n = 0; n < count; ++n) {
    const auto begin = static_cast<std::size_t>(ends[n]);
    events[n] = {.document = span_of(documents)[n],
                 .reward = span_of(rewards)[n],
                 .words = std::span(words).subspan(begin, static_cast<std::size_t>(ends[n + 1]) - begin)};
  }
  const OneThread one(session.busy);
  LongWork work;
  work.run(session.threads, [&] { session.live.learn(events, [&] { work.stopped(); }); });
}

void undo(CoreSession& session, std::int64_t count) {
  const OneThread one(session.busy);
  LongWork work;
  work.run(session.threads, [&] { session.live.undo(count, [&] { work.stopped(); }); });
}

using Columns = std::tuple<ArrayOut<double>, ArrayOut<double>>;

// Of all documents; widths of 0 where nothing was learned.
Columns expectations(CoreSession& session) {
  const CsrView rows = session.live.pool().by_document;
  std::vector<double> means(static_cast<std::size_t>(rows.rows()), 0.0);
  std::vector<double> widths(means.size(), 0.0);
  const OneThread one(session.busy);
  LongWork work;
  work.run(session.threads, [&] {
    const LinearModel* const model = session.live.model();
    if (model == nullptr || model->features_in_use() == 0) return;
    ModelScan(*model, rows.rows()).for_each(rows, [&](DocumentId document, const Prediction& prediction) {
      work.stopped();
      const auto at = static_cast<std::size_t>(document);
      means[at] = prediction.mean;
      widths[at] = std::sqrt(std::max(prediction.square, 0.0));
    });
  });
  return {array_of(std::move(means)), array_of(std::move(widths))};
}

// Features in use with their weights.
std::tuple<ArrayOut<std::int32_t>, ArrayOut<double>> weights_in_use(CoreSession& session) {
  std::vector<std::int32_t> features;
  std::vector<double> found;
  alone(session, [&] {
    const LinearModel* const model = session.live.model();
    if (model == nullptr) return;
    const auto in_use = model->coordinates();
    features.assign(in_use.begin(), in_use.end());
    found.reserve(features.size());
    for (const FeatureId feature : in_use) found.push_back(model->weight(feature));
  });
  return {array_of(std::move(features)), array_of(std::move(found))};
}

// How far off the weights of these features may be; 0 where nothing was learned.
ArrayOut<double> deviations_of(CoreSession& session, const ArrayIn<std::int32_t>& features) {
  for (const FeatureId feature : span_of(features))
    check_id("feature", feature, session.live.pool().features());
  std::vector<double> found;
  found.reserve(features.size());
  const OneThread one(session.busy);
  LongWork work;
  work.run(0, [&] {
    const LinearModel* const model = session.live.model();
    const float value = 1.0F;
    for (const FeatureId feature : span_of(features)) {
      work.stopped();
      const double square =
          model == nullptr ? 0.0 : model->predict({std::span(&feature, 1), std::span(&value, 1)}, 0.0).square;
      found.push_back(std::sqrt(std::max(square, 0.0)));
    }
  });
  return array_of(std::move(found));
}

using Part = std::tuple<FeatureId, double, double, double, double, double>;
using Explained = std::tuple<double, double, double, std::optional<double>, std::vector<Part>>;

Explained explain(CoreSession& session, DocumentId document) {
  check_id("document", document, session.live.pool().documents());
  return alone(session, [&]() -> Explained {
    const Why why = why_of(session.live.policy(), session.live.pool(), document, {});
    std::vector<Part> parts;
    parts.reserve(why.parts.size());
    const float one = 1.0F;
    for (const WordPart& part : why.parts) {
      const double square =
          session.live.model()->predict({std::span(&part.feature, 1), std::span(&one, 1)}, 0.0).square;
      parts.emplace_back(part.feature, part.value, part.weight, part.contribution,
                         std::sqrt(std::max(square, 0.0)), part.width_share);
    }
    return {why.mean, why.width, why.base, why.radius, std::move(parts)};
  });
}

std::string kind_name(const LiveEvent& event) {
  constexpr const char* names[] = {"chosen", "observed", "forgot", "skipped", "words"};
  return names[static_cast<int>(event.kind)];
}

LiveEventKind kind_named(const std::string& name) {
  for (const LiveEventKind kind : {LiveEventKind::chosen, LiveEventKind::observed, LiveEventKind::forgot,
                                   LiveEventKind::skipped, LiveEventKind::words}) {
    if (kind_name({.kind = kind}) == name) return kind;
  }
  throw FormatError("event '" + name + "'", "expected chosen, observed, forgot, skipped or words");
}

std::optional<double> radius_now(CoreSession& session) {
  const OneThread one(session.busy);
  const Learner* const learner = session.live.policy().learner();
  return learner == nullptr ? std::nullopt : learner->radius();
}

std::vector<DocumentId> documents_left(CoreSession& session) {
  const OneThread one(session.busy);
  std::vector<DocumentId> left;
  left.reserve(static_cast<std::size_t>(session.live.remaining()));
  for (DocumentId i = 0; i < session.live.pool().documents(); ++i) {
    if (session.live.policy().remaining().contains(i)) left.push_back(i);
  }
  return left;
}

using Draw = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::optional<bool>>;

std::tuple<double, std::int64_t, double, std::int64_t> remaining_good(const std::vector<Draw>& given,
                                                                      std::int64_t unrated,
                                                                      std::int64_t found, double confidence) {
  std::vector<RandomDraw> draws;
  draws.reserve(given.size());
  for (const auto& [among, before, good_before, good] : given)
    draws.push_back({among, before, good_before, good});
  const GoodLeft left = good_left(draws, unrated, found, confidence);
  return {left.about, left.at_most, left.confidence, left.draws};
}

double nan_or(const std::optional<double>& number) {
  return number.value_or(std::numeric_limits<double>::quiet_NaN());
}

void bind_choice(nb::module_& module) {
  nb::class_<LiveChoice>(module, "Choice", "A document that was chosen, and how.")
      .def(nb::init<>())
      .def_rw("document", &LiveChoice::document)
      .def_rw("round", &LiveChoice::round)
      .def_rw("explored", &LiveChoice::explored)
      .def_rw("among", &LiveChoice::among)
      .def_rw("pscore", &LiveChoice::propensity, nb::arg().none())
      .def_rw("radius", &LiveChoice::radius, nb::arg().none())
      .def_rw("mean", &LiveChoice::mean, nb::arg().none())
      .def_rw("width", &LiveChoice::width, nb::arg().none());
  nb::class_<LiveEvent>(module, "LiveEvent", "One line of a session's log.")
      .def(nb::init<>())
      .def_prop_rw("kind", kind_name,
                   [](LiveEvent& event, const std::string& name) { event.kind = kind_named(name); })
      .def_rw("choice", &LiveEvent::choice)
      .def_rw("document", &LiveEvent::document)
      .def_rw("reward", &LiveEvent::reward)
      .def_rw("feature", &LiveEvent::feature)
      .def_prop_ro("marks", [](const LiveEvent& event) { return marks_in(event.words); })
      .def_prop_ro("confidences", [](const LiveEvent& event) { return confidences_in(event.words); })
      .def_prop_ro("ratings", [](const LiveEvent& event) { return ratings_in(event.words); })
      .def(
          "say",
          [](LiveEvent& event, const std::vector<FeatureId>& marks, const std::vector<double>& confidences,
             const RatingTuples& ratings) { event.words = said_words(marks, confidences, ratings); },
          nb::arg("marks"), nb::arg("confidences"), nb::arg("ratings"))
      .def_prop_ro("pscore", [](const LiveEvent& event) { return nan_or(event.choice.propensity); })
      .def_prop_ro("radius", [](const LiveEvent& event) { return nan_or(event.choice.radius); });
}

}  // namespace

void bind_session(nb::module_& module) {
  bind_choice(module);
  nb::class_<CoreSession>(module, "Session", "A policy with its log.")
      .def(
          "__init__",
          [](CoreSession* self, const CorePool& pool, const std::string& policy, const PolicyOptions& options,
             std::uint64_t seed, std::uint64_t trial, int threads) {
            new (self) CoreSession(pool, {preset_named(policy), options, seed, trial}, threads);
          },
          nb::arg("pool"), nb::arg("policy"), nb::arg("options"), nb::arg("seed"), nb::arg("trial"),
          nb::arg("threads"), nb::keep_alive<1, 2>())
      .def("choose", choose, nb::arg("among").none() = nb::none())
      .def("observe", observe, nb::arg("document"), nb::arg("reward"), nb::arg("marks"),
           nb::arg("confidences"), nb::arg("ratings"))
      .def("rate_words", rate_words, nb::arg("ratings"))
      .def("observe_many", observe_many, nb::arg("documents").noconvert(), nb::arg("rewards").noconvert(),
           nb::arg("offsets").noconvert(), nb::arg("marks").noconvert())
      .def(
          "forget",
          [](CoreSession& session, FeatureId feature) {
            alone(session, [&] { session.live.forget(feature); });
          },
          nb::arg("feature"))
      .def(
          "skip",
          [](CoreSession& session, DocumentId document) {
            alone(session, [&] { session.live.skip(document); });
          },
          nb::arg("document"))
      .def("undo", undo, nb::arg("count"))
      .def(
          "replay",
          [](CoreSession& session, const LiveEvent& event) {
            alone(session, [&] { session.live.replay(event); });
          },
          nb::arg("event"))
      .def_prop_rw(
          "streams",
          [](CoreSession& session) {
            return looked_at(session, [](LiveSession& live) { return live.streams(); });
          },
          [](CoreSession& session, const StreamWords& words) {
            looked_at(session, [&](LiveSession& live) { live.set_streams(words); });
          })
      .def("expectations", expectations)
      .def("weights", weights_in_use)
      .def("deviations", deviations_of, nb::arg("features").noconvert())
      .def("explain", explain, nb::arg("document"))
      .def("events",
           [](CoreSession& session) {
             return looked_at(session, [](LiveSession& live) { return live.events(); });
           })
      .def_prop_ro("event_count",
                   [](CoreSession& session) {
                     return looked_at(session, [](LiveSession& live) { return std::ssize(live.events()); });
                   })
      .def("outstanding",
           [](CoreSession& session) {
             return looked_at(session, [](LiveSession& live) { return live.outstanding(); });
           })
      .def("documents_left", documents_left)
      .def_prop_ro("rounds",
                   [](CoreSession& session) {
                     return looked_at(session, [](LiveSession& live) { return live.rounds(); });
                   })
      .def_prop_ro("remaining",
                   [](CoreSession& session) {
                     return looked_at(session, [](LiveSession& live) { return live.remaining(); });
                   })
      .def_prop_ro("radius", radius_now)
      .def_prop_ro("features_in_use", [](CoreSession& session) {
        return looked_at(session, [](LiveSession& live) { return live.policy().features_in_use(); });
      });
  module.def("good_left", remaining_good, nb::arg("draws"), nb::arg("unrated"), nb::arg("found"),
             nb::arg("confidence"));
}

}  // namespace inkling::python
