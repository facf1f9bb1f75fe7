// Documents that are a file each, many small ones to a chunk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/source/document_source.hpp"
#include "io/source/entries.hpp"

namespace inkling {

class FilesSource final : public DocumentSource {
 public:
  FilesSource(std::vector<std::string> paths, SourceOptions options);

  [[nodiscard]] bool read(Chunk& chunk) override;
  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override;
  [[nodiscard]] std::uint64_t total_bytes() const override { return entries_.total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return entries_.bytes_read(); }

 private:
  /// Goes to the next file whose label is wanted.
  [[nodiscard]] bool find_next();
  void append_member(Chunk& chunk);

  SourceOptions options_;
  Entries entries_;
  std::optional<Entry> next_;  // found and not read
};

}  // namespace inkling
