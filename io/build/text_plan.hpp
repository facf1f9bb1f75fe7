// What a build would make of its sources, found by the first pass alone and without writing anything.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/build/text_builder.hpp"
#include "io/source/document_source.hpp"

namespace inkling {

struct TextPlan {
  TextBuildSummary summary;
  std::uint64_t pool_bytes = 0;                  ///< of the pool's files, but for its manifest
  std::uint64_t scratch_bytes = 0;               ///< at most, of temporary files beside it
  std::vector<std::string> terms;                ///< by feature, ascending
  std::vector<std::int32_t> document_frequency;  ///< by feature
};

/// Reads all of the source. Throws as build_text_pool does.
[[nodiscard]] TextPlan plan_text_pool(DocumentSource& source, const TextBuildOptions& options,
                                      const BuildListener& listener = {});

}  // namespace inkling
