// Rows of svmlight and libsvm files: "LABEL INDEX:VALUE INDEX:VALUE # comment".
#pragma once

#include "io/matrix/matrix_source.hpp"

namespace inkling {

/// The rules, one for each case. A row begins with its label, which is kept as it is written but for a
/// leading '+' (so "1,3" of multi-label files is one label); "qid:N" after it is passed over. Blank lines and
/// those with nothing but a comment are no rows; a row without entries is one. Entries in any order are taken
/// and sorted; an index that comes twice, that is below the base, or not below the number of features is
/// refused. Zeros are left out and counted. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_svmlight(const Chunk& chunk, const MatrixSourceOptions& options,
                                          MatrixBatch& batch);

}  // namespace inkling
