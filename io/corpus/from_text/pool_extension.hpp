// A pool with later records: its own rows first, under their old numbers, then the new ones in its words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/base/system/interruption.hpp"
#include "io/corpus/from_text/document_columns.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"

namespace inkling {

/// An earlier pool, to which records were added. Its documents and words have the same numbers in the later pool.
struct PoolBefore {
  std::string fingerprint;     ///< `pool_fingerprint`
  std::int64_t documents = 0;  ///< the first documents of the later pool are these
};

/// The earlier pools that the recipe of a pool names, the oldest first. Throws CorruptFileError.
[[nodiscard]] std::vector<PoolBefore> pools_before(const std::string& path, const Manifest& manifest);

/// By what records of the pool are one: as it was built.
[[nodiscard]] SameBy same_by_of(const Manifest& manifest);

struct PoolExtension {
  std::int64_t documents = 0;  ///< of the new pool
  std::int64_t added = 0;
  std::int64_t copies = 0;  ///< those of `added` that are one with another document
  std::int64_t known = 0;   ///< new records that the pool has already, by id or else by text; they are left out
};

/// Publishes the rows of `pool` and those of `more`, which has the same words and idf (a build like `pool`). The recipe
/// is that of `pool`, and names `pool` as the pool before. Notes new rows that are one with another by `by`; where one of these is
/// of `pool`, it is still offered. If `pool` keeps no texts, only new rows are compared by text. What `pool` notes of its own
/// rows stays. Publishes nothing if `pool` has all records of `more` already. Throws SystemError, and FormatError for more rows than a pool can
/// have. `may_end` is called now and then; it throws to end the work. Requires: a pool made from text.
[[nodiscard]] PoolExtension extend_pool(const Pool& pool, const std::string& fingerprint, const Pool& more, SameBy by,
                                        PoolStaging& staging, const std::function<void()>& may_end = throw_if_interrupted);

}  // namespace inkling
