// The page that shows a document: its text, in which the words that the search knows are tinted.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/corpus/fields/record_head.hpp"
#include "io/doors/screen/page.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/session/text_runs.hpp"

namespace inkling {

/// How a word looks, by what is known of it.
using LookOfWord = std::function<Look(FeatureId)>;

/// The look of a word of this learned weight and this mark of the person, either of which may be 0.
[[nodiscard]] Look look_of(double weight, double mark);

/// The text of these runs. A word that is part of a known phrase looks like it, unless it is known itself.
[[nodiscard]] std::vector<StyledPiece> tinted_text(std::span<const TextRun> runs, const LookOfWord& look);

/// A word of a document.
struct DocumentWord {
  FeatureId feature = 0;
  std::string name;  ///< as a terminal may show it
  double value = 0.0;
  Look look = Look::plain;
};

/// Everything on the page. Texts may hold anything: the page makes them visible.
struct DocumentFacts {
  DocumentId document = 0;
  std::optional<std::string> id = {};
  RecordHead head = {};
  std::vector<StyledPiece> title = {};  ///< only if the text began with it; then neither `head` nor `text` has it
  std::int64_t place = 1;               ///< 17 for the 17th document that the person reads
  std::optional<double> rating = {};    ///< if it is rated already
  std::optional<Offer> offer = {};      ///< nothing if the person opened it
  std::optional<double> chance = {};    ///< `Why::chance`, of an offer
  std::optional<std::vector<StyledPiece>> text = {};
  std::vector<DocumentWord> words = {};  ///< shown if there is no text
  std::vector<StyledPiece> marks = {};   ///< marks that the next rating will have
};

/// "Document 4,017: garden-01", as a terminal may show it.
[[nodiscard]] std::string document_heading(DocumentId document, const std::optional<std::string>& id);

/// "1st", "2nd", "11th".
[[nodiscard]] std::string ordinal(std::int64_t number);

/// The page without its bottom, which is the same for every document.
[[nodiscard]] Page document_page(const DocumentFacts& facts, PageSize size);

}  // namespace inkling
