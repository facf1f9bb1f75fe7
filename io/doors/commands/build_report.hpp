// What `inkling build` prints at the end: summaries, plans and explanations, for people and for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/from_text/explanation.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/matrix/matrix_import.hpp"
#include "io/doors/cli/terminal.hpp"

namespace inkling {

/// What a build is doing in each phase, for its line of progress.
inline constexpr EnumName<BuildPhase> kBuildLabels[] = {{BuildPhase::read, "1 of 3: reading, bytes"},
                                                        {BuildPhase::weigh, "2 of 3: weighing, non-zeros"},
                                                        {BuildPhase::columns, "3 of 3: columns, non-zeros"}};

/// "  NAME         WHAT": one line of a summary.
[[nodiscard]] std::string summary_line(std::string_view name, const std::string& what);

/// "230 documents have the text of an earlier one: searches offer each text once"
[[nodiscard]] std::string copies_text(std::int64_t copies);
[[nodiscard]] std::string vectors_text(std::int32_t dimensions);

/// "3 were not followed (--follow-links follows them)": symbolic links in folders.
[[nodiscard]] std::string links_text(std::int64_t links_left_out);

/// "3 were no characters and became U+FFFD (--encoding names another encoding)"
[[nodiscard]] std::string bad_bytes_text(std::int64_t bytes);

/// What to say of single records and files: the first remarks, and how many others there are.
[[nodiscard]] std::vector<std::string> shown_remarks(const CorpusTotals& corpus);

/// The cost of a build, measured by its command.
struct BuildCost {
  double seconds = 0.0;
  std::uint64_t source_bytes = 0;
  std::uint64_t pool_bytes = 0;
  int threads = 1;
};

/// "12,345 kept of 56,789 different terms; dropped 40,000 in too few documents, 444 in too many".
[[nodiscard]] std::string features_text(const TextBuildSummary& summary);

[[nodiscard]] std::string build_text(const TextBuildSummary& summary, const BuildCost& cost, const std::string& pool,
                                     const Style& style);
[[nodiscard]] std::string build_json(const TextBuildSummary& summary, const BuildCost& cost, const std::string& pool);

/// The same for a pool that was made from a matrix.
[[nodiscard]] std::string import_text(const ImportSummary& summary, const BuildCost& cost, const std::string& pool,
                                      const Style& style);
[[nodiscard]] std::string import_json(const ImportSummary& summary, const BuildCost& cost, const std::string& pool);

[[nodiscard]] std::string plan_text(const TextPlan& plan, std::uint64_t memory, const Style& style);
[[nodiscard]] std::string plan_json(const TextPlan& plan, std::uint64_t memory);

/// `corpus` says where the counts of the explanation come from, as in "the pool reviews"; empty for nowhere.
[[nodiscard]] std::string explanation_text(const Explanation& explanation, const std::string& corpus, const Style& style);
[[nodiscard]] std::string explanation_json(const Explanation& explanation);

}  // namespace inkling
