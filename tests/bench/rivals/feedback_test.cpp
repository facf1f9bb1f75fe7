#include "bench/rivals/feedback.hpp"

#include <limits>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

CsrMatrix three_rows() { return test::matrix_of(3, {{{0, 1.0F}}, {{1, 2.0F}}, {{2, 3.0F}}}); }

struct GivenFeedback {
  const CsrMatrix rows = three_rows();
  Feedback feedback{rows.view()};
};

TEST_CASE_FIXTURE(GivenFeedback, "a document counts once for each time that it was rated and is judged by its mean reward") {
  for (const double reward : {1.0, 0.0, 1.0}) feedback.observe(2, reward);
  feedback.observe(0, 0.0);
  REQUIRE(feedback.size() == 2);
  CHECK(feedback.ratings() == 4);
  CHECK(feedback.document(0).document == 2);
  CHECK(feedback.document(0).plays == 3.0);
  CHECK(feedback.document(0).is_wanted);
  CHECK(value_at(feedback.document(0).row, 2) == 3.0);
  CHECK_FALSE(feedback.document(1).is_wanted);
  CHECK(feedback.wanted() == 3.0);
  CHECK(feedback.unwanted() == 1.0);
  CHECK(feedback.holds(0));
  CHECK_FALSE(feedback.holds(1));
}

TEST_CASE_FIXTURE(GivenFeedback, "a higher reward may change which documents count as wanted") {
  feedback.observe(0, 2.0);
  CHECK(feedback.document(0).is_wanted);
  feedback.observe(1, 5.0);
  CHECK_FALSE(feedback.document(0).is_wanted);
  CHECK(feedback.document(1).is_wanted);
}

TEST_CASE_FIXTURE(GivenFeedback, "marks are kept by document and as words with the highest confidence") {
  feedback.observe(0, 1.0);
  feedback.observe_marks(0, std::vector<SaidWord>{{.feature = 2, .confidence = 0.5}, {.feature = 0, .confidence = 1.0}});
  feedback.observe(1, 1.0);
  feedback.observe_marks(1, std::vector<SaidWord>{{.feature = 2, .confidence = 0.25}});
  feedback.observe_marks(1, std::vector<SaidWord>{{.feature = 2, .confidence = 0.75}});
  REQUIRE(feedback.document(0).marks.size() == 2);
  CHECK(feedback.document(0).marks[0].feature == 0);
  CHECK(feedback.document(0).marks[1].confidence == 0.5);
  REQUIRE(feedback.document(1).marks.size() == 1);
  CHECK(feedback.document(1).marks[0].confidence == 0.75);
  REQUIRE(feedback.words().size() == 2);
  CHECK(feedback.words()[1].feature == 2);
  CHECK(feedback.words()[1].confidence == 0.75);
  CHECK(feedback.query().empty());
}

TEST_CASE_FIXTURE(GivenFeedback, "words rated apart from a document are a query where the rating is above 0") {
  feedback.rate_words(std::vector<SaidWord>{{2, 1.0, 0.5}, {1, -1.0, 1.0}, {0, 0.0, 1.0}});
  REQUIRE(feedback.query().size() == 1);
  CHECK(feedback.query()[0].feature == 2);
  CHECK(feedback.query()[0].confidence == 0.5);
  CHECK(feedback.words().size() == 1);
  CHECK(feedback.ratings() == 0);
}

TEST_CASE_FIXTURE(GivenFeedback, "an invalid reward is refused and nothing is kept") {
  CHECK_THROWS_AS(feedback.observe(0, std::numeric_limits<double>::quiet_NaN()), FormatError);
  CHECK(feedback.size() == 0);
  CHECK(feedback.ratings() == 0);
}

}  // namespace
}  // namespace inkling::bench
