// The words of a build that are given and not chosen: `--vocabulary FILE`, `--like POOL`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/from_text/weighting_pass.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling {

/// Not movable. Lifetime: what it lends is valid as long as it exists.
class GivenWords {
 public:
  /// Throws UsageError if other options would choose features, too, and whatever reading the file or the pool throws.
  explicit GivenWords(const ParsedOptions& options);
  ~GivenWords() = default;
  GivenWords(const GivenWords&) = delete;
  GivenWords& operator=(const GivenWords&) = delete;

  /// The recipe of the pool of --like, or else of the options.
  [[nodiscard]] const TextRecipe& recipe() const { return recipe_; }
  /// Nothing if the features come from the documents.
  [[nodiscard]] std::optional<GivenFeatures> features() const;
  /// The pool of --like.
  [[nodiscard]] const Pool* pool() const { return pool_ ? &*pool_ : nullptr; }

 private:
  TextRecipe recipe_;
  std::optional<Pool> pool_;
  std::vector<std::string> words_;
  std::vector<std::string_view> terms_;  // of the pool or the words
  bool given_ = false;
};

/// A pool that was made from text, and its recipe. Throws UsageError naming the option for any other.
struct TextPool {
  Pool pool;
  TextRecipe recipe;
};
[[nodiscard]] TextPool open_text_pool(const ParsedOptions& options, std::string_view option);

}  // namespace inkling
