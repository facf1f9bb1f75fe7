#include "io/session/learning.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "engine/core/errors.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/policy/learner.hpp"
#include "engine/policy/mark_beliefs.hpp"
#include "engine/policy/persuaded_learner.hpp"

namespace inkling {
namespace {

CsrMatrix gathered(std::span<const std::int64_t> documents, std::int32_t features,
                   const PlayedPool::RowOf& row_of) {
  CsrMatrix rows(features);
  for (const std::int64_t document : documents) {
    const CsrMatrix row = row_of(document);
    rows.append_row(row.view().row(0));
  }
  return rows;
}

/// Events on their way into a model.
struct Lesson {
  std::span<const Event> events;
  const PlayedPool& played;
  const std::function<void()>& between_events;

  [[nodiscard]] DocumentId document_of(const Event& event) const { return played.number_of(event.document); }
};

TaughtModel after_refining(std::unique_ptr<LinearModel> model, const PolicyOptions& options) {
  model->refine();
  const double radius = radius_of(*model, options);
  return {std::move(model), radius};
}

TaughtModel learn_marked(const Lesson& lesson, const PolicyOptions& options) {
  std::unique_ptr<LinearModel> model =
      make_linear_model(ModelForm::primal, lesson.played.view(), ridge_options(options));
  for (const Event& event : lesson.events) {
    lesson.between_events();
    model->observe(lesson.document_of(event), event.reward);
    for (const FeatureId feature : event.features) {
      if (!model->uses(feature)) model->adopt(feature);
    }
  }
  return after_refining(std::move(model), options);
}

/// For all features of the pool. Its form depends on these events alone, and not on who else played what.
std::unique_ptr<LinearModel> model_of_all(std::span<const Event> events, PoolView pool,
                                          PolicyOptions options) {
  const auto documents = static_cast<std::int64_t>(play_counts(events).size());
  if (!options.form) options.form = model_form(pool, pool.features(), std::max<std::int64_t>(documents, 1));
  std::unique_ptr<LinearModel> model = model_for(pool, options);
  const std::int64_t rows = model->dual() != nullptr ? documents : pool.features();
  if (rows <= kLargestGram) return model;
  throw FormatError("events", "expected at most " + std::to_string(kLargestGram) +
                                  " different documents where " + std::to_string(pool.features()) +
                                  " features are in use, found " + std::to_string(documents));
}

/// Rewards on all features, each with its precision.
TaughtModel learn_all(const Lesson& lesson, const PolicyOptions& options,
                      const std::function<double(FeatureId)>& precision_of) {
  const PoolView pool = lesson.played.view();
  std::unique_ptr<LinearModel> model = model_of_all(lesson.events, pool, options);
  for (FeatureId feature = 0; feature < pool.features(); ++feature) {
    model->adopt(feature);
    const double precision = precision_of(feature);
    if (precision != model->ridge()) model->reweigh(feature, precision);
  }
  for (const Event& event : lesson.events) {
    lesson.between_events();
    model->observe(lesson.document_of(event), event.reward);
  }
  return after_refining(std::move(model), options);
}

MarkBeliefs beliefs_of(const Lesson& lesson, const PolicyOptions& options) {
  const PoolView pool = lesson.played.view();
  MarkBeliefs beliefs(pool.features(), options.confidence, options.soft_marks);
  std::vector<Mark> marks;
  for (const Event& event : lesson.events) {
    marks.clear();
    for (std::size_t n = 0; n < event.features.size(); ++n) {
      marks.push_back({event.features[n], event.confidences.empty() ? 1.0 : event.confidences[n]});
    }
    beliefs.listen(pool.by_document.row(lesson.document_of(event)), marks);
  }
  return beliefs;
}

}  // namespace

std::vector<PlayCount> play_counts(std::span<const Event> events) {
  std::vector<PlayCount> counts;
  counts.reserve(events.size());
  for (const Event& event : events) counts.push_back({event.document, 1});
  std::ranges::sort(counts, {}, &PlayCount::document);
  std::size_t kept = 0;
  for (std::size_t n = 1; n < counts.size(); ++n) {
    if (counts[n].document == counts[kept].document)
      ++counts[kept].plays;
    else
      counts[++kept] = counts[n];
  }
  counts.resize(std::min(counts.size(), kept + 1));
  return counts;
}

std::vector<std::int64_t> played_documents(std::span<const std::span<const Event>> logs) {
  std::vector<std::int64_t> documents;
  for (const std::span<const Event> log : logs) {
    for (const Event& event : log) documents.push_back(event.document);
  }
  std::ranges::sort(documents);
  const auto repeated = std::ranges::unique(documents);
  documents.erase(repeated.begin(), repeated.end());
  return documents;
}

PlayedPool::PlayedPool(std::vector<std::int64_t> documents, std::int32_t features, const RowOf& row_of)
    : documents_(std::move(documents)), matrix_(gathered(documents_, features, row_of)) {}

DocumentId PlayedPool::number_of(std::int64_t document) const {
  const auto found = std::ranges::lower_bound(documents_, document);
  assert(found != documents_.end() && *found == document);
  return static_cast<DocumentId>(found - documents_.begin());
}

bool learns_from_events(const Preset& preset) noexcept {
  using Scope = FeatureScope::Kind;
  if (preset.uses.soft_marks) return true;
  return preset.uses.scoring && (preset.scope == Scope::marked || preset.scope == Scope::all);
}

TaughtModel learn_events(std::span<const Event> events, const PlayedPool& played, const Preset& preset,
                         const PolicyOptions& options, const std::function<void()>& between_events) {
  assert(learns_from_events(preset));
  const Lesson lesson = {events, played, between_events};
  if (preset.scope == FeatureScope::Kind::marked) return learn_marked(lesson, options);
  if (preset.uses.scoring) {
    return learn_all(lesson, options, [&](FeatureId) { return options.ridge; });
  }
  const MarkBeliefs beliefs = beliefs_of(lesson, options);
  return learn_all(lesson, persuaded_by(beliefs, options),
                   [&](FeatureId feature) { return beliefs.precision(feature); });
}

LearnedModel frozen(const TaughtModel& taught) {
  if (const DualRidgeModel* dual = taught.model->dual()) return {DualScan(*dual), taught.radius};
  return {BatchScan(*taught.model->primal()), taught.radius};
}

}  // namespace inkling
