#include "io/build/text_recipe.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "io/file/json_writer.hpp"
#include "io/text/unicode_words.hpp"

namespace inkling {
namespace {

template <typename Value>
using NameTable = std::span<const std::pair<std::string_view, Value>>;

constexpr std::array<std::pair<std::string_view, TokenRule>, 2> token_rules = {
    {{"words", TokenRule::words}, {"letters", TokenRule::letters}}};
constexpr std::array<std::pair<std::string_view, TermWeight>, 3> term_weights = {
    {{"raw", TermWeight::raw}, {"sublinear", TermWeight::sublinear}, {"binary", TermWeight::binary}}};
constexpr std::array<std::pair<std::string_view, IdfKind>, 3> idf_kinds = {
    {{"smooth", IdfKind::smooth}, {"plain", IdfKind::plain}, {"none", IdfKind::none}}};
constexpr std::array<std::pair<std::string_view, RowNorm>, 3> row_norms = {
    {{"l2", RowNorm::l2}, {"l1", RowNorm::l1}, {"none", RowNorm::none}}};

template <typename Value>
std::string_view name_in(NameTable<Value> table, Value value) {
  for (const auto& [name, its_value] : table)
    if (its_value == value) return name;
  return {};
}

template <typename Value>
std::optional<Value> value_in(NameTable<Value> table, std::string_view name) {
  for (const auto& [its_name, value] : table)
    if (its_name == name) return value;
  return std::nullopt;
}

void write_threshold(JsonWriter& json, std::string_view name, const DocumentThreshold& threshold) {
  json.key(name).begin_object();
  json.member(threshold.kind == DocumentThreshold::Kind::count ? "count" : "share", threshold.value);
  json.end_object();
}

// Reads the members of one object; what is missing or of another kind is a FormatError that names it.
class RecipeReader {
 public:
  explicit RecipeReader(simdjson::dom::object object) : object_(object) {}

  template <typename Value>
  [[nodiscard]] Value read(std::string_view name) const {
    Value value{};
    if (object_[name].get(value) != simdjson::SUCCESS) fail(name);
    return value;
  }

  template <typename Value>
  [[nodiscard]] Value read_name(std::string_view name, NameTable<Value> table) const {
    const std::optional<Value> value = value_in(table, read<std::string_view>(name));
    if (!value) fail(name);
    return *value;
  }

  [[nodiscard]] std::int32_t read_count(std::string_view name) const {
    const auto value = read<std::int64_t>(name);
    if (value < 1 || value > std::numeric_limits<std::int32_t>::max()) fail(name);
    return static_cast<std::int32_t>(value);
  }

  [[nodiscard]] DocumentThreshold read_threshold(std::string_view name) const {
    const RecipeReader inner(read<simdjson::dom::object>(name));
    double value = 0.0;
    if (inner.object_["count"].get(value) == simdjson::SUCCESS)
      return {DocumentThreshold::Kind::count, value};
    return {DocumentThreshold::Kind::share, inner.read<double>("share")};
  }

 private:
  [[noreturn]] static void fail(std::string_view name) {
    throw FormatError("the recipe of the pool", "expected a valid member \"" + std::string(name) + "\"");
  }

  simdjson::dom::object object_;
};

}  // namespace

double inverse_document_frequency(IdfKind kind, std::int64_t documents, std::int64_t document_frequency) {
  const auto all = static_cast<double>(documents);
  const auto holding = static_cast<double>(document_frequency);
  switch (kind) {
    case IdfKind::smooth:
      return natural_log((1.0 + all) / (1.0 + holding)) + 1.0;
    case IdfKind::plain:
      return natural_log(all / holding) + 1.0;
    case IdfKind::none:
      break;
  }
  return 1.0;
}

std::string recipe_json(const TextRecipe& recipe) {
  JsonWriter json;
  json.begin_object();
  json.member("token_rule", name_in<TokenRule>(token_rules, recipe.tokens.rule));
  json.member("unicode", unicode_version);
  json.member("min_token_length", recipe.tokens.min_length);
  json.member("lower_case", recipe.tokens.letter_case == LetterCase::lower);
  json.key("stop_words").begin_array();
  for (const std::string& word : recipe.stop_words) json.value(word);
  json.end_array();
  json.member("shortest_ngram", recipe.shortest_ngram).member("longest_ngram", recipe.longest_ngram);
  write_threshold(json, "min_documents", recipe.min_documents);
  write_threshold(json, "max_documents", recipe.max_documents);
  json.key("max_features");
  if (recipe.max_features) {
    json.value(*recipe.max_features);
  } else {
    json.null();
  }
  json.member("term_weight", name_in<TermWeight>(term_weights, recipe.weight));
  json.member("idf", name_in<IdfKind>(idf_kinds, recipe.idf));
  json.member("norm", name_in<RowNorm>(row_norms, recipe.norm));
  json.end_object();
  return json.take();
}

std::optional<TextRecipe> recipe_of_manifest(std::string_view manifest_recipe) {
  simdjson::dom::parser parser;
  const simdjson::padded_string text(manifest_recipe);
  simdjson::dom::object whole;
  if (parser.parse(text).get(whole) != simdjson::SUCCESS)
    throw FormatError("the recipe of the pool", "expected a JSON object");
  simdjson::dom::object object;
  if (whole["text"].get(object) != simdjson::SUCCESS) return std::nullopt;

  const RecipeReader reader(object);
  TextRecipe recipe;
  recipe.tokens.rule = reader.read_name<TokenRule>("token_rule", token_rules);
  recipe.tokens.min_length = reader.read_count("min_token_length");
  recipe.tokens.letter_case = reader.read<bool>("lower_case") ? LetterCase::lower : LetterCase::keep;
  for (const simdjson::dom::element word : reader.read<simdjson::dom::array>("stop_words")) {
    std::string_view its_text;
    if (word.get(its_text) == simdjson::SUCCESS) recipe.stop_words.emplace_back(its_text);
  }
  recipe.shortest_ngram = reader.read_count("shortest_ngram");
  recipe.longest_ngram = reader.read_count("longest_ngram");
  recipe.min_documents = reader.read_threshold("min_documents");
  recipe.max_documents = reader.read_threshold("max_documents");
  if (!reader.read<simdjson::dom::element>("max_features").is_null())
    recipe.max_features = reader.read<std::int64_t>("max_features");
  recipe.weight = reader.read_name<TermWeight>("term_weight", term_weights);
  recipe.idf = reader.read_name<IdfKind>("idf", idf_kinds);
  recipe.norm = reader.read_name<RowNorm>("norm", row_norms);
  return recipe;
}

}  // namespace inkling
