// A pool with later records: its own rows first, under their old numbers, then the new ones in its words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/base/file/interruption.hpp"
#include "io/corpus/from_text/document_columns.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"

namespace inkling {

/// A pool that another one was made of by adding records. Whoever knows its documents and words knows them there.
struct PoolBefore {
  std::string fingerprint;     ///< `pool_fingerprint`
  std::int64_t documents = 0;  ///< they come first in the later pool
};

/// Those that the recipe of a pool names, the oldest first. Throws CorruptFileError.
[[nodiscard]] std::vector<PoolBefore> pools_before(const std::string& path, const Manifest& manifest);

/// Whether the pool notes documents of equal texts: one that was built to keep them apart does not.
[[nodiscard]] EqualTexts equal_texts_of(const Manifest& manifest);

struct PoolExtension {
  std::int64_t documents = 0;  ///< of the new pool
  std::int64_t added = 0;
  std::int64_t copies = 0;  ///< of these, with the text of an earlier document
  std::int64_t known =
      0;  ///< new records that the pool has already, by id or else by text; they are left out
};

/// Publishes the rows of `pool` and those of `more`, which has the same words and idf (a build like `pool`). The recipe is
/// that of `pool`, and names it. New rows with the text of an earlier one are noted; of a pool that keeps no texts only where
/// both are new. What is noted of the old rows stays as it is. Nothing is published where all of `more` is known. Throws SystemError, and FormatError
/// beyond the most rows of a pool. `may_end` is called now and then, and throws where the work is to end. Requires: a pool
/// made from text.
[[nodiscard]] PoolExtension extend_pool(const Pool& pool, const std::string& fingerprint, const Pool& more,
                                        PoolStaging& staging,
                                        const std::function<void()>& may_end = throw_if_interrupted);

}  // namespace inkling
