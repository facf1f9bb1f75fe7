// Counts of parts that were never counted: as many terms as one likes, to measure how they are merged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace inkling::bench {

struct GeneratedCounts {
  std::int64_t terms = 0;  ///< different ones, in all parts together
  std::int64_t parts = 0;
};

/// Writes the counts of each part to DIR/0, DIR/1 and so on, and returns these folders. Every sixteenth term is in all
/// parts, each other one in a single part. `check_interruption` is called now and then. Throws SystemError.
[[nodiscard]] std::vector<std::string> write_generated_counts(
    const GeneratedCounts& counts, const std::string& folder,
    const std::function<void()>& check_interruption);

/// How many terms these parts hold, each as often as it is in one.
[[nodiscard]] std::int64_t terms_to_read(const GeneratedCounts& counts);

}  // namespace inkling::bench
