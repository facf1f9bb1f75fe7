// What an experiment found, in the forms in which people and programs read it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/line_chart.hpp"
#include "bench/studies/experiment.hpp"
#include "engine/core/ids.hpp"
#include "io/cli/terminal.hpp"

namespace inkling::bench {

/// A feature's word; an empty function where features have no words.
using WordOf = std::function<std::string(FeatureId)>;

/// One JSON object, without a newline.
[[nodiscard]] std::string result_json(const ContestantResult& result, const ExperimentOptions& options,
                                      const WordOf& word_of = {});

/// A table of all contestants for a terminal, each line ended by a newline.
[[nodiscard]] std::string result_table(const std::vector<ContestantResult>& results, Colour colour);

/// What each policy that learns has learned of words in the first trial, a line a policy.
[[nodiscard]] std::string word_lines(const std::vector<ContestantResult>& results, const WordOf& word_of,
                                     Colour colour);

/// Mean regret against rounds, with 95 % bands over trials.
[[nodiscard]] LineChart regret_chart(const std::vector<ContestantResult>& results,
                                     const ExperimentOptions& options, std::string_view title);

/// The chart's numbers: policy,round,regret,standard_error.
[[nodiscard]] std::string curves_csv(const std::vector<ContestantResult>& results,
                                     const ExperimentOptions& options);

/// Whether a trace line names its policy, as it must where several share a file.
enum class TraceNaming { anonymous, by_policy };

/// One line of a trace file, with its newline. Regret is that of the round.
[[nodiscard]] std::string trace_line(std::int64_t trial, const Contestant& contestant,
                                     const RoundRecord& record, TraceNaming naming);

}  // namespace inkling::bench
