#include "io/search/events/field_ratings.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("what people and programs write as a rating is read as one and nothing else is") {
  for (const char* const good : {"1", " yes\n", "YES", "True", "Included", "relevant", "1.0", "ASReview_relevant",
                                 "seen twice; ASReview_relevant; ASReview_prior", "RAYYAN-INCLUSION: {\"Ada\"=>\"Included\"} | x",
                                 "rayyan-inclusion: {\"A\"=>\"Included\", \"B\"=>\"Included\"}"}) {
    CAPTURE(good);
    CHECK(rating_in_text(good).verdict == FieldVerdict::rated);
    CHECK(rating_in_text(good).rating == 1.0);
  }
  for (const char* const bad : {"0", "no", "Excluded", "false", "ASReview_irrelevant", "0.0",
                                "RAYYAN-INCLUSION: {\"Ada\"=>\"Excluded\"} | RAYYAN-LABELS: Included"}) {
    CAPTURE(bad);
    CHECK(rating_in_text(bad).verdict == FieldVerdict::rated);
    CHECK(rating_in_text(bad).rating == 0.0);
  }
  CHECK(rating_in_text("0.75").rating == 0.75);
  for (const char* const none : {"", " ", "-1", "NaN", "maybe", "ASReview_not_seen", "RAYYAN-INCLUSION: {\"Ada\"=>\"Maybe\"}",
                                 "RAYYAN-INCLUSION: {\"Ada\"=>\"Included\", \"Bob\"=>\"Excluded\"}", "RAYYAN-INCLUSION: {}"}) {
    CAPTURE(none);
    CHECK(rating_in_text(none).verdict == FieldVerdict::none);
  }
  for (const char* const other : {"2", "-0.5", "Gold mines", "1 of 2", "included by Ada"})
    CHECK(rating_in_text(other).verdict == FieldVerdict::unknown);
}

}  // namespace
}  // namespace inkling
