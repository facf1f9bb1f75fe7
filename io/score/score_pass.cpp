#include "io/score/score_pass.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scoring/ranking.hpp"
#include "io/cli/interruption.hpp"
#include "io/pool/set/pool_set.hpp"
#include "io/score/score_explanation.hpp"

namespace inkling {
namespace {

double width_of(double square) { return std::sqrt(std::max(square, 0.0)); }

// How often documents that come in ascending order were played.
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

}  // namespace

RankingPass rank_documents(const PoolSet& pools, const ScoreUsers& users, Replays replays, std::size_t count,
                           const ScanOptions& scanning, const ScanProgress& progress) {
  RankingPass pass;
  for (std::size_t user = 0; user < users.count(); ++user) {
    const std::span<const PlayCount> left_out =
        replays == Replays::refused ? std::span(users.plays[user]) : std::span<const PlayCount>();
    pass.rankings.emplace_back(count, users.radii[user], scan_slots(), left_out);
  }
  ScanReceiver receiver;
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

void write_ranked(const PoolSet& pools, const ScoreUsers& users, RankingPass& pass, ScoreOutput& output) {
  const bool explain = output.options().explain;
  const auto word_of = [&pools](FeatureId feature) {
    return pools.has_words() ? std::string(pools.word(feature)) : std::string();
  };
  std::vector<std::vector<ScoredDocument>> best;
  std::vector<std::int64_t> lines;
  for (Ranking& ranking : pass.rankings) {
    best.push_back(ranking.take_best());
    lines.push_back(static_cast<std::int64_t>(best.back().size()));
  }
  output.begin(lines);
  for (std::size_t user = 0; user < users.count(); ++user) {
    for (const ScoredDocument& scored : best[user]) {
      throw_if_interrupted();
      const std::optional<std::string> id =
          shows_ids(pools, output) ? pools.id(scored.document) : std::nullopt;
      std::vector<WordShare> words;
      if (explain) {
        const CsrMatrix row = pools.row(scored.document);
        words = explain_score(users.models.parts_of(user, row.view().row(0)), word_of);
      }
      output.append(user, {.document = scored.document,
                           .id = id,
                           .mean = scored.mean,
                           .width = width_of(scored.square),
                           .ucb = scored.ucb,
                           .played = plays_of(users.plays[user], scored.document),
                           .words = explain ? &words : nullptr});
    }
  }
}

ScanTotals write_all(const PoolSet& pools, const ScoreUsers& users, const ScanOptions& scanning,
                     const ScanProgress& progress, ScoreOutput& output) {
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
