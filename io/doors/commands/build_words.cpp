#include "io/doors/commands/build_words.hpp"

#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "io/base/wording/quotes.hpp"
#include "io/corpus/matrix/matrix_import.hpp"
#include "io/doors/commands/build_options.hpp"

namespace inkling {
namespace {

void refuse_given(const ParsedOptions& options, std::initializer_list<const char*> names, std::string_view problem) {
  for (const char* const name : names)
    if (options.given(name)) throw UsageError::option(name, problem);
}

}  // namespace

TextPool open_text_pool(const ParsedOptions& options, std::string_view option) {
  Pool pool = Pool::open(options.text(option), PoolTrust::remembered);
  std::optional<TextRecipe> recipe = recipe_of_pool(pool.path(), pool.manifest());
  if (!recipe || !pool.vocabulary() || pool.idf().empty())
    throw UsageError::option(
        option, fmt::format("expected a pool made from text, found one made from a matrix: {}", in_quotes(options.text(option))));
  return {std::move(pool), *std::move(recipe)};
}

GivenWords::GivenWords(const ParsedOptions& options) {
  if (options.has("like")) {
    refuse_given(options,
                 {"tokens", "min-token-length", "keep-case", "strip-accents", "stop-words", "title-weight", "ngrams",
                  "vocabulary", "min-df", "min-df-runs", "max-df", "max-features", "tf", "idf", "norm", "like-scikit-learn"},
                 "comes from the pool of --like and cannot be given beside it");
    TextPool like = open_text_pool(options, "like");
    pool_.emplace(std::move(like.pool));
    recipe_ = std::move(like.recipe);
    terms_ = pool_->vocabulary()->all();
    given_ = true;
    return;
  }
  recipe_ = text_recipe(options);
  if (!options.has("vocabulary")) return;
  refuse_given(options, {"min-df", "max-df", "max-features"},
               "chooses features, but --vocabulary gives them; leave one of the two out");
  words_ = ColumnTerms(options.text("vocabulary")).terms();
  terms_.assign(words_.begin(), words_.end());
  given_ = true;
}

std::optional<GivenFeatures> GivenWords::features() const {
  if (!given_) return std::nullopt;
  return GivenFeatures{terms_, pool_ ? pool_->idf() : std::span<const double>()};
}

}  // namespace inkling
