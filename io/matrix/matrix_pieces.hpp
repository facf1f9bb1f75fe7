// Parses the pieces of a matrix side by side and hands them on in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "io/matrix/matrix_source.hpp"

namespace inkling {

/// What all pieces came to.
struct MatrixTotals {
  std::int64_t records = 0;
  std::int64_t zeros = 0;
  std::int64_t skipped = 0;
};

/// Calls `consume` for each batch, in order, from one thread at a time; at most `at_once` are on their way.
/// Throws the first failure in order of the source, so the same one for any number of threads; FormatError
/// "FILE:LINE:COLUMN" for bad records, and where there are not as many as the source declared.
MatrixTotals read_matrix(MatrixSource& source, std::size_t at_once,
                         const std::function<void(const MatrixBatch&)>& consume);

}  // namespace inkling
