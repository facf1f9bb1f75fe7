// Random sources and recipes for corpora that are built in parts.
#pragma once

#include <string>
#include <vector>

#include "engine/core/random_stream.hpp"
#include "io/parts/shards/build_plan.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {

/// Files of one format, with ids, labels and texts that some documents have; returns their paths.
[[nodiscard]] std::vector<std::string> random_corpus(const std::string& folder, const std::string& format, RandomStream& random);

[[nodiscard]] TextRecipe random_recipe_of_parts(RandomStream& random);

/// Returns its path.
std::string file_with(const std::string& folder, const std::string& name, const std::string& text);

/// A plan of a small corpus in four parts.
[[nodiscard]] BuildPlan four_parts(const TemporaryFolder& folder, const TextRecipe& recipe = {});

}  // namespace inkling::test
