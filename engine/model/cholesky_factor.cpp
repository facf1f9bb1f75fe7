#include "engine/model/cholesky_factor.hpp"

#include "engine/model/dense_cholesky.hpp"
#include "engine/model/sparse_cholesky.hpp"

namespace inkling {

std::unique_ptr<CholeskyFactor> make_cholesky_factor(FactorKind kind) {
  if (kind == FactorKind::cholmod) return std::make_unique<SparseCholesky>();
  return std::make_unique<DenseCholesky>();
}

}  // namespace inkling
