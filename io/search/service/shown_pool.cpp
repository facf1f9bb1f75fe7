#include "io/search/service/shown_pool.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "engine/scoring/ranking.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/text/flowed_text.hpp"
#include "io/corpus/text/function_words.hpp"
#include "io/search/session/text_runs.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kFewDocuments = 5;
constexpr std::size_t kMostWordsOfDocument = 1'000;
constexpr std::size_t kLongestBeginning = 160;  // characters
// A text of a pool may have any size; a screen needs only its beginning.
constexpr std::size_t kLongestText = std::size_t{1} << 20U;

std::string_view cut_to_characters(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & 0xC0U) == 0x80U) --most_bytes;
  return text.substr(0, most_bytes);
}

}  // namespace

std::string beginning_of(const Pool& pool, DocumentId document, std::size_t most_characters) {
  if (!pool.texts()) return {};
  std::string beginning(cut_to_characters((*pool.texts())[document], most_characters * 4));
  std::ranges::replace_if(
      beginning, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  beginning.erase(0, std::min(beginning.find_first_not_of(' '), beginning.size()));
  return utf8_shortened(beginning, most_characters);
}

ShownPool::ShownPool(const Pool& pool, const EventScope& scope)
    : pool_(&pool), scope_(&scope), recipe_(pool.vocabulary() ? recipe_of_pool(pool.path(), pool.manifest()) : std::nullopt) {
  if (recipe_) files_ = record_sources(pool.manifest());
  if (files_.size() == 1) files_.clear();
}

std::string_view ShownPool::file_of(DocumentId document) const {
  return files_.empty() ? std::string_view() : files_[source_of_row(files_, document)].name;
}

std::string ShownPool::word(FeatureId feature) const {
  return pool_->vocabulary() ? std::string((*pool_->vocabulary())[feature]) : fmt::format("feature {}", feature);
}

bool ShownPool::is_common(FeatureId feature) const {
  return pool_->vocabulary() && says_nothing((*pool_->vocabulary())[feature]);
}

std::int64_t ShownPool::documents_with(FeatureId feature) const {
  const auto [begin, end] = pool_->postings_of(feature);
  return end - begin;
}

void ShownPool::write_id_and_label(JsonWriter& json, DocumentId document) const {
  json.member("document", document).member("id", pool_->id(document)).key("label");
  if (const std::optional<std::size_t> label = pool_->label(document))
    json.value(pool_->label_names()[*label]);
  else
    json.null();
}

RecordHead ShownPool::head(DocumentId document) const {
  return pool_->fields() ? record_head((*pool_->fields())[document]) : RecordHead();
}

void ShownPool::write_head(JsonWriter& json, DocumentId document) const {
  if (!pool_->fields()) return;
  const RecordHead found = head(document);
  json.member("title", found.title).member("authors", found.authors).member("year", found.year);
  json.key("links").array(found.links);
}

void ShownPool::write_runs(JsonWriter& json, std::string_view written) const {
  const std::string flowed = flowed_text(written);
  const std::string_view text = flowed;
  std::vector<TextRun> runs;
  if (recipe_)
    runs = text_runs(text, *recipe_, [this](std::string_view term) { return pool_->feature_of(term); });
  else if (!text.empty())
    runs.push_back({.piece = text});
  json.begin_array();
  for (const TextRun& run : runs) {
    json.begin_array().value(run.piece).value(run.feature);
    if (!run.phrases.empty()) {
      json.begin_array();
      for (const TextPhrase& phrase : run.phrases) json.begin_array().value(phrase.feature).value(phrase.runs).end_array();
      json.end_array();
    }
    json.end_array();
  }
  json.end_array();
}

void ShownPool::write_document(JsonWriter& json, DocumentId document) const {
  json.begin_object();
  write_id_and_label(json, document);
  if (!files_.empty()) json.member("file", file_of(document));
  write_head(json, document);
  if (pool_->fields()) {
    const RecordHead found = head(document);
    json.member("journal", found.journal).key("kinds").array(found.kinds).key("keywords").array(found.keywords);
  }
  json.key("runs");
  if (pool_->texts())
    write_runs(json, cut_to_characters((*pool_->texts())[document], kLongestText));
  else
    json.null();
  const SparseRow row = pool_->view().by_document.row(document);
  // Names that are in hardly any other document come last, because to rate them helps little.
  std::vector<std::tuple<bool, double, FeatureId, double>> words;
  words.reserve(row.size());
  for (std::size_t n = 0; n < row.size(); ++n) {
    const auto value = static_cast<double>(row.values[n]);
    const FeatureId feature = row.features[n];
    words.emplace_back(documents_with(feature) < kFewDocuments, -sort_key(std::fabs(value)), feature, value);
  }
  std::ranges::sort(words);
  if (words.size() > kMostWordsOfDocument) words.resize(kMostWordsOfDocument);
  json.key("words").begin_array();
  for (const auto& [is_rare, size, feature, value] : words) {
    write_named_word(json.begin_object(), feature);
    json.member("common", is_common(feature)).member("value", value).end_object();
  }
  json.end_array().end_object();
}

void ShownPool::write_word(JsonWriter& json, FeatureId feature) const {
  write_named_word(json.begin_object(), feature);
  json.member("documents", documents_with(feature)).end_object();
}

void ShownPool::write_line_members(JsonWriter& json, DocumentId document) const {
  write_id_and_label(json, document);
  if (!files_.empty()) json.member("file", file_of(document));
  json.member("beginning", beginning_of(*pool_, document, kLongestBeginning));
  if (pool_->fields()) json.member("title", head(document).title);
}

void ShownPool::write_id(JsonWriter& json, DocumentId document) const {
  json.member("document", document);
  if (const auto id = pool_->id(document)) json.member("id", *id);
}

void ShownPool::write_named_word(JsonWriter& json, FeatureId feature) const {
  json.member("feature", feature).member("word", word(feature));
}

}  // namespace inkling
