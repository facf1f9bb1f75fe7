// Which records of a pool came from which file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {

/// A file, and how many of its records are in a pool, in consecutive rows.
struct FileOfRecords {
  std::string name;    ///< as it was given, or below the folder or archive that was; empty: many files
  std::string format;  ///< of the records
  std::int64_t documents = 0;
  std::int64_t left_out = 0;  ///< records that could not be read
  std::string why = {};       ///< the first of them could not
  std::int64_t known = 0;     ///< records that were in the pool already when these were added

  bool operator==(const FileOfRecords&) const = default;
};

/// Counts more records of a file, the last one or the next. Beyond so many files as a person looks through, the rest count as one.
void add_records(std::vector<FileOfRecords>& sources, const FileOfRecords& more);

/// An array with an object for each.
[[nodiscard]] std::string records_json(const std::vector<FileOfRecords>& sources);
/// The last member of a recipe before "extends", with a comma before it; empty if the recipe says all without it: that the pool has
/// all records of one file.
[[nodiscard]] std::string records_member(const std::vector<FileOfRecords>& sources);
inline constexpr std::string_view kRecordsMember = ",\"records\":";

/// The files of a pool in the order of its rows, of which these have `Manifest::rows` together. Pools that were not made from
/// records, and those of earlier programs, have one, which has the names of all.
[[nodiscard]] std::vector<FileOfRecords> record_sources(const Manifest& manifest);

/// By the row of a document, the place of its file among these. Requires: they have that row.
[[nodiscard]] std::size_t source_of_row(const std::vector<FileOfRecords>& sources, std::int64_t row);

}  // namespace inkling
