#include "engine/scoring/scan/joint_scan.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace inkling {
namespace {

/// The restricted entries of this many rows fit in the first-level cache.
constexpr std::int32_t kRowsAtATime = 512;

/// Where the next entry of a model's part goes.
struct Cursor {
  std::int32_t* positions;
  double* values;
  std::uint32_t* ends;
  std::uint32_t used = 0;
};

template <typename Model>
std::vector<std::size_t> numbers_of(std::span<const FrozenModel> models) {
  std::vector<std::size_t> numbers;
  for (std::size_t number = 0; number < models.size(); ++number)
    if (std::holds_alternative<Model>(models[number])) numbers.push_back(number);
  return numbers;
}

}  // namespace

RankedScores::RankedScores(const JointScan& models, std::span<const double> radii, Floor floor)
    : bounds_(models.models()), floor_(std::move(floor)) {
  assert(radii.size() == models.models());
  for (std::size_t number = 0; number < radii.size(); ++number) {
    const auto* const dual = std::get_if<DualScan>(&models.frozen()[number]);
    if (dual == nullptr || (dual->played() == 0 && radii[number] > 0.0)) continue;
    bounds_[number].emplace(*dual, radii[number]);
  }
}

JointScan::JointScan(std::vector<FrozenModel> models)
    : models_(std::move(models)),
      scans_(numbers_of<BatchScan>(models_)),
      duals_(numbers_of<DualScan>(models_)),
      filter_(union_of_features()),
      owners_begin_(filter_.features().size() + 1, 0) {
  assert(!models_.empty());
  const std::span<const FeatureId> features = filter_.features();
  for (std::size_t index = 0; index < scans_.size(); ++index) {
    std::vector<std::uint32_t>& places = places_.emplace_back();
    for (const FeatureId feature : scan(index).features()) {
      places.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(features, feature) - features.begin()));
      ++owners_begin_[places.back() + 1];
    }
  }
  std::partial_sum(owners_begin_.begin(), owners_begin_.end(), owners_begin_.begin());
  owners_.resize(owners_begin_.back());
  std::vector<std::uint32_t> next(owners_begin_);
  for (std::size_t index = 0; index < scans_.size(); ++index)
    for (std::size_t position = 0; position < places_[index].size(); ++position)
      owners_[next[places_[index][position]]++] = {static_cast<std::uint32_t>(index), static_cast<std::int32_t>(position)};
}

std::vector<FeatureId> JointScan::union_of_features() const {
  std::vector<FeatureId> features;
  for (std::size_t index = 0; index < scans_.size(); ++index) {
    const std::span<const FeatureId> own = scan(index).features();
    features.insert(features.end(), own.begin(), own.end());
  }
  std::ranges::sort(features);
  const auto repeated = std::ranges::unique(features);
  features.erase(repeated.begin(), repeated.end());
  return features;
}

std::vector<ScorePart> JointScan::parts_of(std::size_t model, SparseRow row) const {
  return std::visit([&](const auto& frozen) { return frozen.parts_of(row); }, models_[model]);
}

std::size_t JointScan::dual_bytes() const {
  std::size_t bytes = 0;
  for (const std::size_t number : duals_) bytes = std::max(bytes, std::get<DualScan>(models_[number]).buffer_bytes());
  return bytes;
}

std::size_t JointScan::most_played() const {
  std::size_t most = 0;
  for (const std::size_t number : duals_) most = std::max(most, std::get<DualScan>(models_[number]).played());
  return most;
}

void JointScan::score_rows(CsrView documents, RowBlock rows, ScanWorkspace& workspace, std::span<Prediction> predictions,
                           const RankedScores* ranked) const {
  assert(predictions.size() == models() * rows.size());
  if (!scans_.empty()) score_restricted(documents, rows, workspace, predictions);
  for (const std::size_t number : duals_) {
    const auto& dual = std::get<DualScan>(models_[number]);
    const std::span<Prediction> of_model = predictions.subspan(number * rows.size(), rows.size());
    const bool has_bounds = ranked != nullptr && !dual.takes_vectors_of(documents);  // they are of words alone
    const DualBounds* const bounds = has_bounds ? ranked->bounds(number) : nullptr;
    if (bounds == nullptr)
      dual.score_rows(documents, rows, workspace.dual, of_model);
    else
      score_candidates(dual, *bounds, ranked->floor(number), documents, rows, workspace, of_model);
  }
}

void JointScan::score_candidates(const DualScan& dual, const DualBounds& bounds, double floor, CsrView documents, RowBlock rows,
                                 ScanWorkspace& workspace, std::span<Prediction> predictions) {
  workspace.bounds.resize(rows.size());
  bounds.bound_rows(documents, rows, workspace.bounds);
  workspace.candidates.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    predictions[i] = RankedScores::below_floor;
    if (!(workspace.bounds[i] <= floor)) workspace.candidates.push_back(rows.first + static_cast<DocumentId>(i));
  }
  workspace.scored.resize(workspace.candidates.size());
  dual.score_rows(documents, workspace.candidates, workspace.dual, workspace.scored);
  for (std::size_t n = 0; n < workspace.candidates.size(); ++n)
    predictions[static_cast<std::size_t>(workspace.candidates[n] - rows.first)] = workspace.scored[n];
}

void JointScan::score_restricted(CsrView documents, RowBlock rows, ScanWorkspace& workspace,
                                 std::span<Prediction> predictions) const {
  for (DocumentId first = rows.first; first < rows.end;) {
    const DocumentId end = first + std::min(kRowsAtATime, rows.end - first);
    filter_.restrict_rows(documents, {first, end}, workspace.rows);
    predict(workspace, static_cast<std::size_t>(first - rows.first), rows.size(), predictions);
    first = end;
  }
}

/// Collects the entries of a block of documents row by row; in `restricted`, an entry's position is that of its list. Counting
/// comes first, so that each row's entries can be put where they belong, list by list.
void JointScan::gather(std::span<const SparseRow> lists, RowBlock rows, ScanWorkspace& workspace) {
  RestrictedRows& restricted = workspace.rows;
  std::vector<std::uint32_t>& next = workspace.next;
  next.assign(rows.size() + 1, 0);
  for (const SparseRow& list : lists)
    for (const DocumentId document : list.features) ++next[static_cast<std::size_t>(document - rows.first) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  restricted.make_room(0, next.back());
  std::int32_t* const positions = restricted.positions.data();
  double* const values = restricted.values.data();
  std::uint32_t* const places = next.data();
  for (std::size_t position = 0; position < lists.size(); ++position) {
    const SparseRow list = lists[position];
    for (std::size_t n = 0; n < list.size(); ++n) {
      const std::uint32_t to = places[list.features[n] - rows.first]++;
      positions[to] = static_cast<std::int32_t>(position);
      values[to] = static_cast<double>(list.values[n]);
    }
  }
  restricted.ends.assign(next.begin(), next.end() - 1);
}

void JointScan::score_postings(std::span<const SparseRow> postings, RowBlock rows, ScanWorkspace& workspace,
                               std::span<Prediction> predictions) const {
  assert(duals_.empty() && predictions.size() == models() * rows.size() && postings.size() == features().size());
  // One model after the other: unlike with rows, a model reads only the lists that it needs.
  for (std::size_t model = 0; model < scans_.size(); ++model) {
    workspace.lists.clear();
    for (const std::uint32_t place : places_[model]) workspace.lists.push_back(postings[place]);
    gather(workspace.lists, rows, workspace);
    scan(model).predict(workspace.rows, predictions.subspan(model * rows.size(), rows.size()));
  }
}

void JointScan::predict(ScanWorkspace& workspace, std::size_t first, std::size_t block_rows,
                        std::span<Prediction> predictions) const {
  const std::size_t count = workspace.rows.rows();
  const auto of_scan = [&](std::size_t index) { return predictions.subspan(scans_[index] * block_rows + first, count); };
  if (scans_.size() == 1) return scan(0).predict(workspace.rows, of_scan(0));
  share_out(workspace);
  for (std::size_t index = 0; index < scans_.size(); ++index) scan(index).predict(workspace.parts[index], of_scan(index));
}

void JointScan::share_out(ScanWorkspace& workspace) const {
  const RestrictedRows& from = workspace.rows;
  workspace.parts.resize(scans_.size());
  std::vector<Cursor> cursors;
  for (RestrictedRows& part : workspace.parts) {
    part.make_room(0, from.entries());
    part.ends.resize(from.rows());
    cursors.push_back({part.positions.data(), part.values.data(), part.ends.data()});
  }
  const std::int32_t* const positions = from.positions.data();
  const double* const values = from.values.data();
  std::size_t entry = 0;
  for (std::size_t row = 0; row < from.rows(); ++row) {
    for (; entry < from.ends[row]; ++entry) {
      const auto position = static_cast<std::size_t>(positions[entry]);
      for (std::uint32_t owner = owners_begin_[position]; owner < owners_begin_[position + 1]; ++owner) {
        Cursor& to = cursors[owners_[owner].scan];
        to.positions[to.used] = owners_[owner].position;
        to.values[to.used] = values[entry];
        ++to.used;
      }
    }
    for (Cursor& cursor : cursors) cursor.ends[row] = cursor.used;
  }
}

SparseRow postings_within(SparseRow postings, RowBlock rows) {
  const auto first = std::ranges::lower_bound(postings.features, rows.first);
  const auto end = std::lower_bound(first, postings.features.end(), rows.end);
  const auto begin = static_cast<std::size_t>(first - postings.features.begin());
  const auto count = static_cast<std::size_t>(end - first);
  return {postings.features.subspan(begin, count), postings.values.subspan(begin, count)};
}

}  // namespace inkling
