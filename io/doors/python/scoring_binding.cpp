// Many sessions score one pool in one pass over its rows.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "engine/sparse/row_blocks.hpp"
#include "engine/sparse/whole_row.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/core_session.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/doors/python/score_words.hpp"
#include "io/search/events/learning.hpp"
#include "io/search/score/score_pass.hpp"

namespace inkling::python {
namespace {

using Best = std::vector<std::vector<ScoredDocument>>;  // by model

Best best_of(const JointScan& scan, CsrView rows, const std::vector<double>& radii, std::size_t top,
             const std::vector<std::vector<DocumentId>>& seen, const LongWork& work) {
  struct Local {
    ScanWorkspace workspace;
    std::vector<Prediction> predictions;
    Best best;
  };
  tbb::enumerable_thread_specific<Local> locals;
  const RowBlocks blocks(rows.rows(), 512);
  tbb::parallel_for(0, blocks.count(), [&](std::int32_t b) {
    work.stopped();
    Local& local = locals.local();
    local.best.resize(radii.size());
    const RowBlock block = blocks[b];
    local.predictions.resize(radii.size() * block.size());
    scan.score_rows(rows, block, local.workspace, local.predictions);
    for (std::size_t m = 0; m < radii.size(); ++m) {
      for (std::size_t i = 0; i < block.size(); ++i) {
        const DocumentId document = block.first + static_cast<DocumentId>(i);
        if (std::ranges::binary_search(seen[m], document)) continue;
        const Prediction& prediction = local.predictions[m * block.size() + i];
        keep_best(
            local.best[m], top,
            ScoredDocument{document, prediction.mean, prediction.square, optimism(prediction.mean, prediction.square, radii[m])});
      }
    }
  });
  Best best(radii.size());
  for (const Local& local : locals) {
    for (std::size_t m = 0; m < local.best.size(); ++m)
      for (const ScoredDocument& one : local.best[m]) keep_best(best[m], top, one);
  }
  for (auto& of_model : best)
    std::ranges::sort(of_model, [](const auto& left, const auto& right) { return ranks_before(left, right); });
  return best;
}

using ScoreRows =
    std::tuple<ArrayOut<std::int32_t>, ArrayOut<std::int32_t>, ArrayOut<double>, ArrayOut<double>, ArrayOut<double>>;

// The current models of the sessions. Throws FormatError if a policy does not
// rank by mean and width.
std::vector<FrozenModel> frozen_models(const std::vector<CoreSession*>& sessions) {
  std::vector<FrozenModel> models;
  models.reserve(sessions.size());
  for (CoreSession* const session : sessions) {
    const OneThread one(session->busy);
    const Learner* const learner = session->search.policy().learner();
    if (session->model() == nullptr || !learner->radius())
      throw FormatError("sessions[" + std::to_string(models.size()) + "]", "expected a policy that ranks by mean and width");
    models.push_back(frozen(*learner).scan);
  }
  return models;
}

// Columns: which session, document, mean, width, score; the best first within
// each model.
ScoreRows score(const CorePool& pool, const std::vector<CoreSession*>& sessions, const std::vector<double>& radii,
                const std::vector<std::vector<DocumentId>>& seen, std::int64_t top, int threads) {
  if (top < 0) throw FormatError("top", "expected a number of at least 0");
  Best best;
  LongWork work;
  if (!sessions.empty()) {
    const JointScan scan(frozen_models(sessions));
    work.run(threads, [&] { best = best_of(scan, pool.view().by_document, radii, static_cast<std::size_t>(top), seen, work); });
  }
  std::vector<std::int32_t> owner;
  std::vector<std::int32_t> documents;
  std::vector<double> means;
  std::vector<double> widths;
  std::vector<double> scores;
  for (std::size_t m = 0; m < best.size(); ++m) {
    for (const ScoredDocument& one : best[m]) {
      owner.insert(owner.end(), static_cast<std::int32_t>(m));
      documents.insert(documents.end(), static_cast<DocumentId>(one.document));
      means.insert(means.end(), one.mean);
      widths.insert(widths.end(), std::sqrt(std::max(one.square, 0.0)));
      scores.insert(scores.end(), one.ucb);
    }
  }
  return {array_of(std::move(owner)), array_of(std::move(documents)), array_of(std::move(means)), array_of(std::move(widths)),
          array_of(std::move(scores))};
}

// Of one document of any pool in the same features: for each word in use that it holds its feature, value, weight,
// contribution, deviation and share of the squared width.
std::vector<ScoreWord> explain_row(CoreSession& session, const CorePool& pool, DocumentId document) {
  check_id("document", document, pool.view().documents());
  const JointScan scan(frozen_models({&session}));
  WholeRow whole;
  const LinearModel* const model = session.model();
  const std::int32_t columns = model == nullptr ? pool.view().features() : model->columns();
  std::vector<ScorePart> parts = scan.parts_of(0, whole.of(pool.view().by_document, document, columns));
  std::erase_if(parts, [&](const ScorePart& part) { return part.feature >= pool.view().features(); });  // numbers of a vector
  return score_words(parts);
}

}  // namespace

void bind_scoring(nb::module_& module) {
  module.def("score", score, nb::arg("pool"), nb::arg("sessions"), nb::arg("radii"), nb::arg("seen"), nb::arg("top"),
             nb::arg("threads"));
  module.def("explain_row", explain_row, nb::arg("session"), nb::arg("pool"), nb::arg("document"));
}

}  // namespace inkling::python
