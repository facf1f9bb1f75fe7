// What became of the records of each file of a pool: the numbers that the report of a review needs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/base/file/json_writer.hpp"
#include "io/corpus/from_text/record_sources.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

struct SourceFacts {
  FileOfRecords records;
  std::int64_t copies_within = 0;  ///< documents that are one with a document of the same file that is offered
  std::int64_t copies_across = 0;  ///< the same, of another file
  std::int64_t labelled = 0;       ///< documents with a label, or with a rating in the field that holds ratings
  std::optional<std::int64_t> without_abstract = {};  ///< unknown if the pool keeps no fields or no texts
};

/// The files of all pools, in the order of the rows.
[[nodiscard]] std::vector<FileOfRecords> files_of(const PoolSet& pools);

/// By file, in the order of the rows. Reads all records. Requires: pools that are mapped.
[[nodiscard]] std::vector<SourceFacts> source_facts(const PoolSet& pools);
[[nodiscard]] std::vector<SourceFacts> source_facts(const Pool& pool);

/// An array with an object for each.
void write_source_facts(JsonWriter& json, std::span<const SourceFacts> sources);
/// "a.ris: 120 documents (2 without abstract, 3 copies within it, 10 of other files, 1 left out)", a line for each.
[[nodiscard]] std::vector<std::string> source_lines(std::span<const SourceFacts> sources);

}  // namespace inkling
