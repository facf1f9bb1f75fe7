#include "engine/model/cholesky_factor.hpp"

#include <cassert>
#include <cstddef>
#include <vector>

#include "engine/model/dense_cholesky.hpp"
#include "engine/model/sparse_cholesky.hpp"

namespace inkling {

void CholeskyFactor::rebuild(const PlayedRows& rows, double ridge, std::int32_t size, std::int32_t capacity) {
  assert(size >= 0);
  rebuild(rows, std::vector<double>(static_cast<std::size_t>(size), ridge), capacity);
}

double CholeskyFactor::log_det_ratio(double ridge) const {
  return log_det_ratio(std::vector<double>(static_cast<std::size_t>(size()), ridge));
}

std::unique_ptr<CholeskyFactor> make_cholesky_factor(FactorKind kind) {
  if (kind == FactorKind::cholmod) return std::make_unique<SparseCholesky>();
  return std::make_unique<DenseCholesky>();
}

}  // namespace inkling
