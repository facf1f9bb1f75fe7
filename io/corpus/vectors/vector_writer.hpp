// Writes the vectors of a pool.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/vectors/vector_source.hpp"

namespace inkling {

/// Throws FormatError unless the source has a row for each document, and as many numbers in each as `centre` if that is given.
void check_vectors(const VectorSource& source, std::int64_t documents, std::span<const float> centre);

/// The mean of all rows that are not zero; `between` as below.
[[nodiscard]] std::vector<float> centre_of(const VectorSource& source, const std::function<void()>& between);

/// Row i is that of the source, less the mean of all rows that are not zero, scaled to length 1, and rounded to 127 steps up to its
/// largest number. With a `centre` this is subtracted in place of the mean. `between` is called now and then; a throw ends the work.
/// Requires: `check_vectors`. Throws as the source does.
void write_vectors(PoolStaging& staging, const VectorSource& source, std::span<const float> centre,
                   const std::function<void()>& between);

/// Vectors as they are written, of a pool and of one that is added to it.
class VectorRows {
 public:
  VectorRows(PoolStaging& staging, std::span<const float> centre);
  ~VectorRows();
  VectorRows(const VectorRows&) = delete;
  VectorRows& operator=(const VectorRows&) = delete;

  void append(std::span<const std::int8_t> codes, float scale);
  /// A document without a vector.
  void append_none();
  void append(VectorView vectors, DocumentId row);
  void close();

 private:
  struct Files;
  std::unique_ptr<Files> files_;
  std::vector<std::int8_t> none_;
};

}  // namespace inkling
