#include "tests/support/io/plain_text.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace inkling::test {
namespace {

using Counts = PlainCounts;

bool is_part_of_token(char32_t character, TokenRule rule) {
  if (rule == TokenRule::words) return is_word_character(character);
  return (character >= U'a' && character <= U'z') || (character >= U'A' && character <= U'Z');
}

double plain_weight(TermWeight kind, int count) {
  if (kind == TermWeight::binary) return 1.0;
  return kind == TermWeight::raw ? count : 1.0 + std::log(count);
}

double plain_idf(IdfKind kind, double documents, double frequency) {
  if (kind == IdfKind::none) return 1.0;
  return kind == IdfKind::smooth ? std::log((1 + documents) / (1 + frequency)) + 1 : std::log(documents / frequency) + 1;
}

double plain_norm(RowNorm kind, const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += kind == RowNorm::l1 ? std::abs(value) : value * value;
  if (kind == RowNorm::none || sum == 0.0) return 1.0;
  return kind == RowNorm::l1 ? sum : std::sqrt(sum);
}

// The terms that the recipe keeps, in order.
std::vector<std::string> selected_terms(const std::vector<Counts>& documents, const Counts& frequency, const TextRecipe& recipe) {
  const auto all = static_cast<std::int64_t>(documents.size());
  std::vector<std::pair<long, std::string>> ranked;
  for (const auto& [term, count] : frequency) {
    if (count < recipe.min_documents.documents(all) || count > recipe.max_documents.documents(all)) continue;
    if (term.find(' ') != std::string::npos && count < recipe.min_documents_of_runs) continue;
    long occurrences = 0;
    for (const Counts& document : documents) {
      const auto found = document.find(term);
      if (found != document.end()) occurrences += recipe.weight == TermWeight::binary ? 1 : found->second;
    }
    ranked.emplace_back(-occurrences, term);
  }
  std::ranges::sort(ranked);
  if (recipe.max_features && static_cast<std::int64_t>(ranked.size()) > *recipe.max_features)
    ranked.resize(static_cast<std::size_t>(*recipe.max_features));
  std::vector<std::string> terms;
  terms.reserve(ranked.size());
  for (const auto& [occurrences, term] : ranked) terms.push_back(term);
  std::ranges::sort(terms);
  return terms;
}

// Writes the text with all marks apart, and leaves out what is not wanted.
std::string plain_without_accents(std::string_view text, Accents accents) {
  UErrorCode error = U_ZERO_ERROR;
  icu::UnicodeString whole;
  for (std::string_view left = text; !left.empty(); left.remove_prefix(first_character(left).length)) {
    const auto character = static_cast<UChar32>(first_character(left).code_point);
    UVersionInfo age = {};
    u_charAge(character, age);
    const icu::UnicodeString alone(character);
    whole += age[0] > 14 ? alone : icu::Normalizer2::getNFKDInstance(error)->normalize(alone, error);
  }
  std::string out;
  for (std::int32_t n = 0; n < whole.length(); n = whole.moveIndex32(n, 1)) {
    const UChar32 character = whole.char32At(n);
    const bool stays = accents == Accents::unicode || character < 0x80 || character == 0x200B;
    if (stays && u_getCombiningClass(character) == 0) icu::UnicodeString(character).toUTF8String(out);
  }
  return out;
}

}  // namespace

std::vector<std::string> plain_tokens(std::string_view text, const TokenOptions& options) {
  std::string prepared;
  if (options.letter_case == LetterCase::lower)
    append_lower_case(prepared, text);
  else
    prepared = text;
  if (options.accents != Accents::keep) prepared = plain_without_accents(prepared, options.accents);
  std::vector<std::string> tokens;
  std::string token;
  int characters = 0;
  const auto end_token = [&] {
    if (characters > 0 && characters >= options.min_length) tokens.push_back(token);
    token.clear();
    characters = 0;
  };
  for (std::string_view left = prepared; !left.empty();) {
    const Utf8Character character = first_character(left);
    if (is_part_of_token(character.code_point, options.rule)) {
      token += left.substr(0, character.length);
      ++characters;
    } else {
      end_token();
    }
    left.remove_prefix(character.length);
  }
  end_token();
  return tokens;
}

PlainCounts plain_counts(std::string_view text, const TextRecipe& recipe) {
  std::vector<std::string> tokens = plain_tokens(text, recipe.tokens);
  const std::set<std::string> stop_words(recipe.stop_words.begin(), recipe.stop_words.end());
  std::erase_if(tokens, [&](const std::string& token) { return stop_words.contains(token); });
  PlainCounts counts;
  for (std::size_t first = 0; first < tokens.size(); ++first) {
    std::string term;
    for (std::size_t n = 1; first + n <= tokens.size() && n <= static_cast<std::size_t>(recipe.longest_ngram); ++n) {
      term += (n == 1 ? "" : " ") + tokens[first + n - 1];
      if (n >= static_cast<std::size_t>(recipe.shortest_ngram)) ++counts[term];
    }
  }
  return counts;
}

PlainMatrix plain_matrix(const std::vector<std::string>& documents, const TextRecipe& recipe,
                         const std::vector<std::size_t>& titles) {
  std::vector<Counts> counts;
  Counts frequency;
  for (std::size_t n = 0; n < documents.size(); ++n) {
    counts.push_back(plain_counts(documents[n], recipe));
    const std::string title = titles.empty() ? "" : documents[n].substr(0, titles[n]);
    for (const auto& [term, count] : plain_counts(title, recipe)) counts.back()[term] += (recipe.title_weight - 1) * count;
    for (const auto& [term, count] : counts.back()) ++frequency[term];
  }
  PlainMatrix matrix;
  matrix.terms = selected_terms(counts, frequency, recipe);
  matrix.document_frequency.reserve(matrix.terms.size());
  for (const std::string& term : matrix.terms) matrix.document_frequency.push_back(frequency[term]);
  for (const Counts& document : counts) {
    std::map<int, double>& row = matrix.rows.emplace_back();
    std::vector<double> values;  // those that count in the length
    for (const auto& [term, count] : document) {
      const auto found = std::ranges::lower_bound(matrix.terms, term);
      const bool is_feature = found != matrix.terms.end() && *found == term;
      const bool lengthens = recipe.min_documents_of_runs > 1 && term.find(' ') != std::string::npos;
      if (!is_feature && !lengthens) continue;
      const int holding = is_feature ? frequency[term] : 1;
      values.push_back(plain_weight(recipe.weight, count) *
                       plain_idf(recipe.idf, static_cast<double>(documents.size()), holding));
      if (is_feature) row[static_cast<int>(found - matrix.terms.begin())] = values.back();
    }
    const double norm = plain_norm(recipe.norm, values);
    for (auto& [feature, value] : row) value /= norm;
  }
  return matrix;
}

}  // namespace inkling::test
