// Scores of pools of any size by files of events, as `inkling score` makes them.
#include <algorithm>
#include <cmath>
#include <cstdint>
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

#include "engine/core/errors.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_session.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/doors/python/score_words.hpp"
#include "io/search/score/score_pass.hpp"

namespace inkling::python {
namespace {

/// How logs are read and scored.
struct LogScoring {
  std::string policy;
  PolicyOptions options = {};
  std::int64_t top = 10;
  bool explain = false;
  bool reads = false;  ///< through buffers, where the pools are not mapped
  bool seen = false;   ///< documents may be rated more than once, and stay in the ranking
  bool any_pool = false;
  bool skip_bad = false;
  bool trust = false;
  std::uint64_t memory = 0;
  int threads = 0;
};

using WordsOfLines = std::vector<std::vector<ScoreWord>>;

/// By line: which log, document, mean, width, score, and the words if `explain`; how many bad events were left out; and a note
/// for each log whose events leave all scores equal.
using LogScores = std::tuple<ArrayOut<std::int32_t>, ArrayOut<std::int64_t>, ArrayOut<double>, ArrayOut<double>, ArrayOut<double>,
                             WordsOfLines, std::int64_t, std::vector<std::string>>;

struct Lines {
  std::vector<std::int32_t> owners;
  std::vector<std::int64_t> documents;
  std::vector<double> means;
  std::vector<double> widths;
  std::vector<double> scores;
  WordsOfLines words;
  std::int64_t skipped = 0;
  std::vector<std::string> remarks;
};

void append(Lines& lines, std::size_t user, const ScoredDocument& scored) {
  lines.owners.insert(lines.owners.end(), static_cast<std::int32_t>(user));
  lines.documents.insert(lines.documents.end(), scored.document);
  lines.means.insert(lines.means.end(), scored.mean);
  lines.widths.insert(lines.widths.end(), std::sqrt(std::max(scored.square, 0.0)));
  lines.scores.insert(lines.scores.end(), scored.ucb);
}

Lines scored_lines(const std::vector<std::string>& paths, const std::vector<std::string>& logs, const Preset& preset,
                   const LogScoring& how, const LongWork& work) {
  const PoolSet pools = PoolSet::open(paths, how.reads ? PoolAccess::read : PoolAccess::map,
                                      how.trust ? PoolTrust::structure : PoolTrust::remembered);
  EventRules rules;
  rules.replays = how.seen ? Replays::allowed : Replays::refused;
  rules.other_pools = how.any_pool ? OtherPools::allowed : OtherPools::refused;
  rules.skip_bad = how.skip_bad;
  rules.room.most_bytes = how.memory;
  work.stopped();
  ScoreUsers users = learn_users(pools, logs, rules, preset, how.options);
  RankingPass pass = rank_documents(pools, users, rules.replays, static_cast<std::size_t>(how.top), {.memory = how.memory},
                                    [&](std::int64_t) { work.stopped(); });
  Lines lines;
  for (std::size_t user = 0; user < users.count(); ++user) {
    for (const ScoredDocument& scored : pass.rankings[user].take_best()) {
      work.stopped();
      append(lines, user, scored);
      if (!how.explain) continue;
      const CsrMatrix row = pools.row(scored.document);
      lines.words.push_back(score_words(users.models.parts_of(user, row.view().row(0))));
    }
  }
  pools.check_unchanged();
  lines.skipped = users.skipped();
  lines.remarks = std::move(users.remarks);
  return lines;
}

LogScores score_logs(const std::vector<std::string>& pools, const std::vector<std::string>& logs, const LogScoring& how) {
  if (how.top < 1) throw FormatError("top", "expected a number of at least 1");
  const std::optional<Preset> preset = find_preset(how.policy);
  if (!preset || !learns_from_events(*preset))
    throw FormatError("policy '" + how.policy + "'", "expected one that learns from events alone");
  Lines lines;
  LongWork work;
  work.run(how.threads, [&] { lines = scored_lines(pools, logs, *preset, how, work); });
  return {array_of(std::move(lines.owners)),
          array_of(std::move(lines.documents)),
          array_of(std::move(lines.means)),
          array_of(std::move(lines.widths)),
          array_of(std::move(lines.scores)),
          std::move(lines.words),
          lines.skipped,
          std::move(lines.remarks)};
}

}  // namespace

void bind_log_scoring(nb::module_& module) {
  nb::class_<LogScoring>(module, "LogScoring", "How logs are read and scored.")
      .def(nb::init<>())
      .def_rw("policy", &LogScoring::policy)
      .def_rw("options", &LogScoring::options)
      .def_rw("top", &LogScoring::top)
      .def_rw("explain", &LogScoring::explain)
      .def_rw("reads", &LogScoring::reads)
      .def_rw("seen", &LogScoring::seen)
      .def_rw("any_pool", &LogScoring::any_pool)
      .def_rw("skip_bad", &LogScoring::skip_bad)
      .def_rw("trust", &LogScoring::trust)
      .def_rw("memory", &LogScoring::memory)
      .def_rw("threads", &LogScoring::threads);
  module.def("score_logs", score_logs, nb::arg("pools"), nb::arg("logs"), nb::arg("how"));
}

}  // namespace inkling::python
