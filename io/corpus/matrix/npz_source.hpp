// Matrices as scipy.sparse.save_npz writes them: arrays in a zip file, by row, by column or as triplets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/matrix/matrix_source.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

/// The arrays of a matrix by name. Several can be read at the same time.
struct NpzMembers {
  std::string path;         ///< as messages name the file
  std::uint64_t bytes = 0;  ///< of the file
  /// The bytes of "NAME.npy"; null where there is none.
  std::function<std::unique_ptr<InputStream>(std::string_view name)> open;
};

/// Reads csr, csc and coo with integers or floats; the message names any other kind. Everything is checked: offsets never
/// fall, indices are in range and unique in each row. Messages name the array and the position
/// ("matrix.npz/indices.npy[7]"). Each array is read to its end, so that its checksum is compared, and nothing may follow
/// its numbers. Zeros are left out and counted.
[[nodiscard]] std::unique_ptr<MatrixSource> read_npz(NpzMembers members);

/// The same for a zip file. Requires: one path.
[[nodiscard]] std::unique_ptr<MatrixSource> open_npz(const std::vector<std::string>& paths, const MatrixSourceOptions& options);

}  // namespace inkling
