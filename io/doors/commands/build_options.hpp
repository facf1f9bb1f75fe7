// The options of `inkling build`, read and checked.
#pragma once

#include <optional>
#include <string>

#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/matrix/matrix_source.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/doors/cli/option_table.hpp"
#include "io/doors/commands/build_sources.hpp"
#include "io/doors/commands/build_words.hpp"

namespace inkling {

[[nodiscard]] OptionTable build_option_table();
/// The options of `inkling parts plan`: how documents are read and weighted, as in a build.
[[nodiscard]] OptionTable plan_option_table();

/// --encoding and --strict, as all commands have them that read records.
[[nodiscard]] Option encoding_option();
[[nodiscard]] Option strict_option();

/// --vectors.
[[nodiscard]] Option vectors_option();

/// --same-by, and what it says: nothing if it was not given.
[[nodiscard]] Option same_by_option();
[[nodiscard]] std::optional<SameBy> given_same_by(const ParsedOptions& options);
/// The same of a command that has --keep-duplicates, too.
[[nodiscard]] SameBy same_by_or_keep_duplicates(const ParsedOptions& options);

/// How documents are read: --memory and --threads.
[[nodiscard]] OptionGroup running_group();
/// The number of threads that --threads requests and --memory has room for.
[[nodiscard]] int build_threads(const ParsedOptions& options);

/// Requires: a format of matrices.
[[nodiscard]] MatrixSourceOptions matrix_source_options(const ParsedOptions& options, const BuildSources& sources);

/// The options for reading documents, except their format, which build_sources finds. They collect the fields and labels met.
[[nodiscard]] SourceOptions source_options(const ParsedOptions& options);

/// Throws UsageError where options contradict each other.
[[nodiscard]] TextRecipe text_recipe(const ParsedOptions& options);
/// The same for a single text.
[[nodiscard]] TextRecipe recipe_of_a_text(const ParsedOptions& options);

/// Lifetime: lends the words.
[[nodiscard]] TextBuildOptions text_build_options(const ParsedOptions& options, const std::string& format,
                                                  const GivenWords& words);

}  // namespace inkling
