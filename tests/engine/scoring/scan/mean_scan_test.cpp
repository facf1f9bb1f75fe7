#include "engine/scoring/scan/mean_scan.hpp"

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "engine/model/linear_model.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

TEST_CASE("means without widths are those of predictions, whatever the form of the model") {
  test::each_case(117, 300, [&](RandomStream& random, std::uint64_t trial) {
    const std::int32_t documents = trial % 100 == 0 ? 140000 : between(1, 30, random);  // several blocks
    const PoolMatrix pool = test::random_pool(
        {.documents = documents, .features = between(1, random.coin(0.5) ? 12 : 80, random), .density = 0.5, .degenerate = true},
        random);
    const CsrView rows = pool.view().by_document;
    const ModelForm form = random.coin(0.5) ? ModelForm::primal : ModelForm::dual;
    const double base = random.coin(0.5) ? 0.5 : 0.0;
    const std::unique_ptr<LinearModel> model = make_linear_model(form, rows.columns(), {.ridge = 0.5, .base = base});
    for (FeatureId feature = 0; feature < rows.columns(); ++feature) {
      if (random.coin(0.7)) model->adopt(feature);
      test::learn(*model, pool.view(), between(0, rows.rows() - 1, random), random.normal());
    }
    const MeanScan scan(*model);
    std::vector<double> means(static_cast<std::size_t>(rows.rows()));
    scan.score_all(pool.view(), means);
    const std::vector<DocumentId> chosen = test::shuffled(rows.rows(), random);
    std::vector<double> of_chosen(chosen.size());
    scan.score(rows, chosen, of_chosen);
    std::vector<double> of_one(1);
    for (std::size_t n = 0; n < chosen.size(); ++n) {
      const DocumentId i = chosen[n];
      const double expected = model->predict(rows.row(i)).mean;
      REQUIRE(std::fabs(of_chosen[n] - expected) <= 1e-12);
      if (n < 50) {
        score_means(*model, rows, std::span(chosen).subspan(n, 1), of_one);
        REQUIRE(std::fabs(of_one[0] - expected) <= 1e-12);
      }
      REQUIRE(std::fabs(means[static_cast<std::size_t>(i)] - expected) <= 1e-12);
    }
  });
}

}  // namespace
}  // namespace inkling
