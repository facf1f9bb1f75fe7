// Policies that search one pool, as `simulate` and `demo` run them, and the results for people and programs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bench/report/line_chart.hpp"
#include "bench/studies/study.hpp"
#include "bench/worlds/searched_pool.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/search/simulation/reader_model.hpp"

namespace inkling::bench {

/// Runs a study with progress on standard error if that is a terminal. `trace_path` names a file for every
/// round. Throws InterruptedError on Ctrl-C.
[[nodiscard]] std::vector<EntrantResult> run_live(const Study& study, int threads,
                                                  const std::optional<std::string>& trace_path = {});

/// One JSON object, without a newline. `searched` is empty if every trial had its own pool. Of rewards that are
/// labels it also says how many wanted documents were shown.
[[nodiscard]] std::string result_json(const EntrantResult& result, const std::optional<SearchedPool>& searched,
                                      RewardKind reward);

/// "11.4 ± 0.8", or "11.4" for one trial, which has no error.
[[nodiscard]] std::string with_error(const Estimate& estimate);

/// A table of all entrants for a terminal, each line ended by a newline.
[[nodiscard]] std::string result_table(std::span<const EntrantResult> results, Colour colour);

/// How many of the documents shown were of the wanted topic, a line a policy. `in_pool` is how many there are, where
/// every trial wants the same. Requires: rewards are labels.
[[nodiscard]] std::string wanted_lines(std::span<const EntrantResult> results, std::optional<std::int64_t> in_pool,
                                       Colour colour);

/// How many documents have the label that every trial wants; nothing if trials want different ones.
[[nodiscard]] std::optional<std::int64_t> wanted_documents(const std::optional<SearchedPool>& searched);

/// Mean regret against rounds with 95 % bands over trials, a line for each entrant.
[[nodiscard]] LineChart regret_chart(std::span<const EntrantResult> results, std::string title);

/// The words that each policy learned in the first trial, a line a policy.
[[nodiscard]] std::string word_lines(std::span<const EntrantResult> results, const WordOf& word_of, Colour colour);

/// Mean regret against rounds: policy,ridge,round,regret,standard_error. One trial has no standard error: the last
/// field is then empty.
[[nodiscard]] std::string curves_csv(std::span<const EntrantResult> results);

/// Identifies the entrant of a line in a trace file. Empty members are not written.
struct TracedEntrant {
  std::string_view policy = {};   ///< where several policies share a file
  std::string_view scoring = {};  ///< where one policy plays with several scorings
};

/// One line of a trace file, with its newline. Regret is that of the round.
[[nodiscard]] std::string trace_line(std::int64_t trial, const TracedEntrant& entrant, const RoundRecord& record);

}  // namespace inkling::bench
