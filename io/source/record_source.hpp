// Documents in files that hold many, in one of the record formats.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "io/source/document_source.hpp"
#include "io/source/entries.hpp"
#include "io/source/record_chunks.hpp"
#include "io/source/record_format.hpp"

namespace inkling {

class RecordSource final : public DocumentSource {
 public:
  /// Requires: options.format names a record format.
  RecordSource(std::vector<std::string> paths, SourceOptions options);

  [[nodiscard]] bool read(Chunk& chunk) override;
  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override;
  [[nodiscard]] std::uint64_t total_bytes() const override { return entries_.total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return entries_.bytes_read(); }

 private:
  [[nodiscard]] bool open_next_file();
  void take_header(Chunk& chunk);

  SourceOptions options_;
  const RecordFormat& format_;
  Entries entries_;
  std::optional<RecordChunks> file_;
  std::shared_ptr<const std::string> origin_;  // of the open file, and its header once that is read
  std::shared_ptr<const std::string> header_;
};

}  // namespace inkling
