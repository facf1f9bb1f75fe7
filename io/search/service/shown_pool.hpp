// A pool as answers show it: its documents and words as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/json_writer.hpp"
#include "io/corpus/fields/record_head.hpp"
#include "io/corpus/from_text/record_sources.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/search/events/events.hpp"

namespace inkling {

/// The first characters of a document's text, at most so many, on one line; empty where the pool keeps no texts. Requires: a
/// document of the pool.
[[nodiscard]] std::string beginning_of(const Pool& pool, DocumentId document, std::size_t most_characters);

/// Lifetime: lends both. Thread safety: that of the scope's functions.
class ShownPool {
 public:
  ShownPool(const Pool& pool, const EventScope& scope);

  [[nodiscard]] const Pool& pool() const noexcept { return *pool_; }
  [[nodiscard]] const EventScope& scope() const noexcept { return *scope_; }

  /// How its texts were cut into words, if it was made from texts.
  [[nodiscard]] const std::optional<TextRecipe>& recipe() const noexcept { return recipe_; }

  /// "soil", or "feature 12" in a pool without words. Requires: a feature of the pool.
  [[nodiscard]] std::string word(FeatureId feature) const;
  /// Whether it says nothing by itself (`says_nothing`). Requires: a feature of the pool.
  [[nodiscard]] bool is_common(FeatureId feature) const;
  /// How many documents hold it. Requires: a feature of the pool.
  [[nodiscard]] std::int64_t documents_with(FeatureId feature) const;

  /// Empty where the pool keeps no fields. Requires: a document of the pool.
  [[nodiscard]] RecordHead head(DocumentId document) const;

  /// The file that it came from; empty if the pool was made from one file. Requires: a document of the pool.
  [[nodiscard]] std::string_view file_of(DocumentId document) const;

  /// Each writes one value.
  void write_document(JsonWriter& json, DocumentId document) const;
  void write_word(JsonWriter& json, FeatureId feature) const;
  /// Members, without braces: title, authors, year and links, where the pool keeps fields.
  void write_head(JsonWriter& json, DocumentId document) const;
  /// The number, and the id where the pool has ids.
  void write_id(JsonWriter& json, DocumentId document) const;
  /// The members of a line that shows a document.
  void write_line_members(JsonWriter& json, DocumentId document) const;
  /// "feature" and "word".
  void write_named_word(JsonWriter& json, FeatureId feature) const;

 private:
  void write_id_and_label(JsonWriter& json, DocumentId document) const;
  void write_runs(JsonWriter& json, std::string_view written) const;

  const Pool* pool_;
  const EventScope* scope_;
  std::optional<TextRecipe> recipe_;
  std::vector<FileOfRecords> files_;  // none if there is one
};

}  // namespace inkling
