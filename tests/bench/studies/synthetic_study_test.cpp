#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

TEST_CASE("synthetic worlds are those of the settings") {
  PaperSettings settings;
  settings.words = 3;
  settings.noise = 0.25;
  settings.mark_probability = 0.4;
  const Study study = synthetic_study(settings, "main", synthetic_options(settings, 7));
  const World world = study.world(4);
  CHECK(world.pool.documents() == 1000);
  CHECK(world.pool.features() == 40);
  CHECK(study.features == 40);
  CHECK(world.relevant.size() == 7);
  CHECK(world.marks.probability() == 0.4);
  for (DocumentId i = 0; i < 1000; ++i) CHECK(world.pool.by_document.row(i).size() <= 3);
  CHECK(study.world(4).rewards.expected() == world.rewards.expected());
  CHECK(study.world(5).rewards.expected() != world.rewards.expected());
}

TEST_CASE("everything that shapes a world is in the settings that identify saved trials") {
  const PaperSettings settings;
  std::set<std::string> texts;
  const auto add = [&](const PaperSettings& with, void (*change)(WorldOptions&)) {
    WorldOptions options = synthetic_options(with, 5);
    change(options);
    texts.insert(synthetic_study(with, "main", options).world_settings);
  };
  add(settings, [](WorldOptions&) {});
  add(settings, [](WorldOptions& options) { options.relevant = 6; });
  add(settings, [](WorldOptions& options) { options.noise = 0.75; });
  add(settings, [](WorldOptions& options) { options.norm_bound = 2.0; });
  add(settings, [](WorldOptions& options) { options.mark_probability = 0.2; });
  add(settings, [](WorldOptions& options) { options.feedback = FeedbackKind::noisy; });
  add(settings, [](WorldOptions& options) { options.irrelevant_marks = 3; });
  add(settings, [](WorldOptions& options) { options.pool.documents = 999; });
  add(settings, [](WorldOptions& options) { options.pool.features = 41; });
  add(settings, [](WorldOptions& options) { options.pool.words = 9; });
  add(settings, [](WorldOptions& options) { options.pool.zipf = 1.0; });
  add(settings, [](WorldOptions& options) { options.pool.rows = SyntheticRows::sphere; });
  PaperSettings other = settings;
  other.seed = 2;
  add(other, [](WorldOptions&) {});
  CHECK(texts.size() == 13);
}

TEST_CASE("a share of the trials is never too small to show a spread") {
  CHECK(share_of_trials(100, 0.4) == 40);
  CHECK(share_of_trials(3, 0.4) == 2);
  CHECK(share_of_trials(1, 0.4) == 1);
}

TEST_CASE("the least likely discovery is that of the rarest relevant word of all trials") {
  PaperSettings settings;
  settings.trials = 4;
  const Study study = synthetic_study(settings, "main", synthetic_options(settings, 5));
  std::vector<double> chances;
  for (std::uint64_t trial = 0; trial < 4; ++trial) {
    const World world = study.world(trial);
    for (const FeatureId feature : world.relevant) {
      int holders = 0;
      for (DocumentId i = 0; i < world.pool.documents(); ++i)
        holders += static_cast<int>(std::ranges::count(world.pool.by_document.row(i).features, feature));
      chances.push_back(0.1 * holders / 1000.0);
    }
  }
  CHECK(least_discovery(study) == doctest::Approx(std::ranges::min(chances)));
}

}  // namespace
}  // namespace inkling::bench
