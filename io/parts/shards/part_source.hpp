// The documents of one part of a plan, and the checksum of what was read.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "io/corpus/pool/format/running_checksum.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/parts/shards/build_plan.hpp"

namespace inkling {

/// Throws FormatError, which names the file and the part, if it has changed since the plan was made.
void check_planned_file(const PlannedFile& file, std::int64_t part);

/// Thread safety and lifetime: as DocumentSource.
class PartSource final : public DocumentSource {
 public:
  /// Takes `seen`, how to be interrupted and the memory for unpacking from `process`. Throws FormatError, which names the file
  /// and the part, if a file has changed since the plan was made.
  PartSource(const BuildPlan& plan, std::int64_t part, const SourceOptions& process);

  [[nodiscard]] bool read(Chunk& chunk) override;
  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override {
    return source_->parse(chunk, visit);
  }
  [[nodiscard]] std::uint64_t total_bytes() const override { return source_->total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return source_->bytes_read(); }
  [[nodiscard]] std::uint64_t unpacking_memory() const override { return source_->unpacking_memory(); }

  /// The checksum of all bytes read so far, unpacked, with the names of files that are documents.
  [[nodiscard]] std::uint64_t checksum() const { return checksum_.value(); }

 private:
  std::unique_ptr<DocumentSource> source_;
  RunningChecksum checksum_;
};

/// The part of this number. Throws FormatError, which names --part, if the plan has none.
[[nodiscard]] const PlanPart& part_of_plan(const BuildPlan& plan, std::int64_t part);

}  // namespace inkling
