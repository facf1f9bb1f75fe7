#include "io/corpus/from_text/explanation.hpp"

#include <cmath>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("every token is shown with its fate and every term with its count") {
  TextRecipe recipe = TextRecipe::like_scikit_learn();
  recipe.stop_words = {"the"};
  const Explanation explanation = explain_text("The cat, a cat and the hat", recipe, {});
  REQUIRE(explanation.tokens.size() == 7);
  CHECK(explanation.tokens[0].text == "the");
  CHECK(explanation.tokens[0].fate == ExplainedToken::Fate::stop_word);
  CHECK(explanation.tokens[1].fate == ExplainedToken::Fate::kept);
  CHECK(explanation.tokens[2].fate == ExplainedToken::Fate::too_short);
  REQUIRE(explanation.terms.size() == 3);
  CHECK(explanation.terms[1].text == "cat");
  CHECK(explanation.terms[1].count == 2);
  CHECK(explanation.terms[1].weight == doctest::Approx(2.0 / std::sqrt(6.0)));
}

TEST_CASE("with a corpus weights are those that a build would give and unknown terms have none") {
  const auto lookup = [](std::string_view term) -> std::optional<KnownTerm> {
    if (term == "cat") return KnownTerm{4, 10, 3.0};
    if (term == "hat") return KnownTerm{9, 2, 4.0};
    return std::nullopt;
  };
  const Explanation explanation = explain_text("cat hat dog", TextRecipe::like_scikit_learn(), lookup);
  REQUIRE(explanation.terms.size() == 3);
  CHECK(explanation.terms[0].known->feature == 4);
  CHECK(explanation.terms[0].weight == doctest::Approx(0.6));
  CHECK_FALSE(explanation.terms[1].known);
  CHECK(explanation.terms[1].weight == 0.0F);
  CHECK(explanation.terms[2].weight == doctest::Approx(0.8));
}

}  // namespace
}  // namespace inkling
