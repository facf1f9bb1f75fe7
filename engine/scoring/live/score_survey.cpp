#include "engine/scoring/live/score_survey.hpp"

#include "engine/scoring/parallel_blocks.hpp"

namespace inkling {
namespace {

/// The threshold of candidates is sampled from this many blocks, and one document in this many of theirs.
constexpr std::int32_t kSampledBlocks = 16;
constexpr std::size_t kSampledRows = 8;
/// What settling a feature costs apart from its postings, in postings.
constexpr std::size_t kSettling = 256;
/// This many documents are handled together: the work without branches is vectorised over all of them first.
constexpr std::size_t kTogether = PackedLine::kTogether;
/// The drift is relaxed each time this many features were settled for one list.
constexpr std::size_t kSettledAtOnce = 4;
/// A first list is cut at this many times the current reach.
constexpr double kFar = 2.0;
/// Rounding error of a score, relative to the largest score.
constexpr double kRounding = 1e-11;

}  // namespace

ScoreSurvey::ScoreSurvey(CsrView by_feature) : postings_(by_feature), lines_(static_cast<std::size_t>(by_feature.columns())) {}

void ScoreSurvey::take(const RestrictedScore& score, const ListGoal& goal) {
  renewal_.reset();
  drift_.restart(score.theta().size());
  update_and_list(score, goal, [&](std::int32_t index) { score_block(index, score, drift_); });
}

void ScoreSurvey::refresh_means(const RestrictedScore& score, const ListGoal& goal) {
  renewal_.reset();
  drift_.restart_weights();
  update_and_list(score, goal, [&](std::int32_t index) { multiply_block(index, score.theta()); });
}

void ScoreSurvey::begin_renewal(Renewed what) {
  renewal_ = Renewal{.drift = drift_, .what = what};
  renewal_->drift.restart_weights();
}

std::int64_t ScoreSurvey::renew_blocks(const RestrictedScore& score, std::int32_t blocks) {
  const ScoreDrift& drift = renewal_->drift;
  const std::int32_t first = renewal_->blocks;
  const std::int32_t end = std::min(first + blocks, postings_.blocks());
  drift.reference_weights(score.theta(), weights_);
  for_each_block(end - first, [&](std::int32_t n) {
    if (renewal_->what == Renewed::means)
      multiply_block(first + n, weights_);
    else
      score_block(first + n, score, drift);
  });
  for (std::int32_t index = first; index < end; ++index) bound_block(index);
  renewal_->blocks = end;
  if (end == postings_.blocks()) {
    drift_ = drift;
    renewal_.reset();
  }
  return postings_.block(end - 1).end - postings_.block(first).first;
}

const ScoreDrift& ScoreSurvey::longer_drift() const noexcept {
  return renewal_ && renewal_->drift.drift() > drift_.drift() ? renewal_->drift : drift_;
}

void ScoreSurvey::relax(const RidgeModel& model) {
  drift_.relax(model, postings_.never_negative());
  if (renewal_) renewal_->drift.relax(model, postings_.never_negative());
}

/// Updates every block and lists it. The threshold between candidates and others comes from a few blocks that go first.
/// If it turns out to be far off, because the pool is sorted in some way, it comes from all blocks.
template <typename Update>
void ScoreSurvey::update_and_list(const RestrictedScore& score, const ListGoal& goal, const Update& update_block) {
  const double reach = this->reach(score.radius());
  const auto cut = [&](std::int32_t stride) { return sample(stride).cut(goal, reach, kFar * reach); };
  const std::int32_t stride = std::max(1, postings_.blocks() / kSampledBlocks);
  for_each_block(RowBlocks(postings_.blocks(), stride).count(), [&](std::int32_t n) { update_block(n * stride); });
  cut_ = cut(stride);
  list([&](std::int32_t index) {
    if (index % stride != 0) update_block(index);
  });
  const bool is_far_off = candidates_.size() > 4 * goal.documents || (!goal.best && candidates_.size() < goal.documents / 4);
  if (stride == 1 || !is_far_off) return;
  cut_ = cut(1);
  list([](std::int32_t) {});
}

/// Measures the block's documents by the drift's reference weights.
void ScoreSurvey::score_block(std::int32_t index, const RestrictedScore& score, const ScoreDrift& drift) {
  const RowBlock block = postings_.block(index);
  GatheredRows rows;
  postings_.gather(index, rows);
  for (DocumentId i = block.first; i < block.end; ++i) {
    if (retired(i)) continue;
    const std::span<const RelevantEntry> row = rows.row(static_cast<std::size_t>(i - block.first));
    PackedLine& line = lines_[static_cast<std::size_t>(i)];
    const bool listed = line.is_listed();
    line = row.empty() ? PackedLine() : PackedLine(drift.by_reference(score.line(row), row));
    line.set_listed(listed);
  }
}

void ScoreSurvey::multiply_block(std::int32_t index, std::span<const double> weights) {
  const RowBlock block = postings_.block(index);
  RelevantPostings::BlockOfDoubles means;  // not initialised: the product writes all that are read
  postings_.multiply(index, weights, std::span(means).first(block.size()));
  PackedLine* const lines = lines_.data() + block.first;
  for (std::size_t i = 0; i < block.size(); ++i)
    if (lines[i].counts()) lines[i].set_mean(means[i]);
}

void ScoreSurvey::settle_in_block(std::int32_t index, const Settled& settled) {
  const bool renewed = renewal_ && index < renewal_->blocks;
  const double change = renewed ? settled.change_where_renewed : settled.change;
  const SparseRow postings = postings_.of_block(settled.position, index);
  look_at(postings.features, [&](std::size_t first, std::span<PackedLine> now) {
    PackedLine::add_to_means(now, postings.values.subspan(first, now.size()), change);
    for (std::size_t n = 0; n < now.size(); ++n) lines_[static_cast<std::size_t>(postings.features[first + n])] = now[n];
  });
}

/// Lists the documents of the block that may win by their current lines, and puts the others under the ceiling.
void ScoreSurvey::bound_block(std::int32_t index) {
  const RowBlock block = postings_.block(index);
  const std::span<PackedLine> lines = std::span(lines_).subspan(static_cast<std::size_t>(block.first), block.size());
  const float level = rounded_down(cut_.level);
  PackedLine::Bounds bounds;
  double largest = 0.0;
  for (std::size_t first = 0; first < lines.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, lines.size() - first);
    const std::span<PackedLine> here = lines.subspan(first, count);
    largest = std::max(largest, PackedLine::bound_all(here, cut_.reach, bounds));
    for (std::size_t n = 0; n < count; ++n) {
      const float bound = bounds.most[n];
      if (!here[n].is_listed() && !(bound >= level)) {
        ceiling_.include(bound, bounds.width_step[n]);
        continue;
      }
      const DocumentId document = block.first + static_cast<DocumentId>(first + n);
      if (!here[n].is_listed()) candidates_.push_back(document);
      here[n].set_listed(true);
      raised_.push_back(document);
    }
  }
  tolerance_ = std::max(tolerance_, kRounding * largest);
}

/// A sample of a few documents in every stride-th block.
LineSample ScoreSurvey::sample(std::int32_t stride) const {
  LineSample sample(static_cast<std::size_t>(stride) * kSampledRows);
  for (std::int32_t index = 0; index < postings_.blocks(); index += stride) {
    const RowBlock block = postings_.block(index);
    for (auto i = static_cast<std::size_t>(block.first); i < static_cast<std::size_t>(block.end); i += kSampledRows)
      if (lines_[i].counts()) sample.consider(lines_[i].line());
  }
  return sample;
}

/// Calls before(index) for each block, then lists it.
template <typename Before>
void ScoreSurvey::list(const Before& before) {
  found_.resize(static_cast<std::size_t>(postings_.blocks()));
  forget_candidates();
  for_each_block(postings_.blocks(), [&](std::int32_t index) {
    before(index);
    list_block(index, found_[static_cast<std::size_t>(index)]);
  });
  tolerance_ = 0.0;
  ceiling_ = ScoreCeiling(cut_.reach);
  for (const Found& here : found_) {
    candidates_.insert(candidates_.end(), here.candidates.begin(), here.candidates.end());
    tolerance_ = std::max(tolerance_, kRounding * here.largest);
    ceiling_.include(here.ceiling);
  }
}

void ScoreSurvey::forget_candidates() {
  for (std::size_t n = 0; n < candidates_.size(); ++n) {
    if (n + kAhead < candidates_.size()) prefetch(candidates_[n + kAhead]);
    lines_[static_cast<std::size_t>(candidates_[n])].set_listed(false);
  }
  candidates_.clear();
  raised_.clear();
}

void ScoreSurvey::add_candidates(std::span<const DocumentId> documents) {
  for (std::size_t n = 0; n < documents.size(); ++n) {
    if (n + kAhead < documents.size()) prefetch(documents[n + kAhead]);
    PackedLine& line = lines_[static_cast<std::size_t>(documents[n])];
    if (!line.counts() || line.is_listed()) continue;
    line.set_listed(true);
    candidates_.push_back(documents[n]);
  }
}

void ScoreSurvey::list_block(std::int32_t index, Found& found) {
  const RowBlock block = postings_.block(index);
  const std::span<PackedLine> lines = std::span(lines_).subspan(static_cast<std::size_t>(block.first), block.size());
  found.candidates.clear();
  found.ceiling = ScoreCeiling(cut_.reach);
  found.largest = 0.0;
  const float level = rounded_down(cut_.level);
  PackedLine::Bounds bounds;
  for (std::size_t first = 0; first < lines.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, lines.size() - first);
    const std::span<PackedLine> here = lines.subspan(first, count);
    found.largest = std::max(found.largest, PackedLine::bound_all(here, cut_.reach, bounds));
    for (std::size_t n = 0; n < count; ++n) {
      const float bound = bounds.most[n];
      if (bound >= level) {
        here[n].set_listed(true);
        found.candidates.push_back(block.first + static_cast<DocumentId>(first + n));
      } else {
        found.ceiling.include(bound, bounds.width_step[n]);
      }
    }
  }
}

/// Calls change(lines, values) for the documents of the postings, and lists those that may then win.
template <typename Change>
void ScoreSurvey::change_holders(SparseRow postings, const Change& change) {
  double largest = 0.0;
  PackedLine::Bounds bounds;
  look_at(postings.features, [&](std::size_t first, std::span<PackedLine> now) {
    change(now, postings.values.subspan(first, now.size()));
    largest = std::max(largest, PackedLine::bound_all(now, cut_.reach, bounds));
    replace(postings.features.subspan(first, now.size()), now, bounds);
  });
  tolerance_ = std::max(tolerance_, kRounding * largest);
}

void ScoreSurvey::move_means(SparseRow postings, double change) {
  change_holders(postings, [&](std::span<PackedLine> lines, std::span<const float> values) {
    PackedLine::add_to_means(lines, values, change);
  });
}

/// Stores the new lines of these documents; `bounds` are theirs.
void ScoreSurvey::replace(IdView documents, std::span<PackedLine> now, const PackedLine::Bounds& bounds) {
  const float level = rounded_down(cut_.level);
  for (std::size_t n = 0; n < now.size(); ++n) {
    const DocumentId document = documents[n];
    PackedLine& place = lines_[static_cast<std::size_t>(document)];
    const PackedLine before = place;
    const float bound = bounds.most[n];
    if (!before.is_listed() && !(bound >= level)) {
      place = now[n];
      ceiling_.include(bound, bounds.width_step[n]);
      continue;
    }
    now[n].set_listed(true);
    place = now[n];
    if (!before.is_listed()) candidates_.push_back(document);
    const bool may_score_more = now[n].mean() > before.mean() || now[n].width() > before.width();
    if (may_score_more || !before.is_listed()) raised_.push_back(document);
  }
}

/// The caller must relax the drift afterwards.
std::optional<ScoreSurvey::Settled> ScoreSurvey::settle_weight(std::int64_t most_documents) {
  const std::optional<std::size_t> position =
      longer_drift().worth_settling([&](std::size_t a) { return static_cast<double>(postings_[a].size() + kSettling); });
  if (!position || static_cast<std::int64_t>(postings_[*position].size()) > most_documents) return std::nullopt;
  return Settled{*position, drift_.settle(*position), renewal_ ? renewal_->drift.settle(*position) : 0.0};
}

std::int64_t ScoreSurvey::settle(const RidgeModel& model, std::int64_t most_documents) {
  const std::optional<Settled> settled = settle_weight(most_documents);
  if (!settled) return 0;
  relax(model);
  const SparseRow all = postings_[settled->position];
  const DocumentId waiting = renewal_ ? postings_.block(renewal_->blocks).first : 0;
  const auto renewed = static_cast<std::size_t>(std::ranges::lower_bound(all.features, waiting) - all.features.begin());
  move_means({all.features.first(renewed), all.values.first(renewed)}, settled->change_where_renewed);
  move_means({all.features.subspan(renewed), all.values.subspan(renewed)}, settled->change);
  return static_cast<std::int64_t>(all.size());
}

std::int64_t ScoreSurvey::settle_and_list(const RidgeModel& model, const RestrictedScore& score, const ListGoal& goal,
                                          double enough, std::int64_t most_documents) {
  std::vector<Settled> settled;
  std::int64_t documents = 0;
  while (documents < most_documents && drift() > enough) {
    const std::size_t before = settled.size();
    while (settled.size() < before + kSettledAtOnce) {
      const std::optional<Settled> one = settle_weight(most_documents - documents);
      if (!one) break;
      documents += static_cast<std::int64_t>(postings_[one->position].size());
      settled.push_back(*one);
    }
    if (settled.size() == before) break;
    relax(model);
  }
  update_and_list(score, goal, [&](std::int32_t index) {
    for (const Settled& one : settled) settle_in_block(index, one);
  });
  return documents;
}

void ScoreSurvey::follow_reward(std::span<const RelevantEntry> x, const RankOneChange& reward) {
  drift_.follow_reward(x, reward);
  if (renewal_) renewal_->drift.follow_reward(x, reward);
}

void ScoreSurvey::follow_birth(FeatureId feature, const RankOneChange& birth, const CholeskyFactor& factor) {
  const ScoreDrift::Birth born = drift_.follow_birth(birth, factor);
  if (renewal_) (void)renewal_->drift.follow_birth(birth, factor);  // widths grew as much as in drift_
  change_holders(postings_.append(feature), [&](std::span<PackedLine> lines, std::span<const float> values) {
    PackedLine::update_all(lines, values, [&](const ReachLine& before, double value) { return born.line(before, value); });
  });
}

}  // namespace inkling
