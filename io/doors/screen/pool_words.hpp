// The documents and words of a pool as a screen shows them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/open/pool.hpp"
#include "io/doors/screen/document_page.hpp"
#include "io/doors/screen/report_pages.hpp"
#include "io/doors/screen/word_chooser.hpp"

namespace inkling {

/// The word as a terminal may show it, or "feature 12" in a pool without words. Requires: a feature of the pool.
[[nodiscard]] std::string word_shown(const Pool& pool, FeatureId feature);

/// Finds the feature of typed words in this pool: of the word itself, or of what the pool's tokenizer makes of it.
/// Lifetime: lends the pool.
[[nodiscard]] WordLookUp word_look_up(const Pool& pool);

/// Id, record and text of a document (here and below: one of the pool), the words that are known tinted.
[[nodiscard]] DocumentFacts facts_of_document(const Pool& pool, DocumentId document, const LookOfWord& look);

/// The document's words; numbers only if it has no text. Known words first, then those of the largest value in size.
[[nodiscard]] std::vector<DocumentWord> words_of_document(const Pool& pool, DocumentId document, const LookOfWord& look);

/// What a list shows of a document.
[[nodiscard]] DocumentLine document_line(const Pool& pool, const ListedDocument& listed);

/// The document of this number or id. Throws FormatError that says what was expected.
[[nodiscard]] DocumentId document_typed(const Pool& pool, std::string_view typed);

}  // namespace inkling
