#include "io/corpus/from_text/text_recipe.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"
#include "io/corpus/text/tokenizer.hpp"

namespace inkling {
namespace {

void write_threshold(JsonWriter& json, std::string_view name, const DocumentThreshold& threshold) {
  json.key(name).begin_object();
  json.member(threshold.kind == DocumentThreshold::Kind::count ? "count" : "share", threshold.value);
  if (threshold.at_least > 0.0) json.member("at_least", threshold.at_least);
  json.end_object();
}

// Reads the members of one object; what is missing or of another kind is a FormatError that names it.
class RecipeReader {
 public:
  explicit RecipeReader(simdjson::dom::object object) : object_(object) {}

  [[nodiscard]] bool has(std::string_view name) const { return object_[name].error() == simdjson::SUCCESS; }

  template <typename Value>
  [[nodiscard]] Value read(std::string_view name) const {
    Value value{};
    if (object_[name].get(value) != simdjson::SUCCESS) fail(name);
    return value;
  }

  template <typename Enum, std::size_t size>
  [[nodiscard]] Enum read_name(std::string_view name, const EnumName<Enum> (&table)[size]) const {
    const std::optional<Enum> value = value_of(read<std::string_view>(name), table);
    if (!value) fail(name);
    return *value;
  }

  [[nodiscard]] std::int32_t read_count(std::string_view name, std::int32_t least = 1,
                                        std::int32_t most = std::numeric_limits<std::int32_t>::max()) const {
    const auto value = read<std::int64_t>(name);
    if (value < least || value > most) fail(name);
    return static_cast<std::int32_t>(value);
  }

  [[nodiscard]] DocumentThreshold read_threshold(std::string_view name) const {
    const RecipeReader inner(read<simdjson::dom::object>(name));
    DocumentThreshold threshold;
    if (inner.has("at_least")) threshold.at_least = inner.read<double>("at_least");
    if (inner.object_["count"].get(threshold.value) == simdjson::SUCCESS) return threshold;
    threshold.kind = DocumentThreshold::Kind::share;
    threshold.value = inner.read<double>("share");
    return threshold;
  }

  [[noreturn]] static void fail(std::string_view name) {
    throw FormatError("the recipe of the pool", "expected a valid member \"" + std::string(name) + "\"");
  }

 private:
  simdjson::dom::object object_;
};

}  // namespace

void TextRecipe::choose_ngrams(bool has_little_text) noexcept {
  if (longest_ngram == kNgramsBySize) longest_ngram = has_little_text ? 2 : 1;
}

TextRecipe TextRecipe::like_scikit_learn() {
  TextRecipe recipe;
  recipe.shortest_ngram = recipe.longest_ngram = 1;
  recipe.title_weight = 1;
  recipe.min_documents_of_runs = 1;
  recipe.max_documents = {.kind = DocumentThreshold::Kind::share, .value = 1.0};
  recipe.weight = TermWeight::raw;
  return recipe;
}

std::string threshold_text(const DocumentThreshold& threshold) {
  std::string text = threshold.kind == DocumentThreshold::Kind::count ? fmt::format("{:g}", threshold.value)
                                                                      : fmt::format("{:g}%", 100.0 * threshold.value);
  if (threshold.at_least > 0.0) text += fmt::format(", or {:g} documents if that is more", threshold.at_least);
  return text;
}

std::string ngrams_text(const TextRecipe& recipe) {
  if (recipe.longest_ngram == kNgramsBySize)
    return fmt::format("1,2, or 1 where the texts take more than {} MiB", kMostBytesForPairs >> 20U);
  return recipe.shortest_ngram == recipe.longest_ngram ? fmt::format("{}", recipe.longest_ngram)
                                                       : fmt::format("{},{}", recipe.shortest_ngram, recipe.longest_ngram);
}

std::string pairs_text(const TextRecipe& recipe) {
  if (recipe.shortest_ngram != 1 || recipe.longest_ngram > 2) return {};
  return recipe.longest_ngram == 2
             ? "words and pairs of neighbouring words; words alone (--ngrams 1) take about half of the disk and of the time"
             : "words; with pairs of neighbouring words (--ngrams 1,2) a pool takes about twice the disk and the time";
}

double inverse_document_frequency(IdfKind kind, std::int64_t documents, std::int64_t document_frequency) {
  const auto all = static_cast<double>(documents);
  const auto holding = static_cast<double>(document_frequency);
  switch (kind) {
    case IdfKind::smooth: return natural_log((1.0 + all) / (1.0 + holding)) + 1.0;
    case IdfKind::plain: return natural_log(std::max(all, 1.0) / std::max(holding, 1.0)) + 1.0;
    case IdfKind::none: break;
  }
  return 1.0;
}

TextRecipe recipe_for_corpus(TextRecipe recipe, std::int64_t documents) {
  if (recipe.counts_other_runs())
    recipe.idf_of_other_runs = inverse_document_frequency(recipe.idf, std::max<std::int64_t>(documents, 1), 1);
  return recipe;
}

void begin_manifest_recipe(JsonWriter& json, const PoolOrigin& origin) {
  json.begin_object();
  json.key("sources").begin_array();
  for (const std::string& source : origin.sources) json.value(source);
  json.end_array();
  json.member("format", origin.format);
}

std::string recipe_json(const TextRecipe& recipe) {
  JsonWriter json;
  json.begin_object();
  json.member("token_rule", name_of(recipe.tokens.rule, kTokenRuleNames));
  json.member("unicode", kUnicodeVersion);
  json.member("min_token_length", recipe.tokens.min_length);
  json.member("lower_case", recipe.tokens.letter_case == LetterCase::lower);
  if (recipe.tokens.accents != Accents::keep) json.member("strip_accents", name_of(recipe.tokens.accents, kAccentsNames));
  json.key("stop_words").begin_array();
  for (const std::string& word : recipe.stop_words) json.value(word);
  json.end_array();
  json.member("shortest_ngram", recipe.shortest_ngram).member("longest_ngram", recipe.longest_ngram);
  json.member("title_weight", recipe.title_weight);
  write_threshold(json, "min_documents", recipe.min_documents);
  json.member("min_documents_of_runs", recipe.min_documents_of_runs);
  write_threshold(json, "max_documents", recipe.max_documents);
  json.member("max_features", recipe.max_features);
  json.member("term_weight", name_of(recipe.weight, kTermWeightNames));
  json.member("idf", name_of(recipe.idf, kIdfNames));
  json.member("norm", name_of(recipe.norm, kRowNormNames));
  if (recipe.idf_of_other_runs > 0.0) json.member("idf_of_other_runs", recipe.idf_of_other_runs);
  json.end_object();
  return json.take();
}

std::optional<TextRecipe> recipe_of_manifest(std::string_view manifest_recipe) {
  simdjson::dom::parser parser;
  simdjson::dom::object whole;
  if (!succeeded(parser.parse(padded(manifest_recipe)).get(whole)))
    throw FormatError("the recipe of the pool", "expected a JSON object");
  simdjson::dom::object object;
  simdjson::dom::element member;
  if (whole["text"].get(member) != simdjson::SUCCESS) return std::nullopt;
  if (member.get(object) != simdjson::SUCCESS) RecipeReader::fail("text");

  const RecipeReader reader(object);
  TextRecipe recipe;
  recipe.tokens.rule = reader.read_name("token_rule", kTokenRuleNames);
  recipe.tokens.min_length = reader.read_count("min_token_length");
  recipe.tokens.letter_case = reader.read<bool>("lower_case") ? LetterCase::lower : LetterCase::keep;
  if (reader.has("strip_accents")) recipe.tokens.accents = reader.read_name("strip_accents", kAccentsNames);
  for (const simdjson::dom::element word : reader.read<simdjson::dom::array>("stop_words")) {
    std::string_view its_text;
    if (word.get(its_text) != simdjson::SUCCESS) RecipeReader::fail("stop_words");
    recipe.stop_words.emplace_back(its_text);
  }
  recipe.shortest_ngram = reader.read_count("shortest_ngram", 1, kLongestNgram);
  recipe.longest_ngram = reader.read_count("longest_ngram", recipe.shortest_ngram, kLongestNgram);
  recipe.title_weight = reader.has("title_weight") ? reader.read_count("title_weight", 1, kMostTitleWeight) : 1;
  recipe.min_documents = reader.read_threshold("min_documents");
  // Pools without this member were made before there was a choice.
  recipe.min_documents_of_runs = reader.has("min_documents_of_runs") ? reader.read_count("min_documents_of_runs") : 1;
  if (reader.has("idf_of_other_runs")) recipe.idf_of_other_runs = reader.read<double>("idf_of_other_runs");
  if (recipe.idf_of_other_runs < 0.0) RecipeReader::fail("idf_of_other_runs");
  recipe.max_documents = reader.read_threshold("max_documents");
  if (!reader.read<simdjson::dom::element>("max_features").is_null())
    recipe.max_features = reader.read<std::int64_t>("max_features");
  recipe.weight = reader.read_name("term_weight", kTermWeightNames);
  recipe.idf = reader.read_name("idf", kIdfNames);
  recipe.norm = reader.read_name("norm", kRowNormNames);
  return recipe;
}

std::optional<TextRecipe> recipe_of_pool(const std::string& path, const Manifest& manifest) {
  try {
    return recipe_of_manifest(manifest.recipe);
  } catch (const FormatError& error) {
    throw CorruptFileError(pool_file_path(path, PoolFile::manifest), "in \"recipe\": {}", error.expectation());
  }
}

}  // namespace inkling
