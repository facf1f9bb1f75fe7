// Cuts sources into parts of about the same size, between records.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/corpus/source/record_parser.hpp"
#include "io/parts/shards/build_plan.hpp"

namespace inkling {

/// Finds where records end in a file. If quotes matter, it reads all bytes before a position, once; otherwise a few bytes after
/// each position. Thread safety: one thread at a time.
class RecordEnds {
 public:
  RecordEnds(const std::string& path, RecordEnd rule) : file_(path), rule_(rule) {}

  /// The first end of a record that is not before `position`; the end of the file where there is none.
  /// Requires: position > 0, and not below that of the last call.
  [[nodiscard]] std::uint64_t at_or_after(std::uint64_t position);

  [[nodiscard]] std::uint64_t file_bytes() const { return file_.size(); }

 private:
  [[nodiscard]] std::size_t next_end(std::string_view block, std::size_t from);
  [[nodiscard]] std::uint64_t mark_after(std::uint64_t from);
  [[nodiscard]] std::string_view block_at(std::uint64_t position);

  FileStream file_;
  RecordEnd rule_;
  std::string block_;
  std::uint64_t known_end_ = 0;  // the last end of a record that was found
  std::uint64_t counted_ = 0;    // searched up to this position
  QuotedLines lines_;            // at that position
};

/// How many parts are wanted: a number of parts, or their approximate size.
struct PartRequest {
  std::optional<std::int64_t> parts = {};
  std::uint64_t bytes = std::uint64_t{1} << 30U;
};

struct PlannedFiles {
  std::vector<PlannedFile> files;
  std::int64_t links_left_out = 0;  ///< symbolic links in folders that were not followed
};

/// `BuildPlan::roots` of a source.
[[nodiscard]] std::string planned_root(const std::string& source);

/// The files that a walk over the sources finds, each with its size and time. Throws SystemError, and FormatError for a pipe, for
/// a name that is not UTF-8, and if a plan of so many files takes more than `memory`.
[[nodiscard]] PlannedFiles planned_files(const std::vector<std::string>& sources, bool follow_links, std::uint64_t memory,
                                         const std::function<void()>& check_interruption);

/// Cuts at records where files hold many of them and are not packed; archives, compressed files, and files that are a document
/// each stay whole. Returns at least one part, at most as many as wanted; each has files, if there are any.
/// The file of vectors as it is now, and the mean of its rows. Throws FormatError and SystemError.
[[nodiscard]] PlannedVectors planned_vectors(const std::string& path, const std::function<void()>& check_interruption);

[[nodiscard]] std::vector<PlanPart> parts_of(const std::vector<PlannedFile>& files, const SourceOptions& source,
                                             const PartRequest& request, const std::function<void()>& check_interruption);

}  // namespace inkling
