// Checks the documents that were read: the requested names occur in them, and the pool is not empty.
#pragma once

#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/matrix/matrix_import.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/doors/cli/option_table.hpp"
#include "io/doors/commands/build_sources.hpp"

namespace inkling {

/// Throws UsageError for a field that is given although the format has none.
void check_fields_of_format(const ParsedOptions& options, const BuildSources& sources);

/// To be called after reading. Throws UsageError, with the nearest known name, for a given label or field that no document has;
/// FormatError if there are no documents or no features, unless --allow-empty is given.
void check_documents(const ParsedOptions& options, const SourceOptions& source, const TextBuildSummary& summary);

/// The same for an imported matrix without rows or columns.
void check_matrix(const ParsedOptions& options, const ImportSummary& summary);

}  // namespace inkling
