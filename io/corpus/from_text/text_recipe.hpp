// How text becomes a weighted matrix: every choice, with the defaults that search best.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "engine/core/portable_math.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/text/tokenizer.hpp"

namespace inkling {

/// A number of documents, or a share of them; a share may have a least number.
struct DocumentThreshold {
  enum class Kind { count, share };

  Kind kind = Kind::count;
  double value = 1.0;
  double at_least = 0.0;

  /// The number of documents for a corpus of that size; a share may give a fraction of a document.
  [[nodiscard]] double documents(std::int64_t corpus) const {
    const double wanted = kind == Kind::count ? value : value * static_cast<double>(corpus);
    return std::max(wanted, at_least);
  }

  bool operator==(const DocumentThreshold&) const = default;
};

enum class TermWeight {
  raw,        ///< the count
  sublinear,  ///< 1 + ln(count)
  binary,     ///< 1
};
inline constexpr EnumName<TermWeight> kTermWeightNames[] = {
    {TermWeight::raw, "raw"}, {TermWeight::sublinear, "sublinear"}, {TermWeight::binary, "binary"}};

enum class IdfKind {
  smooth,  ///< ln((1 + N) / (1 + df)) + 1
  plain,   ///< ln(N / df) + 1
  none,    ///< 1
};
inline constexpr EnumName<IdfKind> kIdfNames[] = {
    {IdfKind::smooth, "smooth"}, {IdfKind::plain, "plain"}, {IdfKind::none, "none"}};

enum class RowNorm { l2, l1, none };
inline constexpr EnumName<RowNorm> kRowNormNames[] = {{RowNorm::l2, "l2"}, {RowNorm::l1, "l1"}, {RowNorm::none, "none"}};

/// The highest title weight: how often a word of a title may count.
inline constexpr std::int32_t kMostTitleWeight = 100;

/// Placeholder for the length of the longest run of tokens until it is known how much text there is: see
/// `TextRecipe::choose_ngrams`.
inline constexpr std::int32_t kNgramsBySize = 0;
/// By default, pairs of words are terms where all texts take at most so many bytes, however they are packed and handed over:
/// searches find more by them, but each pair takes memory.
inline constexpr std::uint64_t kMostBytesForPairs = std::uint64_t{64} << 20U;

/// The most tokens of a term.
inline constexpr std::int32_t kLongestNgram = 16;

/// Every command and Python take their defaults from here, but they choose n-grams by the size of the source.
struct TextRecipe {
  TokenOptions tokens;
  std::vector<std::string> stop_words;  ///< ascending, as tokens come out of the tokenizer
  std::int32_t shortest_ngram = 1;      ///< a feature is a run of at least that many tokens, joined by spaces
  std::int32_t longest_ngram = 1;
  std::int32_t title_weight = 3;  ///< the first field of a text counts so often, if there are several
  DocumentThreshold min_documents = {};
  /// A run of several words needs so many documents to be a feature. If this is more than 1, every run that is not a
  /// feature still counts in the length of its row, as if a single document held it (counts_other_runs).
  std::int64_t min_documents_of_runs = 3;
  /// Leaves out the words of nearly all documents; a pool of fewer than 20 documents loses none.
  DocumentThreshold max_documents = {.kind = DocumentThreshold::Kind::share, .value = 0.95, .at_least = 19.0};
  std::optional<std::int64_t> max_features;   ///< the most frequent ones; ties go to the first in order
  TermWeight weight = TermWeight::sublinear;  ///< a word that comes ten times does not weigh ten times as much
  IdfKind idf = IdfKind::smooth;
  RowNorm norm = RowNorm::l2;
  /// The idf of runs that count only in the lengths of rows. It is 0 until the number of documents is known, and if no
  /// such runs count.
  double idf_of_other_runs = 0.0;

  [[nodiscard]] bool counts_other_runs() const noexcept { return longest_ngram > 1 && min_documents_of_runs > 1; }
  /// Whether the most frequent features are those that most documents hold, because a word counts only once in each.
  [[nodiscard]] bool ranks_by_documents() const noexcept { return weight == TermWeight::binary; }
  /// Replaces kNgramsBySize: chooses words and pairs of words where there is little text, else words.
  void choose_ngrams(bool has_little_text) noexcept;
  /// The defaults of scikit-learn's TfidfVectorizer.
  [[nodiscard]] static TextRecipe like_scikit_learn();

  bool operator==(const TextRecipe&) const = default;
};

/// As people read it: "5", "50%", or "95%, or 19 documents if that is more".
[[nodiscard]] std::string threshold_text(const DocumentThreshold& threshold);
/// How many tokens a term has, as an option gives it: "1", or "1,2".
[[nodiscard]] std::string ngrams_text(const TextRecipe& recipe);
/// Whether pairs of words are terms, and what the other choice would take (bench/speed/RESULTS.md). Empty for other lengths of terms.
[[nodiscard]] std::string pairs_text(const TextRecipe& recipe);

/// idf of a term that `document_frequency` of `documents` hold. With IdfKind::plain a term that none of them holds
/// counts as one that a single document holds, because ln(N / 0) is no number.
/// Requires: 0 <= document_frequency <= documents.
[[nodiscard]] double inverse_document_frequency(IdfKind kind, std::int64_t documents, std::int64_t document_frequency);

/// The recipe made for a corpus of that size: with `idf_of_other_runs`, if such runs count.
[[nodiscard]] TextRecipe recipe_for_corpus(TextRecipe recipe, std::int64_t documents);

/// The weight of a term that a document holds `count` times, before idf and norm. Requires: count >= 1.
[[nodiscard]] inline double term_weight(TermWeight kind, std::uint32_t count) {
  if (count == 1 || kind == TermWeight::binary) return 1.0;
  const auto times = static_cast<double>(count);
  return kind == TermWeight::raw ? times : 1.0 + natural_log(times);
}

/// Where the content of a pool came from, for its manifest.
struct PoolOrigin {
  std::vector<std::string> sources;  ///< as the manifest shall name them
  std::string format;
  std::string program_version;
};

/// Opens the object that a manifest has as its recipe, with the members that say where the pool came from.
void begin_manifest_recipe(JsonWriter& json, const PoolOrigin& origin);

/// The recipe as the text of one JSON object, for a pool's manifest.
[[nodiscard]] std::string recipe_json(const TextRecipe& recipe);

/// The recipe that a pool's manifest holds under "text", or nothing for a pool that was not made from text.
/// Throws FormatError if it is invalid.
[[nodiscard]] std::optional<TextRecipe> recipe_of_manifest(std::string_view manifest_recipe);
/// The same for the pool at a path; throws CorruptFileError, which names the manifest.
[[nodiscard]] std::optional<TextRecipe> recipe_of_pool(const std::string& path, const Manifest& manifest);

}  // namespace inkling
