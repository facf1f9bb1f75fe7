// What `inkling build` tells in the end: summaries, plans and explanations, for people and for programs.
#pragma once

#include <string>

#include "io/build/explanation.hpp"
#include "io/build/text_builder.hpp"
#include "io/build/text_plan.hpp"
#include "io/cli/terminal.hpp"

namespace inkling {

/// What a build took, measured by its command.
struct BuildCost {
  double seconds = 0.0;
  std::uint64_t source_bytes = 0;
  std::uint64_t pool_bytes = 0;
  int threads = 1;
};

[[nodiscard]] std::string build_text(const TextBuildSummary& summary, const BuildCost& cost,
                                     const std::string& pool, const Style& style);
[[nodiscard]] std::string build_json(const TextBuildSummary& summary, const BuildCost& cost,
                                     const std::string& pool);

[[nodiscard]] std::string plan_text(const TextPlan& plan, std::uint64_t memory, const Style& style);
[[nodiscard]] std::string plan_json(const TextPlan& plan, std::uint64_t memory);

/// Where the counts behind an explanation come from: "the pool reviews", or nothing.
[[nodiscard]] std::string explanation_text(const Explanation& explanation, const std::string& corpus,
                                           const Style& style);
[[nodiscard]] std::string explanation_json(const Explanation& explanation);

}  // namespace inkling
