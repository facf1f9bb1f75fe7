// Pools and files that exist at the place of a new pool, and pools among the sources of a build.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/doors/cli/option_table.hpp"

namespace inkling {

/// What the manifest of a pool says at its beginning. Nothing of it is checked.
struct ExistingPool {
  std::optional<std::int64_t> documents;
  bool has_texts = false;
};

/// The pool at a path; nothing if there is none.
[[nodiscard]] std::optional<ExistingPool> pool_at(const std::string& path);

/// Throws UsageError with what to type instead.
[[noreturn]] void refuse_pool_as_source(const ParsedOptions& options, const std::string& source);

/// What --out names. Throws UsageError where it is not given or is "-", where it is a pool and --force is not given,
/// and where it is the pool of --like.
[[nodiscard]] const std::string& pool_to_build(const ParsedOptions& options);

}  // namespace inkling
