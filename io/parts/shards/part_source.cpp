#include "io/parts/shards/part_source.hpp"

#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/corpus/unpack/folder_walk.hpp"

namespace inkling {

void check_planned_file(const PlannedFile& file, std::int64_t part) {
  const std::string path = file.path();
  const FileStatus status = status_of(path);
  if (status.size == file.size && status.modified.whole_nanoseconds() == file.modified) return;
  throw FormatError(path,
                    fmt::format("expected the file as it was when the plan was made, {}, found it changed (part {} of the "
                                "plan); plan again",
                                status.size == file.size ? "with the same time" : fmt::format("of {} bytes", file.size), part));
}

const PlanPart& part_of_plan(const BuildPlan& plan, std::int64_t part) {
  if (part >= 0 && part < std::ssize(plan.parts)) return plan.parts[static_cast<std::size_t>(part)];
  throw FormatError("--part", fmt::format("expected a part of the plan, 0 to {}, got {}", plan.parts.size() - 1, part));
}

PartSource::PartSource(const BuildPlan& plan, std::int64_t part, const SourceOptions& process) {
  std::vector<FilePiece> pieces;
  SourceOptions options = plan.source;
  for (const PlannedFile& file : part_of_plan(plan, part).files) {
    check_planned_file(file, part);
    pieces.push_back(file.piece);
    if (file.kind) options.kinds.push_back(*file.kind);
  }
  options.seen = process.seen;
  options.reading.check_interruption = process.reading.check_interruption;
  options.reading.unpacking.most_memory = process.reading.unpacking.most_memory;
  source_ = open_pieces(std::move(pieces), options);
}

bool PartSource::read(Chunk& chunk) {
  if (!source_->read(chunk)) return false;
  for (const Chunk::Member& member : chunk.members) {
    checksum_.add(member.name);
    checksum_.add(std::uint64_t{member.size});
  }
  checksum_.add(chunk.bytes.view());
  if (chunk.dropped_lines > 0) checksum_.add(static_cast<std::uint64_t>(chunk.dropped_lines));
  return true;
}

}  // namespace inkling
