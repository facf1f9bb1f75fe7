// A model of a test and the document that it learns.
#pragma once

#include "engine/model/linear_model.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::test {

/// The model learns a reward of a document of the pool.
inline RankOneChange learn(LinearModel& model, PoolView pool, DocumentId document, double reward) {
  return model.observe(document, pool.by_document.row(document), reward);
}

}  // namespace inkling::test
