// The options of `inkling build`, read and checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/build/text_builder.hpp"
#include "io/cli/option_table.hpp"
#include "io/matrix/matrix_source.hpp"
#include "io/source/document_source.hpp"

namespace inkling {

[[nodiscard]] OptionTable build_option_table();

/// The format as `--format` names it; for "auto", by the names of the sources. Throws UsageError where they
/// do not tell, or tell different ones.
[[nodiscard]] std::string source_format(const ParsedOptions& options);

/// Whether sources of the format hold a ready-made matrix, and not documents to be weighted.
[[nodiscard]] bool is_matrix_format(std::string_view format);

/// As many as --threads asks for and --memory has room for.
[[nodiscard]] int build_threads(const ParsedOptions& options);

/// What --out names. Throws UsageError where it is not given.
[[nodiscard]] const std::string& pool_to_build(const ParsedOptions& options);

/// Requires: a format of matrices.
[[nodiscard]] MatrixSourceOptions matrix_source_options(const ParsedOptions& options,
                                                        std::string_view format);

/// Requires: a format of documents.
[[nodiscard]] SourceOptions source_options(const ParsedOptions& options, std::string_view format);

/// Throws UsageError where options contradict each other.
[[nodiscard]] TextRecipe text_recipe(const ParsedOptions& options);

[[nodiscard]] TextBuildOptions text_build_options(const ParsedOptions& options, const std::string& format);

}  // namespace inkling
