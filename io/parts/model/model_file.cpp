#include "io/parts/model/model_file.hpp"

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

const FolderKind& model_kind() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all = {"users.npy", "users_indptr.npy"};
    visit_model_arrays(ModelArrays(), [&](std::string_view name, const auto&) { all.push_back(name); });
    all.push_back(PoolFile::manifest);
    return all;
  }();
  static const FolderKind kind = {.format = {.name = "inkling model", .article = "an", .version = 1},
                                  .noun = "a model",
                                  .needs_program = "0.1.0",
                                  .files = names};
  return kind;
}

Published write_model(FolderStaging& staging, const ScoreUsers& users, const ModelOrigin& origin,
                      const std::string& program_version) {
  const ModelArrays arrays = model_arrays_of(users);
  staging.write(kUserNames, arrays.users);
  visit_model_arrays(arrays, [&](std::string_view name, const auto& numbers) { staging.write(name, numbers); });
  return staging.publish({.program_version = program_version, .facts = facts_text(origin, users.count()), .files = {}});
}

KeptModel read_model(const std::string& path) {
  const ArrayFolder folder(model_kind(), path);
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
    std::erase_if(plays, [&](const PlayCount& play) { return play.document < first_row || play.document - first_row >= rows; });
    for (PlayCount& play : plays) play.document -= first_row;
  }
  return users;
}

}  // namespace inkling
