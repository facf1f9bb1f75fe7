#include "engine/scoring/survey/pool_survey.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

TEST_CASE("a survey has the average document, its product with every document, and what bounds a row") {
  test::each_case(4711, 200, [&](RandomStream& random) {
    const PoolMatrix pool = test::random_pool({.documents = test::between(1, 600, random),
                                               .features = test::between(1, 50, random),
                                               .density = 0.2,
                                               .degenerate = random.coin(0.3)},
                                              random);
    const PoolView view = pool.view();
    std::vector<DocumentId> left_out;
    for (DocumentId i = 1; i < view.documents(); ++i)
      if (random.coin(0.1)) left_out.push_back(i);
    const bool is_part = random.coin(0.3);
    const auto given =
        std::make_shared<const AverageDocument>(AverageDocument{.features = {view.features() - 1}, .values = {0.5F}});
    const PoolSurvey survey(view, left_out, is_part ? given : nullptr);
    const AverageDocument expected = is_part ? *given : average_document(view.by_feature, left_out);
    CHECK(survey.average().features == expected.features);
    CHECK(survey.average().values == expected.values);
    std::vector<double> dense(static_cast<std::size_t>(view.features()));
    for (std::size_t n = 0; n < expected.features.size(); ++n)
      dense[static_cast<std::size_t>(expected.features[n])] = static_cast<double>(expected.values[n]);
    const RowSurvey& rows = survey.rows();
    REQUIRE(std::ssize(rows.along) == view.documents());
    double largest = 0.0;
    std::size_t longest = 0;
    bool has_negative = false;
    for (DocumentId i = 0; i < view.documents(); ++i) {
      const SparseRow row = view.by_document.row(i);
      CHECK(rows.along[static_cast<std::size_t>(i)] == doctest::Approx(dot(row, dense)).epsilon(1e-12));
      largest = std::max(largest, squared_norm(row));
      longest = std::max(longest, row.size());
      for (const float value : row.values) has_negative |= value < 0.0F;
    }
    CHECK(rows.lengths.largest_norm_square == largest);
    CHECK(rows.lengths.longest_row == longest);
    CHECK(rows.lengths.has_negative == has_negative);
  });
}

}  // namespace
}  // namespace inkling
