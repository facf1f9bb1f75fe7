#include "io/source/document_source.hpp"

#include <fmt/format.h>

#include "io/source/entries.hpp"
#include "io/source/record_format.hpp"

namespace inkling {

std::string place_of(const Chunk& chunk, const ChunkProblem& problem, std::int64_t lines_before) {
  if (!problem.member.empty())
    return fmt::format("{}:{}:{}", joined_path(*chunk.origin, problem.member), problem.line + 1,
                       problem.column);
  return fmt::format("{}:{}:{}", *chunk.origin, lines_before + problem.line + 1, problem.column);
}

std::unique_ptr<DocumentSource> open_source(const std::vector<std::string>& paths,
                                            const SourceOptions& options) {
  return options.format == kFilesFormat ? open_files(paths, options) : open_records(paths, options);
}

}  // namespace inkling
