#include "io/matrix/text_matrix.hpp"

#include <utility>

namespace inkling {

TextMatrixSource::TextMatrixSource(const std::vector<std::string>& paths, MatrixSourceOptions options)
    : options_(std::move(options)),
      entries_(paths, {.most_expansion = options_.most_expansion,
                       .most_unpacked_bytes = options_.most_unpacked_bytes}),
      origin_(std::make_shared<const std::string>(paths.empty() ? "no file" : paths.front())) {}

bool TextMatrixSource::open_next_file() {
  const std::optional<Entry> entry = entries_.next();
  if (!entry) return false;
  origin_ = std::make_shared<const std::string>(entry->name());
  file_.emplace(*entry->stream, RecordEnd::every_line,
                RecordLimits{options_.chunk_bytes, options_.most_document_bytes});
  return true;
}

std::shared_ptr<Chunk> TextMatrixSource::read_chunk() {
  auto chunk = std::make_shared<Chunk>();
  const bool more = file_->read(chunk->bytes, chunk->dropped_lines);
  entries_.note_progress();
  return more ? chunk : nullptr;
}

}  // namespace inkling
