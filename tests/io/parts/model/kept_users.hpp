// Users for tests of models: taught by random events on a small pool.
#pragma once

#include <string>
#include <vector>

#include <fmt/core.h>

#include "io/base/file/output_file.hpp"
#include "io/parts/model/collection.hpp"
#include "io/parts/model/model_file.hpp"
#include "io/search/events/learning.hpp"
#include "tests/support/io/small_sets.hpp"

namespace inkling::test {

[[nodiscard]] inline std::vector<Preset> teachable_presets() {
  std::vector<Preset> teachable;
  for (const Preset& preset : presets())
    if (learns_from_events(preset)) teachable.push_back(preset);
  return teachable;
}

/// A random line of events: with marks, or with ratings and confidences of words in a document or apart, or invalid.
[[nodiscard]] inline std::string random_event(std::int32_t documents, std::int32_t words, RandomStream& random) {
  const auto word = [&] { return fmt::format("\"w{:03}\"", random.below(static_cast<std::uint64_t>(words))); };
  if (random.coin(0.1)) return "{\"document\": -1, \"reward\": \"none\"}";
  if (random.coin(0.2)) return fmt::format("{{\"feature\": {}, \"reward\": {}}}", word(), random.coin(0.5) ? 1 : -1);
  std::string said;
  for (std::uint64_t n = random.below(4); n > 0; --n) {
    said += said.empty() ? "" : ", ";
    if (random.coin(0.3))
      said += fmt::format("{{\"feature\": {}, \"reward\": {}}}", word(), random.coin(0.5) ? 0.5 : -1);
    else if (random.coin(0.3))
      said += fmt::format("{{\"feature\": {}, \"confidence\": 0.5}}", word());
    else
      said += word();
  }
  const double reward = random.coin(0.5) ? (random.coin(0.5) ? 1.0 : 0.0) : random.normal();
  return fmt::format("{{\"document\": {}, \"reward\": {}, \"features\": [{}]}}",
                     random.below(static_cast<std::uint64_t>(documents)), reward, said);
}

/// The paths of some files of random events; a file may be empty.
[[nodiscard]] inline std::vector<std::string> random_event_files(const CutPool& pool, const SmallPool& made,
                                                                 RandomStream& random) {
  std::vector<std::string> files;
  const auto users = random.below(3) + 1;
  for (std::uint64_t user = 0; user < users; ++user) {
    std::string text;
    for (std::uint64_t n = random.below(12); n > 0; --n)
      text += random_event(static_cast<std::int32_t>(made.rows.size()), made.columns, random) + '\n';
    files.push_back(pool.file(fmt::format("user{}.jsonl", user)));
    write_file(files.back(), text);
  }
  return files;
}

[[nodiscard]] inline ModelOrigin origin_of_pools(const PoolSet& pools, const ScoreUsers& users, const EventRules& rules) {
  return {.collection = collection_checksum(pools),
          .shape = {.documents = pools.documents(), .features = pools.features(), .features_in_use = users.features_in_use},
          .policy = "inkling",
          .replays = rules.replays};
}

inline void keep_model(const std::string& path, const ScoreUsers& users, const ModelOrigin& origin) {
  FolderStaging staging(model_kind(), path);
  static_cast<void>(write_model(staging, users, origin, "test"));
}

}  // namespace inkling::test
