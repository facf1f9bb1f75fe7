// What a build reads and in which format: as the options say, or detected.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/source/document_source.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling {

struct BuildSources {
  std::vector<std::string> paths;         ///< "/dev/stdin" for "-"
  std::string format;                     ///< as `--format` names it
  char delimiter = ',';                   ///< of csv
  std::vector<SourceKind> kinds = {};     ///< by path, where formats differ; `format` is then the first one
  std::vector<std::string> remarks = {};  ///< what was detected and does not follow from the names
};

/// Throws UsageError where a source is a pool, where nothing tells the format and where a matrix is among others, and
/// FormatError for a kind of file that cannot be read. `looking`: which field is the text, and the limits.
[[nodiscard]] BuildSources build_sources(const ParsedOptions& options, const SourceOptions& looking);

/// The values of `--format`, and its help.
[[nodiscard]] std::vector<std::string> format_choices();
[[nodiscard]] std::string format_help();

/// Whether sources of the format hold a ready-made matrix, and not documents to be weighted.
[[nodiscard]] bool is_matrix_format(std::string_view format);

}  // namespace inkling
