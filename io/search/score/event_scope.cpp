#include "io/search/score/event_scope.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tsl/robin_map.h>

#include "engine/core/nearest_name.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/from_text/pool_extension.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "io/corpus/text/tokenizer.hpp"
#include "io/search/events/pool_fingerprint.hpp"

namespace inkling {
namespace {

// The words of a set of pools, as a person may write them.
class PoolWords {
 public:
  explicit PoolWords(const PoolSet& pools) : pools_(pools) {}

  [[nodiscard]] std::optional<FeatureId> find(std::string_view written) {
    if (const auto feature = pools_.feature_of(written)) return feature;
    if (!has_recipe()) return std::nullopt;
    const TypedPhrase phrase = typed_phrase(written, *recipe_);
    if (phrase.reason != LeftOut::nothing) return std::nullopt;
    return pools_.feature_of(fmt::format("{}", fmt::join(phrase.words, " ")));
  }

  // What to write instead of a text that is no word of the pool; empty where nothing is known.
  [[nodiscard]] std::string advice(std::string_view written) {
    std::string lower;
    append_lower_case(lower, written);
    if (pools_.feature_of(lower)) return quoted_text(lower) + " is in it";
    if (has_recipe()) {
      if (std::string advice = advice_on(typed_phrase(written, *recipe_)); !advice.empty()) return advice;
    }
    const std::optional<FeatureId> nearest = nearest_to(lower);
    return nearest ? fmt::format("did you mean {}?", quoted_text(pools_.word(*nearest))) : std::string();
  }

 private:
  // Reads the recipe at the first call, which is made if a word is not found as it is written.
  [[nodiscard]] bool has_recipe() {
    if (!looked_) recipe_ = recipe_of_manifest(pools_.manifest(0).recipe);
    looked_ = true;
    return recipe_.has_value();
  }

  [[nodiscard]] std::string advice_on(const TypedPhrase& phrase) const {
    std::string known;
    int count = 0;
    for (const std::string& word : phrase.words)
      if (pools_.feature_of(word)) known += (count++ == 0 ? "" : " and ") + quoted_text(word);
    if (count > 0) known += count == 1 ? " is in it" : " are in it";
    const bool is_phrase = phrase.words.size() > 1;
    if (is_phrase && std::cmp_greater(phrase.words.size(), recipe_->longest_ngram)) {
      return fmt::format(
          "the pool holds {} (inkling build --ngrams 1,{} makes phrases){}{}",
          recipe_->longest_ngram == 1 ? "single words only" : fmt::format("phrases of {} words at most", recipe_->longest_ngram),
          phrase.words.size(), known.empty() ? "" : "; ", known);
    }
    if (phrase.reason == LeftOut::nothing) return is_phrase ? known : std::string();
    return fmt::format("{} is {}{}{}", quoted_text(phrase.left_out), left_out_text(phrase.reason), known.empty() ? "" : "; ",
                       known);
  }

  [[nodiscard]] std::optional<FeatureId> nearest_to(std::string_view written) const {
    constexpr std::size_t longest_worth_comparing = 64;
    if (written.empty() || written.size() > longest_worth_comparing) return std::nullopt;
    std::optional<FeatureId> nearest;
    std::size_t least = SIZE_MAX;
    for (FeatureId feature = 0; feature < pools_.features(); ++feature) {
      const std::string_view word = pools_.word(feature);
      const std::size_t near_enough = std::max<std::size_t>(1, std::min(written.size(), word.size()) / 3);
      const std::size_t longer = std::max(written.size(), word.size()) - std::min(written.size(), word.size());
      if (longer > near_enough || longer >= least) continue;
      const std::size_t distance = edit_distance(written, word);
      if (distance > near_enough || distance >= least) continue;
      nearest = feature;
      least = distance;
    }
    return nearest;
  }

  const PoolSet& pools_;
  bool looked_ = false;
  std::optional<TextRecipe> recipe_;
};

}  // namespace

TypedPhrase typed_phrase(std::string_view written, const TextRecipe& recipe) {
  TokenOptions every_length = recipe.tokens;
  every_length.min_length = 1;
  const PaddedText padded(written);
  TypedPhrase phrase;
  Tokenizer(every_length).for_each(padded.view(), [&](std::string_view token) {
    const bool is_short = std::cmp_less(utf8_count(token), recipe.tokens.min_length);
    if (!is_short && !std::ranges::binary_search(recipe.stop_words, token, std::less<>())) {
      phrase.words.emplace_back(token);
    } else if (phrase.reason == LeftOut::nothing) {
      phrase.left_out = token;
      phrase.reason = is_short ? LeftOut::too_short : LeftOut::stop_word;
    }
  });
  return phrase;
}

std::string_view left_out_text(LeftOut reason) { return reason == LeftOut::too_short ? "too short" : "a stop word"; }

std::vector<RowsOfId> rows_of_ids(const PoolSet& pools, std::span<const std::string> ids) {
  tsl::robin_map<std::string_view, std::size_t> places;
  for (std::size_t n = 0; n < ids.size(); ++n) places.insert({ids[n], n});
  std::vector<RowsOfId> rows(ids.size());
  IdStream stream(pools);
  constexpr std::int64_t between_looks = 1 << 16;
  for (std::int64_t document = 0; document < pools.documents(); ++document) {
    if (document % between_looks == 0) throw_if_interrupted();
    const std::optional<std::string_view> id = stream.next();
    if (!id) continue;
    const auto found = places.find(*id);
    if (found == places.end()) continue;
    RowsOfId& known = rows[found->second];
    if (!known.first)
      known.first = document;
    else if (!known.second)
      known.second = document;
  }
  return rows;
}

namespace {

std::string fingerprint_of_members(const PoolSet& pools) {
  std::vector<std::string> fingerprints;
  fingerprints.reserve(pools.pools());
  for (std::size_t pool = 0; pool < pools.pools(); ++pool) fingerprints.push_back(pool_fingerprint(pools.manifest(pool)));
  return joint_fingerprint(fingerprints);
}

}  // namespace

std::string fingerprint_of(const PoolSet& pools) { return pools.fingerprint().value_or(fingerprint_of_members(pools)); }

std::vector<std::string> fingerprints_before(const PoolSet& pools) {
  // Events of the same set that was joined before sets said the fingerprint of the one pool.
  if (pools.pools() != 1) return pools.fingerprint() ? std::vector{fingerprint_of_members(pools)} : std::vector<std::string>();
  std::vector<std::string> fingerprints;
  for (PoolBefore& before : pools_before(pools.path(0), pools.manifest(0))) fingerprints.push_back(std::move(before.fingerprint));
  return fingerprints;
}

EventScope event_scope_of(const PoolSet& pools) {
  EventScope scope = {.documents = pools.documents(),
                      .features = pools.features(),
                      .feature_of = {},
                      .advice_for = {},
                      .rows_of_ids = {},
                      .copies = pools.copies(),
                      .fingerprint = fingerprint_of(pools),
                      .fingerprints_before = fingerprints_before(pools)};
  if (pools.has_ids()) scope.rows_of_ids = [&pools](std::span<const std::string> ids) { return rows_of_ids(pools, ids); };
  if (!pools.has_words()) return scope;
  const auto words = std::make_shared<PoolWords>(pools);
  scope.feature_of = [words](std::string_view word) { return words->find(word); };
  scope.advice_for = [words](std::string_view word) { return words->advice(word); };
  return scope;
}

}  // namespace inkling
