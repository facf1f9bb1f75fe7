// A piece of the arrays of a SciPy matrix, and the entries in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/matrix/matrix_source.hpp"
#include "io/matrix/npy_stream.hpp"

namespace inkling {

/// Whole rows or columns of the arrays, or some triplets, and where they stand in all of them.
struct NpzSlice {
  std::string name;       ///< of the file
  std::int64_t rows = 0;  ///< bounds of what indices may be
  std::int64_t columns = 0;
  std::int64_t first_line = 0;  ///< row of csr, column of csc
  std::int64_t first_entry = 0;
  std::vector<std::int64_t> line_sizes;  ///< of csr and csc
  RawNumbers row_indices;                ///< of coo
  RawNumbers indices;
  RawNumbers values;
};

/// The entries of a slice, by the rules of a MatrixSource. Each throws FormatError naming the array and the
/// position ("matrix.npz/indices.npy[7]") for indices out of range, columns that come twice in a row of csr,
/// and values against the rule. Thread safety: pure.
ChunkOutcome parse_csr(const NpzSlice& slice, MatrixBatch& batch);
ChunkOutcome parse_csc(const NpzSlice& slice, MatrixBatch& batch);
ChunkOutcome parse_coo(const NpzSlice& slice, MatrixBatch& batch);

}  // namespace inkling
