#include "io/parts/model/model_file.hpp"

#include <array>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

constexpr std::string_view kUserNames = "users";

constexpr auto kModelFileNames = std::to_array<std::string_view>({"base.npy",
                                                                  "base_indptr.npy",
                                                                  "base_mean.npy",
                                                                  "base_square.npy",
                                                                  "features_in_use.npy",
                                                                  "form.npy",
                                                                  "inverse.npy",
                                                                  "lower.npy",
                                                                  "manifest.json",
                                                                  "pivots.npy",
                                                                  "played_indptr.npy",
                                                                  "played_rows.npy",
                                                                  "plays.npy",
                                                                  "plays_documents.npy",
                                                                  "plays_indptr.npy",
                                                                  "radius.npy",
                                                                  "rows_data.npy",
                                                                  "rows_indices.npy",
                                                                  "rows_indptr.npy",
                                                                  "said_features.npy",
                                                                  "said_indptr.npy",
                                                                  "said_opinions.npy",
                                                                  "said_rewards.npy",
                                                                  "theta.npy",
                                                                  "theta_indices.npy",
                                                                  "theta_indptr.npy",
                                                                  "users.npy",
                                                                  "users_indptr.npy",
                                                                  "variance.npy",
                                                                  "variance_default.npy",
                                                                  "variance_indices.npy",
                                                                  "variance_indptr.npy",
                                                                  "weights.npy"});

constexpr FolderKind kModelKind = {.format = {.name = "inkling model", .article = "an", .version = 1},
                                   .noun = "a model",
                                   .needs_program = "0.1.0",
                                   .files = kModelFileNames};

constexpr EnumName<Replays> kReplayNames[] = {{Replays::refused, "refused"}, {Replays::allowed, "allowed"}};

std::string facts_text(const ModelOrigin& origin, std::size_t users) {
  JsonWriter json;
  json.begin_object().member("collection", checksum_digits(origin.collection));
  json.member("documents", origin.shape.documents).member("features", origin.shape.features);
  json.member("features_in_use", origin.shape.features_in_use).member("users", users);
  json.member("policy", origin.policy).member("replays", name_of(origin.replays, kReplayNames));
  std::string text = json.end_object().take();
  text.pop_back();
  return text + ",\"options\":" + origin.options + "}";
}

ModelOrigin origin_in(const FolderManifestReader& manifest) {
  const SealedJson& json = manifest.json();
  const SealedJson::Element facts = manifest.facts();
  ModelOrigin origin;
  origin.collection = json.checksum(facts, "collection");
  origin.shape.documents = json.integer(facts, "documents");
  origin.shape.features = static_cast<std::int32_t>(json.integer(facts, "features", kMostRowsOrColumns));
  origin.shape.features_in_use = json.integer(facts, "features_in_use");
  origin.policy = json.string(facts, "policy");
  const auto replays = value_of(json.string(facts, "replays"), kReplayNames);
  if (!replays) json.fail("expected \"replays\" to be refused or allowed");
  origin.replays = *replays;
  return origin;
}

}  // namespace

const FolderKind& model_kind() { return kModelKind; }

Published write_model(FolderStaging& staging, const ScoreUsers& users, const ModelOrigin& origin,
                      const std::string& program_version) {
  const ModelArrays arrays = model_arrays_of(users);
  staging.write(kUserNames, arrays.users);
  visit_model_arrays(arrays, [&](std::string_view name, const auto& numbers) {
    using Number = typename std::remove_cvref_t<decltype(numbers)>::value_type;
    staging.write<Number>(name, numbers);
  });
  return staging.publish(
      {.program_version = program_version, .facts = facts_text(origin, users.count()), .files = {}});
}

KeptModel read_model(const std::string& path) {
  const ArrayFolder folder(kModelKind, path);
  const ModelOrigin origin = origin_in(folder.manifest());
  ModelArrays arrays;
  arrays.users = folder.strings(kUserNames);
  visit_model_arrays(arrays, [&](std::string_view name, auto& numbers) {
    using Number = typename std::remove_cvref_t<decltype(numbers)>::value_type;
    numbers = folder.numbers<Number>(name);
  });
  return {.origin = origin, .checksum = folder.checksum(), .users = users_of(arrays, origin.shape, path)};
}

ScoreUsers users_of_shard(ScoreUsers users, std::int64_t first_row, std::int64_t rows) {
  for (std::vector<PlayCount>& plays : users.plays) {
    std::erase_if(plays, [&](const PlayCount& play) {
      return play.document < first_row || play.document - first_row >= rows;
    });
    for (PlayCount& play : plays) play.document -= first_row;
  }
  return users;
}

}  // namespace inkling
