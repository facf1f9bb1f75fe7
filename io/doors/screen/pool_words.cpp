#include "io/doors/screen/pool_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/scoring/ranking.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/text/flowed_text.hpp"
#include "io/search/service/shown_pool.hpp"
#include "io/search/session/text_runs.hpp"

namespace inkling {
namespace {

// The feature of the one word or phrase that the text consists of, read like a document of the pool.
std::optional<FeatureId> only_feature_in(std::string_view typed, const Pool& pool) {
  std::optional<FeatureId> found;
  std::size_t words = 0;
  const std::vector<TextRun> runs = text_runs(typed, pool);
  for (std::size_t n = 0; n < runs.size(); ++n) {
    for (const TextPhrase& phrase : runs[n].phrases)
      if (n == 0 && phrase.runs == runs.size()) return phrase.feature;
    if (!runs[n].feature) continue;
    found = runs[n].feature;
    ++words;
  }
  // If the text has other words, which the pool lacks, they must not be ignored silently.
  const bool is_all = found && words == 1 && runs.size() == 1;
  return is_all ? found : std::nullopt;
}

// Numbers tell little about a document: they may be parts of "244,749".
bool is_number(std::string_view word) { return word.find_first_not_of("0123456789") == std::string_view::npos; }

// Takes off the first bytes of a text, which are its title, and the blanks after them.
std::vector<StyledPiece> title_taken(std::vector<StyledPiece>& text, std::size_t bytes) {
  std::vector<StyledPiece> title;
  auto piece = text.begin();
  for (; piece != text.end() && bytes > 0; bytes -= title.back().text.size()) {
    title.push_back({piece->text.substr(0, bytes), piece->look == Look::plain ? Look::heading : piece->look});
    piece->text.erase(0, bytes);
    if (piece->text.empty()) ++piece;
  }
  text.erase(text.begin(), piece);
  if (!text.empty()) {
    std::string& rest = text.front().text;
    rest.erase(0, std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  }
  return title;
}

}  // namespace

std::string word_shown(const Pool& pool, FeatureId feature) {
  if (!pool.vocabulary()) return fmt::format("feature {}", feature);
  return visible_text((*pool.vocabulary())[feature]);
}

WordLookUp word_look_up(const Pool& pool) {
  const auto find = [&pool](std::string_view typed) -> std::optional<FeatureId> {
    if (typed.empty()) return std::nullopt;
    if (const std::optional<FeatureId> exact = pool.feature_of(typed)) return exact;
    return pool.vocabulary() ? only_feature_in(typed, pool) : std::nullopt;
  };
  return {find, [&pool](FeatureId feature) { return word_shown(pool, feature); }};
}

DocumentFacts facts_of_document(const Pool& pool, DocumentId document, const LookOfWord& look) {
  DocumentFacts facts;
  facts.document = document;
  facts.id = pool.id(document);
  if (pool.fields()) facts.head = record_head((*pool.fields())[document]);
  if (!pool.texts()) {
    facts.words = words_of_document(pool, document, look);
    return facts;
  }
  const std::string text = flowed_text((*pool.texts())[document]);
  facts.text = tinted_text(text_runs(text, pool), look);
  if (!facts.head.title.empty() && text.starts_with(facts.head.title))
    facts.title = title_taken(*facts.text, std::exchange(facts.head.title, {}).size());
  return facts;
}

std::vector<DocumentWord> words_of_document(const Pool& pool, DocumentId document, const LookOfWord& look) {
  const SparseRow row = pool.view().by_document.row(document);
  std::vector<DocumentWord> words;
  words.reserve(row.size());
  for (std::size_t n = 0; n < row.size(); ++n) {
    const FeatureId feature = row.features[n];
    if (pool.texts() && is_number(word_shown(pool, feature)) && look(feature) == Look::plain) continue;
    words.push_back({feature, word_shown(pool, feature), static_cast<double>(row.values[n]), look(feature)});
  }
  std::ranges::sort(words, {}, [](const DocumentWord& word) {
    return std::tuple(word.look == Look::plain, -sort_key(std::fabs(word.value)), word.feature);
  });
  return words;
}

DocumentLine document_line(const Pool& pool, const ListedDocument& listed) {
  constexpr std::size_t most_of_id = 24;
  constexpr std::size_t most_of_text = 60;
  const auto heading = [&](DocumentId document) {
    std::optional<std::string> id = pool.id(document);
    if (id) id = utf8_shortened(visible_text(*id), most_of_id);
    return document_heading(document, id);
  };
  return {listed.value, heading(listed.document), beginning_of(pool, listed.document, most_of_text),
          listed.same_as ? heading(*listed.same_as) : std::string()};
}

DocumentId document_typed(const Pool& pool, std::string_view typed) {
  const DocumentId documents = pool.view().documents();
  const std::optional<std::int64_t> number = parse_integer(typed);
  if (number && *number >= 0 && *number < documents) return static_cast<DocumentId>(*number);
  std::optional<DocumentId> found;
  for (DocumentId row = 0; pool.ids() && row < documents; ++row) {
    if ((*pool.ids())[row] != typed) continue;
    if (found) throw FormatError(quoted_text(typed), fmt::format("expected a number: {} and {} have this id", *found, row));
    found = row;
  }
  if (found) return *found;
  throw FormatError(quoted_text(typed), fmt::format("expected a number from 0 to {}{}", digit_groups(documents - 1),
                                                    pool.ids() ? ", or an id of this pool" : ""));
}

}  // namespace inkling
