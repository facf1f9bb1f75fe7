#include "io/search/score/score_pass.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/policy/inkling_learner.hpp"
#include "io/base/system/interruption.hpp"
#include "io/search/score/average_document.hpp"
#include "io/search/score/event_scope.hpp"

namespace inkling {
namespace {

// Reads the rows that any user played, each once.
PlayedPool played_pool(const PoolSet& pools, const std::vector<EventLog>& logs) {
  return {played_documents(logs), pools.features(), [&pools](std::int64_t document) { return pools.row(document); }};
}

// Throws FormatError unless the models of all users fit into the room.
void check_room(const std::vector<EventLog>& logs, const LearningRoom& room) {
  std::uint64_t bytes = 0;
  for (const EventLog& log : logs) {
    const auto documents = static_cast<std::int64_t>(play_counts(log.events).size());
    bytes += room.model_bytes(count_marked(log.events), documents);
  }
  if (bytes <= room.most_bytes) return;
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  throw FormatError("--memory", fmt::format("expected at least {} MiB for the models of {} users, found {} MiB",
                                            bytes / mebibyte + 1, logs.size(), room.most_bytes / mebibyte));
}

// What to do if the computation breaks down, for the message.
std::string_view remedy_for(const Preset& policy) {
  return policy.uses.soft_marks ? "raise --marked-precision and --unmarked-precision, or leave them out" : "raise --ridge";
}

Policy policy_of(const EventLog& log, const PlayedPool& played, const Preset& policy, const PolicyOptions& options) {
  try {
    return taught_policy(log.events, played, policy, options, throw_if_interrupted);
  } catch (const NumericalError& error) {
    throw FormatError(events_name(log.path), fmt::format("expected events that can be learned in double precision with these "
                                                         "settings, found that {} ({})",
                                                         error.what(), remedy_for(policy)));
  } catch (const FormatError& error) {
    throw FormatError(events_name(log.path), error.what());
  }
}

// `inkling` needs the average document only if the rewards are grades, and not measurements.
bool presumes_average(const EventLog& log) {
  std::set<double> values;
  std::int64_t rewards = 0;
  for (const Event& event : log.events) {
    if (!event.document) continue;
    values.insert(event.reward);
    ++rewards;
  }
  return rewards > 0 && !are_measurements(rewards, std::ssize(values));
}

std::optional<std::string> cold_start_of(const EventLog& log, const Preset& policy) {
  const bool all_in_use = policy.scope == FeatureScope::Kind::all;
  if (log.events.empty()) return fmt::format("no events yet: every {} is 0", all_in_use ? "mean" : "score");
  if (all_in_use || count_marked(log.events) > 0) return std::nullopt;
  return "no word is marked yet: every score is 0";
}

constexpr std::string_view kWordsAlone = "words alone count here: only a search in one process uses the vectors of documents";

// If a document was played, all documents that are one record with it count as played.
std::vector<PlayCount> plays_of_texts(const PoolSet& pools, std::span<const Event> events) {
  std::vector<PlayCount> plays = play_counts(events);
  const std::size_t originals = plays.size();
  const SetCopies copies = pools.copies();
  std::set<std::int64_t> separated;
  for (const Event& event : events)
    if (event.separated) separated.insert(*event.separated);
  for (std::size_t n = 0; n < copies.rows.size(); ++n) {
    const auto end = plays.begin() + static_cast<std::ptrdiff_t>(originals);
    const std::int64_t original = copies.originals[n];
    const auto played = std::ranges::lower_bound(plays.begin(), end, original, {}, &PlayCount::document);
    if (played != end && played->document == original && !separated.contains(copies.rows[n]))
      plays.push_back({copies.rows[n], played->plays});
  }
  std::ranges::sort(plays, {}, &PlayCount::document);
  return plays;
}

double width_of(double square) { return std::sqrt(std::max(square, 0.0)); }

// How often documents were played, for calls in ascending order of documents.
class PlayCursor {
 public:
  explicit PlayCursor(const std::vector<PlayCount>& plays) : next_(plays.begin()), end_(plays.end()) {}

  [[nodiscard]] std::int64_t plays_of(std::int64_t document) {
    while (next_ != end_ && next_->document < document) ++next_;
    return next_ != end_ && next_->document == document ? next_->plays : 0;
  }

 private:
  std::vector<PlayCount>::const_iterator next_;
  std::vector<PlayCount>::const_iterator end_;
};

std::int64_t plays_of(const std::vector<PlayCount>& plays, std::int64_t document) {
  const auto found = std::ranges::lower_bound(plays, document, {}, &PlayCount::document);
  return found != plays.end() && found->document == document ? found->plays : 0;
}

bool shows_ids(const PoolSet& pools, const ScoreOutput& output) {
  return pools.has_ids() && output.options().format != ScoreFormat::npy;
}

// Selecting the best of fewer documents takes longer than it saves.
constexpr std::size_t kFew = 512;

constexpr auto by_rank = [](const ScoredDocument& left, const ScoredDocument& right) { return ranks_before(left, right); };

// Keeps the best `count`, in any order, and returns the lowest ucb of them. Requires: there are more, and
// count >= 1.
double select_best(std::vector<ScoredDocument>& documents, std::size_t count) {
  const auto last = documents.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::ranges::nth_element(documents, last, by_rank);
  const double floor = last->ucb;
  documents.resize(count);
  return floor;
}

// Whether mean + radius * width may exceed the floor, by comparing squares: a square root takes longer than
// everything else that is done for a document. If the sum exceeds the floor, this is true: the margins below allow for
// rounding, overflow and underflow, because predictions and radii stay below 1e140 (kSmallestRidge, kLargestRidge).
bool may_exceed(double floor, const Prediction& prediction, double squared_radius) {
  constexpr double rounding = 1.0 - 1e-12;
  constexpr double underflow = 1e-290;
  constexpr double farthest = 1e150;
  const double gap = std::min(floor - prediction.mean, farthest);
  return squared_radius * prediction.square + underflow >= rounding * gap * std::fabs(gap);
}

}  // namespace

std::int64_t ScoreUsers::skipped() const {
  return std::accumulate(logs.begin(), logs.end(), std::int64_t{0},
                         [](std::int64_t sum, const EventLog& log) { return sum + log.skipped; });
}

std::vector<std::string> remarks_of(const PoolSet& pools, const Preset& policy, const PolicyOptions& options) {
  std::vector<std::string> remarks;
  if (pools.has_uncompared_texts()) remarks.emplace_back(kUncomparedTexts);
  const bool would_use_vectors = policy.uses.word_ratings && options.inkling.vectors != 0.0;
  if (would_use_vectors && pools.manifest(0).file(PoolFile::vectors) != nullptr) remarks.emplace_back(kWordsAlone);
  return remarks;
}

ScoreUsers learn_users(const PoolSet& pools, const std::vector<std::string>& event_files, const EventRules& rules,
                       const Preset& policy, const PolicyOptions& options) {
  const EventScope scope = event_scope_of(pools);
  EventRules reading = rules;
  reading.room.model_bytes = [&policy, features = pools.features()](std::int64_t marked, std::int64_t documents) {
    return model_bytes(policy, features, marked, documents);
  };
  std::vector<EventLog> logs;
  logs.reserve(event_files.size());
  for (const std::string& path : event_files) logs.push_back(read_events(path, scope, reading));
  check_room(logs, reading.room);

  const PlayedPool played = played_pool(pools, logs);
  PolicyOptions learning = options;
  if (policy.uses.word_ratings && std::ranges::any_of(logs, presumes_average))
    learning.inkling.average = std::make_shared<const AverageDocument>(average_document(pools));
  std::vector<std::vector<PlayCount>> plays;
  std::vector<SaidOfWords> said;
  std::vector<double> radii;
  std::vector<double> base_means;
  std::vector<FrozenModel> models;
  std::vector<std::string> remarks = remarks_of(pools, policy, options);
  std::set<FeatureId> marked;
  for (const EventLog& log : logs) {
    throw_if_interrupted();
    const Policy taught = policy_of(log, played, policy, learning);
    LearnedModel learned = frozen(*taught.learner());
    if (const auto text = cold_start_of(log, policy))
      remarks.push_back(logs.size() == 1 ? *text : fmt::format("{}: {}", events_name(log.path), *text));
    for (const Event& event : log.events)
      for (const SaidWord& word : event.words) marked.insert(word.feature);
    plays.push_back(plays_of_texts(pools, log.events));
    said.push_back(said_of_words(log.events, *taught.learner()));
    radii.push_back(learned.radius);
    base_means.push_back(learned.base_mean);
    models.push_back(std::move(learned.scan));
  }
  JointScan joint(std::move(models));
  const bool all_in_use = policy.scope == FeatureScope::Kind::all;
  const std::int64_t in_use = all_in_use ? pools.features() : std::ssize(marked);
  return {std::move(logs),       std::move(plays), std::move(said), std::move(radii),
          std::move(base_means), std::move(joint), in_use,          std::move(remarks)};
}

Ranking::Ranking(std::size_t count, double radius, std::size_t slots, std::span<const PlayCount> left_out)
    : count_(count), radius_(radius), left_out_(left_out), picked_(slots) {}

void Ranking::pick(std::size_t slot, std::int64_t first_document, std::span<const Prediction> predictions) {
  std::vector<ScoredDocument>& picked = picked_[slot];
  picked.clear();
  // Documents come in order of rows, so a later document whose score equals that of the worst in the ranking is not taken.
  double floor = floor_.load(std::memory_order_relaxed);
  auto left_out = std::ranges::lower_bound(left_out_, first_document, {}, &PlayCount::document);
  const double squared_radius = radius_ * radius_;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    if (!may_exceed(floor, predictions[i], squared_radius)) continue;
    const auto [mean, square] = predictions[i];
    const double ucb = optimism(mean, square, radius_);
    if (!(ucb > floor)) continue;
    const std::int64_t document = first_document + static_cast<std::int64_t>(i);
    while (left_out != left_out_.end() && left_out->document < document) ++left_out;
    if (left_out != left_out_.end() && left_out->document == document) continue;
    picked.push_back({document, mean, square, ucb});
    if (picked.size() >= 2 * count_ + kFew) floor = select_best(picked, count_);
  }
  if (picked.size() > count_) select_best(picked, count_);
}

void Ranking::merge(std::size_t slot) {
  for (const ScoredDocument& candidate : picked_[slot]) keep_best(heap_, count_, candidate);
  if (heap_.size() == count_) floor_.store(heap_.front().ucb, std::memory_order_relaxed);
}

std::vector<ScoredDocument> Ranking::take_best() {
  std::ranges::sort_heap(heap_, by_rank);
  return std::exchange(heap_, {});
}

RankingPass rank_documents(const PoolSet& pools, const ScoreUsers& users, Replays replays, std::size_t count,
                           const ScanOptions& scanning, const ScanProgress& progress) {
  RankingPass pass;
  const std::size_t best = std::min(count, static_cast<std::size_t>(std::max<std::int64_t>(pools.documents(), 1)));
  for (std::size_t user = 0; user < users.count(); ++user) {
    const std::span<const PlayCount> left_out =
        replays == Replays::refused ? std::span(users.plays[user]) : std::span<const PlayCount>();
    pass.rankings.emplace_back(best, users.radii[user], scan_slots(), left_out);
  }
  const RankedScores ranked(users.models, users.radii, [&pass](std::size_t user) { return pass.rankings[user].floor(); });
  ScanReceiver receiver;
  receiver.ranked = &ranked;
  receiver.reduce = [&](const ScannedBlock& block) {
    for (std::size_t user = 0; user < users.count(); ++user)
      pass.rankings[user].pick(block.slot, block.first_document, block.of_model(user));
  };
  receiver.consume = [&](const ScannedBlock& block) {
    for (Ranking& ranking : pass.rankings) ranking.merge(block.slot);
  };
  receiver.progress = progress;
  pass.totals = scan(pools, users.models, scanning, receiver);
  return pass;
}

std::vector<std::vector<ScoredDocument>> take_best_of(RankingPass& pass) {
  std::vector<std::vector<ScoredDocument>> best;
  best.reserve(pass.rankings.size());
  for (Ranking& ranking : pass.rankings) best.push_back(ranking.take_best());
  return best;
}

void visit_ranked(const PoolSet& pools, const ScoreUsers& users, const std::vector<std::vector<ScoredDocument>>& best,
                  const RankedDetail& detail, const std::function<void(std::size_t user, const ScoreLine& line)>& visit) {
  const auto word_of = [&pools](FeatureId feature) {
    return pools.has_words() ? std::string(pools.word(feature)) : std::string();
  };
  for (std::size_t user = 0; user < users.count(); ++user) {
    for (const ScoredDocument& scored : best[user]) {
      throw_if_interrupted();
      const std::optional<std::string> id = detail.ids ? pools.id(scored.document) : std::nullopt;
      std::vector<WordShare> words;
      if (detail.explain) {
        const CsrMatrix row = pools.row(scored.document);
        words = explain_score(users.models.parts_of(user, row.view().row(0)), word_of, users.said[user]);
      }
      visit(user, {.document = scored.document,
                   .id = id,
                   .mean = scored.mean,
                   .width = width_of(scored.square),
                   .ucb = scored.ucb,
                   .played = plays_of(users.plays[user], scored.document),
                   .words = detail.explain ? &words : nullptr,
                   .base_mean = users.base_means[user]});
    }
  }
}

void write_ranked(const PoolSet& pools, const ScoreUsers& users, RankingPass& pass, ScoreOutput& output) {
  const std::vector<std::vector<ScoredDocument>> best = take_best_of(pass);
  std::vector<std::int64_t> lines;
  lines.reserve(best.size());
  for (const std::vector<ScoredDocument>& of_user : best) lines.push_back(std::ssize(of_user));
  output.begin(lines);
  visit_ranked(pools, users, best, {.ids = shows_ids(pools, output), .explain = output.options().explain},
               [&output](std::size_t user, const ScoreLine& line) { output.append(user, line); });
}

ScanTotals write_all(const PoolSet& pools, const ScoreUsers& users, const ScanOptions& scanning, const ScanProgress& progress,
                     ScoreOutput& output) {
  output.begin(std::vector<std::int64_t>(users.count(), pools.documents()));
  std::optional<IdStream> ids;
  if (shows_ids(pools, output)) ids.emplace(pools);
  std::vector<PlayCursor> plays;
  plays.reserve(users.count());
  for (const std::vector<PlayCount>& of_user : users.plays) plays.emplace_back(of_user);
  ScanReceiver receiver;
  receiver.consume = [&](const ScannedBlock& block) {
    for (std::size_t i = 0; i < block.documents; ++i) {
      const std::int64_t document = block.first_document + static_cast<std::int64_t>(i);
      const std::optional<std::string_view> id = ids ? ids->next() : std::nullopt;
      for (std::size_t user = 0; user < users.count(); ++user) {
        const auto [mean, square] = block.of_model(user)[i];
        output.append(user, {.document = document,
                             .id = id,
                             .mean = mean,
                             .width = width_of(square),
                             .ucb = optimism(mean, square, users.radii[user]),
                             .played = plays[user].plays_of(document)});
      }
    }
  };
  receiver.progress = progress;
  return scan(pools, users.models, scanning, receiver);
}

}  // namespace inkling
