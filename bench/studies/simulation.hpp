// Policies that search one pool, as `simulate` and `demo` run them, and the results for people and programs.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/line_chart.hpp"
#include "bench/studies/study.hpp"
#include "engine/core/ids.hpp"
#include "io/cli/terminal.hpp"

namespace inkling::bench {

struct LiveOptions {
  int threads = 1;
  std::optional<std::string> trace;  ///< a file for every round
};

/// Runs a study with progress on standard error where that is a terminal. Throws InterruptedError on Ctrl-C.
[[nodiscard]] StudyResult run_live(const Study& study, const LiveOptions& live);

/// A feature's word; an empty function where features have no words.
using WordOf = std::function<std::string(FeatureId)>;

/// A pool that was searched, for reports. Lifetime: lends the pool's memory.
struct NamedPool {
  std::string name;
  PoolView view;
};

/// How reports call a contestant: by its preset, and by its scoring where that was chosen.
[[nodiscard]] std::string contestant_name(const Contestant& contestant);

/// One JSON object, without a newline. `pool` is empty where every trial had its own pool.
[[nodiscard]] std::string result_json(const EntrantResult& result, const std::optional<NamedPool>& pool,
                                      const WordOf& word_of = {});

/// A table of all entrants for a terminal, each line ended by a newline.
[[nodiscard]] std::string result_table(std::span<const EntrantResult> results, Colour colour);

/// What each policy that learns has learned of words in the first trial, a line a policy.
[[nodiscard]] std::string word_lines(std::span<const EntrantResult> results, const WordOf& word_of,
                                     Colour colour);

/// Mean regret against rounds, with 95 % bands over trials.
[[nodiscard]] LineChart regret_chart(std::span<const EntrantResult> results, std::string_view title);

/// The chart's numbers: policy,ridge,round,regret,standard_error.
[[nodiscard]] std::string curves_csv(std::span<const EntrantResult> results);

/// Whether a trace line names its policy, as it must where several share a file.
enum class TraceNaming { anonymous, by_policy };

/// One line of a trace file, with its newline. Regret is that of the round.
[[nodiscard]] std::string trace_line(std::int64_t trial, const Contestant& contestant,
                                     const RoundRecord& record, TraceNaming naming);

}  // namespace inkling::bench
