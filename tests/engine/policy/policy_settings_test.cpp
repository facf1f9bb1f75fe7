#include "engine/policy/policy_settings.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "engine/policy/policy_state.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/test_vectors.hpp"

namespace inkling {
namespace {

/// A value other than the setting's default.
SettingValue other_value(const PolicySetting& setting) {
  if (std::holds_alternative<ChoiceSetting>(setting.kind)) return std::string("posterior");
  if (std::holds_alternative<FlagSetting>(setting.kind)) return !std::get<bool>(setting_in(PolicyOptions{}, setting));
  if (std::holds_alternative<WholeSetting>(setting.kind)) return std::int64_t{7};
  if (std::holds_alternative<FeaturesSetting>(setting.kind)) return std::vector<FeatureId>{1, 3};
  return 0.6;
}

struct SetOptions {
  PolicyOptions options = {};

  explicit SetOptions(const PolicySetting& setting) {
    options.given = {0, 2};
    options.first_rounds = 12;
    REQUIRE(set_setting(options, setting, other_value(setting)));
  }
};

/// Documents and radii of forty rounds, and the best score then.
std::vector<double> run_of(const Preset& preset, const PolicyOptions& options) {
  RandomStream random = test::stream_for(20'261'125);
  const PoolMatrix pool = test::random_pool({.documents = 30, .features = 12, .density = 0.4}, random);
  const test::Vectors vectors = test::random_vectors(30, 8, random);
  Policy policy(vectors.with(pool.view()), preset.name, options);
  std::vector<double> run;
  for (int round = 0; round < 40 && !policy.exhausted(); ++round) {
    const Play play = policy.choose();
    run.push_back(play.document);
    run.push_back(play.radius.value_or(0.0));
    const std::span<const FeatureId> row = pool.view().by_document.row(play.document).features.unchecked();
    const std::size_t marked = row.empty() || round % 2 == 0 ? 0 : 1;
    policy.observe(play.document, round % 3 == 0 ? 1.0 : -0.5, row.first(marked));
  }
  for (const Ranked& best : policy.features_in_use() > 0 ? policy.ranking(1) : std::vector<Ranked>()) run.push_back(best.score);
  return run;
}

TEST_CASE("a setting changes what it names and nothing else") {
  std::set<std::string_view> names;
  for (const PolicySetting& setting : policy_settings()) {
    CAPTURE(std::string(setting.name));
    CHECK(names.insert(setting.name).second);
    CHECK(find_setting(setting.name) == &setting);
    const SetOptions set(setting);
    CHECK(setting_in(set.options, setting) == other_value(setting));
    PolicyOptions plain = {.first_rounds = 12, .given = {0, 2}};
    for (const PolicySetting& other : policy_settings())
      if (&other != &setting) CHECK(setting_in(set.options, other) == setting_in(plain, other));
  }
  CHECK(find_setting("norm-bound") == find_setting("norm_bound"));
  CHECK(find_setting("norm") == nullptr);
}

TEST_CASE("a value of another kind or out of range is refused") {
  PolicyOptions options;
  const auto takes = [&](const char* name, const SettingValue& value) {
    return set_setting(options, *find_setting(name), value);
  };
  CHECK_FALSE(takes("ridge", 0.0));
  CHECK_FALSE(takes("ridge", std::nan("")));
  CHECK_FALSE(takes("ridge", std::string("1")));
  CHECK_FALSE(takes("ridge", true));
  CHECK_FALSE(takes("delta", 0.0));
  CHECK_FALSE(takes("delta", 1.0));
  CHECK_FALSE(takes("noise", -1e-300));
  CHECK_FALSE(takes("first_rounds", std::int64_t{-1}));
  CHECK_FALSE(takes("first_rounds", 1.0));
  CHECK_FALSE(takes("radius", std::string("wide")));
  CHECK_FALSE(takes("with_replacement", std::int64_t{1}));
  for (const PolicySetting& setting : policy_settings())
    CHECK(setting_in(options, setting) == setting_in(PolicyOptions{}, setting));
  CHECK(takes("noise", std::int64_t{0}));
  CHECK(options.confidence.noise == 0.0);
  CHECK(takes("mark_probability", 1.0));
}

TEST_CASE("the table has which policies use each setting") {
  for (const PolicySetting& setting : policy_settings()) {
    CAPTURE(std::string(setting.name));
    bool changes_one = false;
    for (const Preset& preset : presets()) {
      CAPTURE(std::string(preset.name));
      PolicyOptions plain = {.first_rounds = 12, .given = {0, 2}};
      const bool changes = run_of(preset, plain) != run_of(preset, SetOptions(setting).options);
      CHECK((!changes || setting.used_by(preset)));
      changes_one = changes_one || changes;
    }
    CHECK(changes_one == (setting.name != "expected_rounds"));
  }
}

}  // namespace
}  // namespace inkling
