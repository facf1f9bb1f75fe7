#include "io/parts/model/score_part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/file_identity.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

template <typename Part, typename Visit>
void visit_lines(Part&& part, const Visit& visit) {
  visit("base_mean.npy", part.base_mean);
  visit("documents.npy", part.documents);
  visit("indptr.npy", part.indptr);
  visit("mean.npy", part.mean);
  visit("played.npy", part.played);
  visit("ucb.npy", part.ucb);
  visit("width.npy", part.width);
}

template <typename Part, typename Visit>
void visit_words(Part&& part, const Visit& visit) {
  visit("words_contribution.npy", part.words_contribution);
  visit("words_features.npy", part.words_features);
  visit("words_lines_indptr.npy", part.words_indptr);
  visit("words_opinions.npy", part.words_opinions);
  visit("words_rewards.npy", part.words_rewards);
  visit("words_uncertainty.npy", part.words_uncertainty);
  visit("words_value.npy", part.words_value);
  visit("words_weight.npy", part.words_weight);
  visit("words_width_share.npy", part.words_width_share);
}

std::string part_facts(const PartOrigin& origin) {
  JsonWriter json;
  json.begin_object().member("collection", checksum_digits(origin.collection));
  json.member("model", checksum_digits(origin.model));
  json.member("shards", origin.shards).member("shard", origin.shard);
  json.member("first_row", origin.first_row).member("rows", origin.rows).member("top", origin.top);
  return json.member("ids", origin.has_ids).member("explains", origin.explains).end_object().take();
}

PartOrigin part_origin_in(const FolderManifestReader& manifest) {
  const SealedJson& json = manifest.json();
  const SealedJson::Element facts = manifest.facts();
  PartOrigin origin = {.collection = json.checksum(facts, "collection"),
                       .model = json.checksum(facts, "model"),
                       .shards = json.integer(facts, "shards"),
                       .shard = json.integer(facts, "shard"),
                       .first_row = json.integer(facts, "first_row", std::numeric_limits<std::int64_t>::max() / 2),
                       .rows = json.integer(facts, "rows", kMostRowsOrColumns),
                       .top = json.integer(facts, "top"),
                       .has_ids = json.boolean(facts, "ids"),
                       .explains = json.boolean(facts, "explains")};
  if (origin.shard >= origin.shards) json.fail("expected \"shard\" below \"shards\"");
  return origin;
}

void add_words(ShardScores& part, const std::vector<WordShare>& words) {
  for (const WordShare& word : words) {
    part.words_features.push_back(word.feature);
    part.words.append(word.word);
    part.words_value.push_back(word.value);
    part.words_weight.push_back(word.weight);
    part.words_contribution.push_back(word.contribution);
    part.words_uncertainty.push_back(word.uncertainty);
    part.words_width_share.push_back(word.width_share);
    part.words_opinions.push_back(word.said ? static_cast<std::int32_t>(opinion_of(*word.said)) : -1);
    const bool rated = word.said && word.said->reward;
    part.words_rewards.push_back(rated ? *word.said->reward : std::numeric_limits<double>::quiet_NaN());
  }
  part.words_indptr.push_back(std::ssize(part.words_features));
}

// Throws CorruptFileError unless the arrays that were read are valid for some part.
class PartCheck {
 public:
  explicit PartCheck(const ShardScores& part) : part_(part) {}

  void check() const {
    const std::size_t lines = part_.lines();
    require(part_.base_mean.size() == part_.users.size(), "base_mean.npy", "one number a user");
    require(part_.indptr.size() == part_.users.size() + 1, "indptr.npy", "one offset a user, and the end");
    check_offsets(pool_file_path(part_.path, "indptr.npy"), part_.indptr, lines);
    for (const auto& [name, numbers] :
         {std::pair("mean.npy", &part_.mean), std::pair("width.npy", &part_.width), std::pair("ucb.npy", &part_.ucb)}) {
      require(numbers->size() == lines, name, "one number a line");
      require(std::ranges::none_of(*numbers, [](double n) { return std::isnan(n); }), name, "numbers");
    }
    require(part_.played.size() == lines, "played.npy", "one number a line");
    if (part_.origin.has_ids) require(part_.ids.size() == lines, "ids_indptr.npy", "one id a line");
    for (std::size_t user = 0; user < part_.users.size(); ++user) check_order(user);
    if (part_.origin.explains) check_words();
  }

 private:
  void require(bool holds, std::string_view name, std::string_view expectation) const {
    if (!holds) throw CorruptFileError(pool_file_path(part_.path, name), "expected {}", expectation);
  }

  [[nodiscard]] ScoredDocument scored(std::size_t line) const {
    return {part_.documents[line], part_.mean[line], 0.0, part_.ucb[line]};
  }

  void check_order(std::size_t user) const {
    const auto begin = static_cast<std::size_t>(part_.indptr[user]);
    const auto end = static_cast<std::size_t>(part_.indptr[user + 1]);
    require(std::cmp_less_equal(end - begin, part_.origin.top), "indptr.npy", "no more lines than the best");
    for (std::size_t line = begin; line < end; ++line) {
      const std::int64_t row = part_.documents[line] - part_.origin.first_row;
      require(part_.documents[line] >= part_.origin.first_row && row < part_.origin.rows, "documents.npy",
              "documents of the shard");
      require(line == begin || ranks_before(scored(line - 1), scored(line)), "ucb.npy",
              "the best documents of each user first, ties to the lower one");
    }
  }

  void check_words() const {
    const std::size_t words = part_.words_features.size();
    require(part_.words_indptr.size() == part_.lines() + 1, "words_lines_indptr.npy", "one offset a line, and the end");
    check_offsets(pool_file_path(part_.path, "words_lines_indptr.npy"), part_.words_indptr, words);
    require(part_.words.size() == words, "words_indptr.npy", "one text a word");
    for (const auto& [name, numbers] :
         {std::pair("words_value.npy", &part_.words_value), std::pair("words_weight.npy", &part_.words_weight),
          std::pair("words_contribution.npy", &part_.words_contribution),
          std::pair("words_uncertainty.npy", &part_.words_uncertainty),
          std::pair("words_width_share.npy", &part_.words_width_share), std::pair("words_rewards.npy", &part_.words_rewards)})
      require(numbers->size() == words, name, "one number a word");
    require(part_.words_opinions.size() == words, "words_opinions.npy", "one number a word");
    for (const std::int32_t opinion : part_.words_opinions)
      require(opinion >= -1 && opinion <= static_cast<std::int32_t>(WordOpinion::unwanted), "words_opinions.npy",
              "numbers from -1 to 2");
  }

  const ShardScores& part_;
};

}  // namespace

const FolderKind& score_part_kind() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all = {"users.npy",      "users_indptr.npy", "ids.npy",
                                         "ids_indptr.npy", "words.npy",        "words_indptr.npy"};
    const auto add = [&](std::string_view name, const auto&) { all.push_back(name); };
    visit_lines(ShardScores(), add);
    visit_words(ShardScores(), add);
    all.push_back(PoolFile::manifest);
    return all;
  }();
  static const FolderKind kind = {.format = {.name = "inkling scores of a shard", .article = "an", .version = 1},
                                  .noun = "the scores of a shard",
                                  .needs_program = "0.1.0",
                                  .files = names};
  return kind;
}

ScoreLine ShardScores::line(std::size_t line, std::size_t user, const std::vector<WordShare>* word_shares) const {
  ScoreLine shown = {.document = documents[line],
                     .mean = mean[line],
                     .width = width[line],
                     .ucb = ucb[line],
                     .played = played[line],
                     .words = word_shares,
                     .base_mean = base_mean[user]};
  if (origin.has_ids) shown.id = ids[line];
  return shown;
}

std::vector<WordShare> ShardScores::words_of(std::size_t line) const {
  std::vector<WordShare> shares;
  const auto end = static_cast<std::size_t>(words_indptr[line + 1]);
  for (auto at = static_cast<std::size_t>(words_indptr[line]); at < end; ++at) {
    shares.push_back({.feature = words_features[at],
                      .word = std::string(words[at]),
                      .value = words_value[at],
                      .weight = words_weight[at],
                      .contribution = words_contribution[at],
                      .uncertainty = words_uncertainty[at],
                      .width_share = words_width_share[at]});
    if (words_opinions[at] < 0) continue;
    SaidWord said = {.feature = words_features[at]};
    if (!std::isnan(words_rewards[at])) said.reward = words_rewards[at];
    shares.back().said = said;
  }
  return shares;
}

ShardScores score_part_of(const PoolSet& pools, const ScoreUsers& users, RankingPass& pass, const PartOrigin& origin) {
  ShardScores part;
  part.origin = origin;
  part.origin.has_ids = pools.has_ids();
  const std::vector<std::vector<ScoredDocument>> best = take_best_of(pass);
  for (std::size_t user = 0; user < users.count(); ++user) {
    part.users.append(users.logs[user].path);
    part.base_mean.push_back(users.base_means[user]);
    part.indptr.push_back(part.indptr.back() + std::ssize(best[user]));
  }
  const RankedDetail detail = {.ids = part.origin.has_ids, .explain = origin.explains};
  visit_ranked(pools, users, best, detail, [&](std::size_t /*user*/, const ScoreLine& line) {
    part.documents.push_back(line.document + origin.first_row);
    part.mean.push_back(line.mean);
    part.width.push_back(line.width);
    part.ucb.push_back(line.ucb);
    part.played.push_back(line.played);
    if (detail.ids) part.ids.append(line.id.value_or(""));
    if (detail.explain) add_words(part, *line.words);
  });
  return part;
}

Published write_score_part(FolderStaging& staging, const ShardScores& part, const std::string& program_version) {
  const auto write = [&](std::string_view name, const auto& numbers) { staging.write(name, numbers); };
  staging.write("users", part.users);
  visit_lines(part, write);
  if (part.origin.has_ids) staging.write("ids", part.ids);
  if (part.origin.explains) {
    staging.write("words", part.words);
    visit_words(part, write);
  }
  return staging.publish({.program_version = program_version, .facts = part_facts(part.origin), .files = {}});
}

bool is_score_part_of(const std::string& path, const PartOrigin& origin, const std::string& program_version) {
  if (!identity_of(path)) return false;
  try {
    const ArrayFolder folder(score_part_kind(), path);
    PartOrigin found = part_origin_in(folder.manifest());
    found.has_ids = origin.has_ids;
    const SealedJson& json = folder.manifest().json();
    if (found != origin || json.string(json.root(), "program") != program_version) return false;
    folder.verify();
    return true;
  } catch (const CorruptFileError&) {
    return false;
  }
}

ShardScores read_score_part(const std::string& path) {
  const ArrayFolder folder(score_part_kind(), path);
  ShardScores part;
  part.path = path;
  part.origin = part_origin_in(folder.manifest());
  const SealedJson& json = folder.manifest().json();
  part.program_version = json.string(json.root(), "program");
  const auto read = [&](std::string_view name, auto& numbers) {
    using Number = typename std::remove_cvref_t<decltype(numbers)>::value_type;
    numbers = folder.numbers<Number>(name);
  };
  part.users = folder.strings("users");
  visit_lines(part, read);
  if (part.origin.has_ids) part.ids = folder.strings("ids");
  if (part.origin.explains) {
    part.words = folder.strings("words");
    visit_words(part, read);
  }
  PartCheck(part).check();
  return part;
}

}  // namespace inkling
