// What events of a set of pools may name: rows, ids, words and phrases.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/search/events/events.hpp"

namespace inkling {

/// Why a recipe leaves a word out.
enum class LeftOut { nothing, stop_word, too_short };

/// What a recipe makes of a text that a person wrote.
struct TypedPhrase {
  std::vector<std::string> words = {};
  std::string left_out = {};  ///< the first word that it leaves out
  LeftOut reason = LeftOut::nothing;
};
[[nodiscard]] TypedPhrase typed_phrase(std::string_view written, const TextRecipe& recipe);
/// "a stop word". Requires: it leaves a word out.
[[nodiscard]] std::string_view left_out_text(LeftOut reason);

/// A word is looked up as it is written, and then as the pool's recipe cuts and folds it: "Soil," is the word "soil", and
/// "Cocoa quota" the phrase "cocoa quota" of a pool with phrases. If the recipe leaves out a part of the text, it is not found.
/// Lifetime: lends the pools.
[[nodiscard]] EventScope event_scope_of(const PoolSet& pools);

/// The rows of ids, by one pass over the ids of all documents. Requires: ids ascend, each once.
[[nodiscard]] std::vector<RowsOfId> rows_of_ids(const PoolSet& pools, std::span<const std::string> ids);

/// The fingerprint of the pools in their order (io/search/events/pool_fingerprint.hpp); of a set that of the one pool with the same
/// documents, so that their events are the same.
[[nodiscard]] std::string fingerprint_of(const PoolSet& pools);
/// The fingerprints of the pools to which records were added to make this pool, and of a set as earlier programs said it.
[[nodiscard]] std::vector<std::string> fingerprints_before(const PoolSet& pools);

}  // namespace inkling
