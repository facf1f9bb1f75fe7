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
#include "bench/worlds/searched_pool.hpp"
#include "io/cli/terminal.hpp"

namespace inkling::bench {

/// Runs a study with progress on standard error where that is a terminal. `trace_path` names a file for every
/// round. Throws InterruptedError on Ctrl-C.
[[nodiscard]] StudyResult run_live(const Study& study, int threads,
                                   const std::optional<std::string>& trace_path = {});

/// One JSON object, without a newline. `searched` is empty where every trial had its own pool.
[[nodiscard]] std::string result_json(const EntrantResult& result,
                                      const std::optional<SearchedPool>& searched);

/// A table of all entrants for a terminal, each line ended by a newline.
[[nodiscard]] std::string result_table(std::span<const EntrantResult> results, Colour colour);

/// What each policy that learns has learned of words in the first trial, a line a policy.
[[nodiscard]] std::string word_lines(std::span<const EntrantResult> results, const WordOf& word_of,
                                     Colour colour);

/// Mean regret against rounds: policy,ridge,round,regret,standard_error.
[[nodiscard]] std::string curves_csv(std::span<const EntrantResult> results);

/// One line of a trace file, with its newline. Regret is that of the round. It names its policy where several
/// share a file; else that is empty.
[[nodiscard]] std::string trace_line(std::int64_t trial, std::string_view policy, const RoundRecord& record);

}  // namespace inkling::bench
