#include "io/search/events/setting_values.hpp"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/engine/messages.hpp"

namespace inkling {
namespace {

std::string refusal_of(const std::string& json, const char* policy) {
  return test::error_of([&] { static_cast<void>(options_in_json(json, *find_preset(policy))); });
}

TEST_CASE("the options of a policy are read from JSON, and settings are written as they are read") {
  const PolicyOptions options =
      options_in_json(R"({"ridge": 2, "norm-bound": 0.5, "delta": 1e-2, "radius": "posterior"})", *find_preset("ff-oful"));
  CHECK(options.ridge == 2.0);
  CHECK(options.confidence.norm_bound == 0.5);
  CHECK(options.confidence.delta == 0.01);
  CHECK(options.radius == RadiusKind::posterior);
  CHECK(options_in_json("{}", *find_preset("inkling")).ridge == PolicyOptions{}.ridge);

  const Preset preset = *find_preset("oful-subset");
  CHECK(options_text(options_in_json("{}", preset), preset) == "{}");
  const std::string text =
      R"({"norm-bound":0.5,"radius":"ellipsoid","given":[3, 0],"with-replacement":true,"expected-rounds":9})";
  CHECK(options_text(options_in_json(text, preset), preset) == text);
}

TEST_CASE("a value that is no option of the policy is refused with what was expected") {
  CHECK(refusal_of(R"({"ridge": 0})", "oful") == "ridge: expected a number from 1e-60 to 1e+60, got 0");
  CHECK(refusal_of(R"({"ridge": "1"})", "oful") == "ridge: expected a number from 1e-60 to 1e+60, got \"1\"");
  CHECK(refusal_of(R"({"ridge": null})", "oful") == "ridge: expected a number from 1e-60 to 1e+60, got null");
  CHECK(refusal_of(R"({"radius": "wide"})", "oful") == "radius: expected automatic, ellipsoid or posterior, got \"wide\"");
  CHECK(refusal_of(R"({"ridge": 2})", "inkling").starts_with("ridge: expected with the policy oful or ff-oful"));
  CHECK(refusal_of(R"({"mark_probability": 0.5})", "oful") == "mark_probability: expected with the policy soft-marks, not oful");
  CHECK(refusal_of(R"({"normbound": 1})", "oful").ends_with("expected a setting of a policy (did you mean norm_bound?)"));
  CHECK(refusal_of(R"({"first_rounds": 1})", "oful") == "first_rounds: expected with the policy explore-then-commit, not oful");
  CHECK(refusal_of(R"({"given": [0, -1]})", "oful-subset") ==
        "given: expected a comma-separated list, each a whole number of at least 0, got [0, -1]");
  CHECK(refusal_of("[1]", "oful").starts_with("the options of a policy: expected a JSON object"));
}

}  // namespace
}  // namespace inkling
