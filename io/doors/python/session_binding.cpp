// Sessions: a Searcher with its file, driven from Python.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/scoring/scan/mean_scan.hpp"
#include "engine/scoring/scan/model_scan.hpp"
#include "engine/sparse/whole_row.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/core_session.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/events/field_ratings.hpp"
#include "io/search/service/search_service.hpp"
#include "io/search/session/kept_search_form.hpp"
#include "io/search/session/word_parts.hpp"

namespace inkling::python {
namespace {

/// An event that holds; for an answer, with the offer that it answers.
struct HeldEvent {
  SearchEvent event;
  std::optional<Offer> offer;
};

// Answers that hold, the offers that they answer, and the offers without an answer yet.
std::vector<HeldEvent> held_events(CoreSession& session) {
  return alone(session, [](const Searcher& search) {
    const SearchHistory& history = search.history();
    std::unordered_set<std::int64_t> answered;
    for (const SearchEvent& event : history.events())
      if (event.shown && history.holds(event.sequence)) answered.insert(*event.shown);
    std::vector<HeldEvent> held;
    for (const SearchEvent& event : history.events())
      if (history.holds(event.sequence))
        held.push_back({event, history.offer_of(event)});
      else if (history.is_in_force(event.sequence) || answered.contains(event.sequence))
        held.push_back({event, event.offer});
    return held;
  });
}

std::vector<Offer> choose(CoreSession& session, std::int64_t count, const std::optional<ArrayIn<bool>>& among) {
  if (among && among->size() != static_cast<std::size_t>(session.pool.documents())) {
    throw FormatError("among", "expected a mask of " + std::to_string(session.pool.documents()) + " documents, got " +
                                   std::to_string(among->size()));
  }
  const std::span<const bool> mask = among ? span_of(*among) : std::span<const bool>();
  return alone(session, [&](Searcher& search) { return search.choose(count, mask); });
}

void rate(CoreSession& session, DocumentId document, double reward, const WordTuples& words) {
  const SearchRating rating = {document, reward, said_words(words)};
  alone(session, [&](Searcher& search) { search.rate(rating); });
}

void rate_many(CoreSession& session, const ArrayIn<std::int32_t>& documents, const ArrayIn<double>& rates,
               const ArrayIn<std::int64_t>& offsets, const ArrayIn<std::int32_t>& marks) {
  const std::size_t count = documents.size();
  if (rates.size() != count) throw FormatError("rates", "expected one for each document");
  if (count == 0) return;
  std::vector<SearchRating> ratings(count);
  for (std::size_t n = 0; n < count; ++n) {
    const auto first = static_cast<std::size_t>(span_of(offsets)[n]);
    const auto marked = static_cast<std::size_t>(span_of(offsets)[n + 1]) - first;
    ratings[n] = {.document = span_of(documents)[n], .reward = span_of(rates)[n]};
    for (const FeatureId feature : span_of(marks).subspan(first, marked)) ratings[n].words.push_back({.feature = feature});
    keep_first_mentions(ratings[n].words);
  }
  at_length(session, [&](Searcher& search, const LongWork&) { search.rate_at_once(ratings); });
}

// The means of these documents, or of all; 0 while no word is in use.
ArrayOut<double> means(CoreSession& session, const std::optional<ArrayIn<std::int32_t>>& rows) {
  std::vector<double> found(rows ? rows->size() : static_cast<std::size_t>(session.pool.documents()), 0.0);
  const auto find = [&] {
    const LinearModel* const model = session.model();
    if (model == nullptr || model->features_in_use() == 0) return;
    if (!rows) return MeanScan(*model).score_all(session.pool, found);
    score_means(*model, session.pool.by_document, span_of(*rows), found);
  };
  if (rows)
    alone(session, [&](const Searcher&) { find(); });
  else
    at_length(session, [&](const Searcher&, const LongWork&) { find(); });
  return array_of(std::move(found));
}

using Columns = std::tuple<ArrayOut<double>, ArrayOut<double>>;

// The means and widths of all documents; 0 while no word is in use.
Columns expectations(CoreSession& session) {
  const CsrView rows = session.pool.by_document;
  std::vector<double> means(static_cast<std::size_t>(rows.rows()), 0.0);
  std::vector<double> widths(means.size(), 0.0);
  at_length(session, [&](const Searcher&, const LongWork& work) {
    const LinearModel* const model = session.model();
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

// The same of some documents: of many by a scan of all, which takes less for each.
Columns expectations_at(CoreSession& session, std::span<const DocumentId> documents) {
  constexpr std::size_t few = 16;
  std::vector<double> means(documents.size(), 0.0);
  std::vector<double> widths(documents.size(), 0.0);
  if (few * documents.size() >= static_cast<std::size_t>(session.pool.documents())) {
    const auto [all_means, all_widths] = expectations(session);
    for (std::size_t n = 0; n < documents.size(); ++n) {
      means[n] = all_means.data()[documents[n]];
      widths[n] = all_widths.data()[documents[n]];
    }
  } else {
    alone(session, [&](const Searcher&) {
      const LinearModel* const model = session.model();
      if (model == nullptr || model->features_in_use() == 0) return;
      std::vector<WholeRow> whole(documents.size());
      std::vector<SparseRow> rows(documents.size());
      for (std::size_t n = 0; n < rows.size(); ++n)
        rows[n] = whole[n].of(session.pool.by_document, documents[n], model->columns());
      std::vector<Prediction> predictions(documents.size());
      model->predict_all(rows, predictions);
      for (std::size_t n = 0; n < documents.size(); ++n) {
        means[n] = predictions[n].mean;
        widths[n] = std::sqrt(std::max(predictions[n].square, 0.0));
      }
    });
  }
  return {array_of(std::move(means)), array_of(std::move(widths))};
}

Columns expectations_of(CoreSession& session, const ArrayIn<std::int32_t>& documents) {
  return expectations_at(session, span_of(documents));
}

// The best documents that are not rated, with their means, widths and scores.
std::tuple<ArrayOut<std::int32_t>, ArrayOut<double>, ArrayOut<double>, ArrayOut<double>> ranking(CoreSession& session,
                                                                                                 std::size_t count) {
  std::vector<std::int32_t> documents;
  std::vector<double> scores;
  alone(session, [&](Searcher& search) {
    for (const Ranked& one : search.ranking(std::min(count, static_cast<std::size_t>(session.pool.documents())))) {
      documents.push_back(one.document);
      scores.push_back(one.score);
    }
  });
  auto [means, widths] = expectations_at(session, documents);
  return {array_of(std::move(documents)), std::move(means), std::move(widths), array_of(std::move(scores))};
}

// Features in use with their weights.
std::tuple<ArrayOut<std::int32_t>, ArrayOut<double>> weights_in_use(CoreSession& session) {
  std::vector<std::int32_t> features;
  std::vector<double> found;
  alone(session, [&](const Searcher&) {
    const LinearModel* const model = session.model();
    if (model == nullptr) return;
    const std::vector<double> weights = weights_by_feature(*model);
    for (FeatureId feature = 0; feature < session.pool.features(); ++feature) {
      if (!model->uses(feature)) continue;
      features.push_back(feature);
      found.push_back(weights[static_cast<std::size_t>(feature)]);
    }
  });
  return {array_of(std::move(features)), array_of(std::move(found))};
}

// Standard deviations of these features' weights; 0 without a model.
std::vector<double> deviations(const LinearModel* model, std::span<const FeatureId> features) {
  std::vector<double> found(features.size(), 0.0);
  if (model != nullptr) found = variances_of(*model, features);
  for (double& one : found) one = std::sqrt(one);
  return found;
}

ArrayOut<double> deviations_of(CoreSession& session, const ArrayIn<std::int32_t>& features) {
  for (const FeatureId feature : span_of(features)) check_id("feature", feature, session.pool.features());
  std::vector<double> found;
  at_length(session, [&](const Searcher&, const LongWork&) { found = deviations(session.model(), span_of(features)); });
  return array_of(std::move(found));
}

using Part = std::tuple<FeatureId, double, double, double, double, double>;
using Explained = std::tuple<double, double, double, double, std::optional<double>, std::vector<Part>>;

Explained why(CoreSession& session, DocumentId document) {
  return alone(session, [&](const Searcher& search) -> Explained {
    const Why found = search.why(document);
    std::vector<FeatureId> features;
    for (const WordPart& part : found.parts) features.push_back(part.feature);
    const std::vector<double> uncertain = deviations(session.model(), features);
    std::vector<Part> parts;
    parts.reserve(found.parts.size());
    for (const WordPart& part : found.parts)
      parts.emplace_back(part.feature, part.value, part.weight, part.contribution, uncertain[parts.size()], part.width_share);
    return {found.mean, found.width, found.base, found.vector, found.radius, std::move(parts)};
  });
}

std::optional<double> radius_now(CoreSession& session) {
  return alone(session, [](const Searcher& search) {
    const Learner* const learner = search.policy().learner();
    return learner == nullptr ? std::nullopt : learner->radius();
  });
}

std::tuple<double, std::int64_t, double, std::int64_t> good_left_now(CoreSession& session, double threshold, double confidence) {
  return alone(session, [&](const Searcher& search) {
    const GoodLeft left = search.documents_left(threshold, confidence);
    return std::tuple(left.about, left.at_most, left.confidence, left.draws);
  });
}

const ShownPool& shown_pool(CoreSession& session) {
  if (session.mapped == nullptr)
    throw FormatError("the pool", "expected one on disk, whose words and ids are named; Pool.save writes it");
  if (!session.asked) session.asked = std::make_unique<AskedPool>(*session.mapped);
  return session.asked->shown;
}

// Requires: a pool whose words and ids were asked for.
ReviewOf review_of(CoreSession& session) {
  return {&session.facts, &session.asked->pools, [&session] {
            if (!session.keeper) return std::vector<PairOfReaders>();
            return session.keeper->writer().with_file(
                [&](const SessionFile& file) { return pairs_drawn_from(file, session.facts.id, session.mapped->copies()); });
          }};
}

// One request as JSON, and its answer, as on a pipe: each answer puts the next document on offer.
std::string ask(CoreSession& session, const std::string& line) {
  const ShownPool& shown = shown_pool(session);
  std::string answer;
  at_length(session, [&](Searcher& search, const LongWork&) {
    const auto reset = [&search](void*) { search.offers_next(false); };
    const std::unique_ptr<void, decltype(reset)> at_end(&search, reset);
    search.offers_next(true);
    answer = SearchService(search, shown, {}, review_of(session)).json(line);
  });
  return answer;
}

// An export as bytes, in the format of the path's ending.
nb::bytes export_of(CoreSession& session, const std::string& path, const std::string& which) {
  const WorkFormat format = work_format_of(path);
  const WorkChoice choice = value_named("which", which, kWorkChoices);
  const ShownPool& shown = shown_pool(session);
  std::string text;
  at_length(session, [&](Searcher& search, const LongWork&) { text = work_text(shown, work_of(search, choice), format); });
  return nb::bytes(text.data(), text.size());
}

// The report as text, in the format of the path's ending; a page in this language.
std::string report_of(CoreSession& session, const std::string& path, const std::string& language) {
  const ReportFormat format = report_format_of(path);
  const Language spoken = value_named("language", language, kLanguages);
  static_cast<void>(shown_pool(session));
  return alone(session, [&](const Searcher& search) {
    return report_text(review_report(search.history(), review_of(session)), format, spoken);
  });
}

// Documents, their ratings in a field of their records, and what is to be said of copies that differ.
std::tuple<std::vector<DocumentId>, std::vector<double>, std::string> ratings_of_field(const CorePool& pool,
                                                                                       const std::string& field) {
  if (pool.mapped() == nullptr) throw FormatError("rated_by", "expected a pool with fields of records");
  const FieldRatings found = ratings_in_field(*pool.mapped(), field);
  std::tuple<std::vector<DocumentId>, std::vector<double>, std::string> ratings = {{}, {}, disputes_text(found)};
  for (const Event& event : found.events) {
    std::get<0>(ratings).push_back(static_cast<DocumentId>(*event.document));
    std::get<1>(ratings).push_back(event.reward);
  }
  return ratings;
}

void close(CoreSession& session) {
  const OneThread one(session.busy);
  if (!session.keeper) return;
  session.keeper->keep_offers();
  session.keeper.reset();
  session.is_closed = true;
}

WordTuples tuples_of(std::span<const SaidWord> words) {
  WordTuples tuples;
  tuples.reserve(words.size());
  for (const SaidWord& word : words) tuples.emplace_back(word.feature, word.reward, word.confidence);
  return tuples;
}

void bind_events(nb::module_& module) {
  nb::class_<Offer>(module, "Choice", "A document on offer, and how it was chosen.")
      .def_ro("document", &Offer::document)
      .def_ro("round", &Offer::round)
      .def_ro("explored", &Offer::explored)
      .def_ro("among", &Offer::among)
      .def_ro("propensity", &Offer::propensity)
      .def_ro("radius", &Offer::radius)
      .def_ro("mean", &Offer::mean)
      .def_ro("width", &Offer::width);
  nb::class_<HeldEvent>(module, "HeldEvent", "An event that holds: it was not taken back.")
      .def_prop_ro("sequence", [](const HeldEvent& held) { return held.event.sequence; })
      .def_prop_ro("kind", [](const HeldEvent& held) { return search_event_name(held.event.kind); })
      .def_prop_ro("document", [](const HeldEvent& held) { return held.event.document.value_or(-1); })
      .def_prop_ro("reward", [](const HeldEvent& held) { return held.event.reward; })
      .def_prop_ro("feature", [](const HeldEvent& held) { return held.event.feature.value_or(-1); })
      .def_prop_ro("words", [](const HeldEvent& held) { return tuples_of(held.event.words); })
      .def_ro("choice", &HeldEvent::offer);
}

// A method of the searcher that may learn everything anew.
template <typename... Args>
auto method_of(std::int64_t (Searcher::*act)(Args...)) {
  return [act](CoreSession& session, std::decay_t<Args>... args) {
    at_length(session, [&](Searcher& search, const LongWork&) { (search.*act)(args...); });
  };
}

}  // namespace

void bind_session(nb::module_& module) {
  module.def("ratings_of_field", ratings_of_field, nb::arg("pool"), nb::arg("field"));
  bind_events(module);
  nb::class_<CoreSession> methods(module, "Session", "A search of one person.");
  bind_kept_sessions(module, methods);
  methods.def("close", close)
      .def("ask", ask, nb::arg("line"))
      .def("export", export_of, nb::arg("path"), nb::arg("which"))
      .def("report", report_of, nb::arg("path"), nb::arg("language"))
      .def("choose", choose, nb::arg("count"), nb::arg("among").none() = nb::none())
      .def("rate", rate, nb::arg("document"), nb::arg("rate"), nb::arg("words"))
      .def("rate_many", rate_many, nb::arg("documents").noconvert(), nb::arg("rates").noconvert(), nb::arg("offsets").noconvert(),
           nb::arg("marks").noconvert())
      .def(
          "query",
          [](CoreSession& session, const WordTuples& words) {
            at_length(session, [&](Searcher& search, const LongWork&) { search.rate_words(said_words(words)); });
          },
          nb::arg("words"))
      .def("unmark", method_of(&Searcher::unmark), nb::arg("feature"))
      .def("skip", method_of(&Searcher::skip), nb::arg("document"))
      .def("separate", method_of(&Searcher::separate), nb::arg("document"))
      .def("copies",
           [](CoreSession& session) {
             return alone(session, [](const Searcher& search) { return lists_of(search.history().copies()); });
           })
      .def("sample", method_of(&Searcher::sample), nb::arg("count"))
      .def("undo", method_of(&Searcher::undo_last), nb::arg("count"))
      .def("redo", method_of(&Searcher::redo_last), nb::arg("count"))
      .def("means", means, nb::arg("documents").noconvert().none() = nb::none())
      .def("expectations", expectations)
      .def("expectations_of", expectations_of, nb::arg("documents").noconvert())
      .def("ranking", ranking, nb::arg("count"))
      .def("weights", weights_in_use)
      .def("deviations", deviations_of, nb::arg("features").noconvert())
      .def("why", why, nb::arg("document"))
      .def("good_left", good_left_now, nb::arg("threshold"), nb::arg("confidence"))
      .def("progress",
           [](CoreSession& session) { return alone(session, [](Searcher& search) { return progress_answer(search); }); })
      .def("events", held_events)
      .def("on_offer",
           [](CoreSession& session) { return alone(session, [](const Searcher& search) { return search.open_offers(); }); })
      .def_ro("facts", &CoreSession::facts)
      .def_prop_ro("remaining",
                   [](CoreSession& session) {
                     return alone(session, [](const Searcher& search) { return search.policy().remaining().size(); });
                   })
      .def_prop_ro("radius", radius_now)
      .def_prop_ro("base_rate",
                   [](CoreSession& session) {
                     return alone(session, [&](const Searcher&) {
                       const LinearModel* const model = session.model();
                       return model == nullptr ? 0.0 : model->base_mean();
                     });
                   })
      .def_prop_ro("events_text", [](CoreSession& session) {
        return alone(session, [&](const Searcher& search) { return events_file_of(session.facts, search.history()); });
      });
}

}  // namespace inkling::python
