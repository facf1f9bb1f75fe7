// Builds a pool from documents: two passes, bounded memory, the same bytes for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/corpus/from_text/counting_pass.hpp"
#include "io/corpus/from_text/measured_source.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/from_text/weighting_pass.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/corpus/vectors/vector_source.hpp"

namespace inkling {

/// What becomes of a document whose id an earlier one has.
enum class RepeatedIds {
  refused,
  left_out,  ///< the document is kept, without an id
};

/// The parts of a build, in order.
enum class BuildPhase { read, weigh, columns };

struct TextBuildSummary {
  CorpusTotals corpus;
  std::int64_t terms = 0;  ///< different ones, before selection; stop words not counted
  std::int64_t features = 0;
  std::int64_t unused_features = 0;  ///< given ones that no document holds
  std::int64_t nonzeros = 0;
  std::int64_t unspaced_features = 0;  ///< of scripts without blanks, and not cut into words
  std::int32_t dimensions = 0;         ///< of the vectors; 0 without
  std::int64_t copies = 0;             ///< documents noted as one with another
  std::int64_t repeated_ids = 0;       ///< documents without their id, because an earlier one has it
  DroppedTerms dropped;
  std::string pairs;  ///< as `pairs_text` says it; empty where features are given
};

/// What a build of one part must know of the whole corpus, so that the rows of all parts together are those of one pool.
struct ShardOfCorpus {
  std::string origin;               ///< one JSON object for the manifest: which part of which plan this is
  bool has_ids = false;             ///< whether any document of the corpus has an id
  bool has_texts = false;           ///< the same of texts, where they are kept
  bool has_fields = false;          ///< the same of fields
  std::vector<std::string> labels;  ///< of the corpus, ascending
  std::string records = {};         ///< `records_json` of this part; empty: not known
};

struct TextBuildOptions {
  /// Must be made for the corpus (recipe_for_corpus) if features are given with their idf. With kNgramsBySize the source is measured
  /// first.
  TextRecipe recipe;
  std::optional<GivenFeatures> given = {};  ///< if given, the recipe's limits on documents and features are ignored
  TextKeeping texts = TextKeeping::drop;
  /// A row for each document, in their order; nothing: the pool has no vectors.
  std::shared_ptr<const VectorSource> vectors = {};
  std::vector<float> vector_centre = {};  ///< of the pool that this one is like; empty: the mean of these vectors
  SameBy same_by = {};                    ///< in a shard all are kept apart
  RepeatedIds repeated_ids = RepeatedIds::refused;
  /// Opens the source once more, with one record in each chunk, to say where two records of one id are. Empty if the
  /// source can be read only once.
  std::function<std::unique_ptr<DocumentSource>()> read_again = {};
  std::uint64_t memory = std::uint64_t{1} << 30U;  ///< bytes that the process may have resident
  PoolOrigin origin;
  std::optional<ShardOfCorpus> shard = {};
  /// Called when all is read and the features are chosen; a throw ends the build.
  std::function<void(const TextBuildSummary&)> check = [](const TextBuildSummary&) {};
};

/// The least `memory` that a build needs on that number of threads.
[[nodiscard]] std::uint64_t least_build_memory(int threads);

/// The most memory that the different terms of a corpus may take while it is counted.
[[nodiscard]] std::uint64_t memory_for_terms(std::uint64_t memory, int threads);

/// How many threads fit into that memory, at least 1.
[[nodiscard]] int most_build_threads(std::uint64_t memory);

/// Receives the progress of a build, from one thread at a time, any thread; a throw ends the build. In `read` it counts
/// bytes of the sources, in other phases non-zeros.
using BuildProgress = std::function<void(BuildPhase, std::uint64_t done, std::uint64_t total, std::int64_t documents)>;

/// The recipe, with pairs of words or without in place of kNgramsBySize. Reads what it measures into `source`. `memory`: of the
/// build; where texts, ids and fields take more than a quarter of it, there are no pairs. `between` is called now and then.
[[nodiscard]] TextRecipe recipe_for_source(TextRecipe recipe, MeasuredSource& source, std::uint64_t memory,
                                           const std::function<void()>& between);

/// Publishes the pool. Throws FormatError for bad input ("FILE:LINE:COLUMN"), also for a repeated id that is refused, and
/// SystemError; the staging is then to be discarded.
[[nodiscard]] TextBuildSummary build_text_pool(
    DocumentSource& source, const TextBuildOptions& options, PoolStaging& staging,
    const BuildProgress& progress = [](BuildPhase, std::uint64_t, std::uint64_t, std::int64_t) {});

/// What an earlier first pass found out about the documents of a source.
struct CountedDocuments {
  CorpusTotals totals;
  FeatureSelection selection;  ///< by the numbers that terms have in the counts
  std::span<const CountedSegment> segments;
  CountedBytes* counts = nullptr;
  /// What else a pool has of the next documents; false after the last ones. Empty if it was not kept.
  std::function<bool(DocumentStrings&)> strings = {};
};

/// Builds the same pool from documents that were counted before: their text is not cut into terms again, and they are
/// parsed only if nothing but terms was kept. Throws also if the counts are damaged. Requires: features
/// are given with their idf, this is a shard, and `check` compares the source with what was counted.
[[nodiscard]] TextBuildSummary build_counted_pool(
    DocumentSource& source, const CountedDocuments& documents, const TextBuildOptions& options, PoolStaging& staging,
    const BuildProgress& progress = [](BuildPhase, std::uint64_t, std::uint64_t, std::int64_t) {});

struct TextPlan {
  TextBuildSummary summary;
  std::uint64_t pool_bytes = 0;                  ///< of the pool's files, without its manifest
  std::uint64_t scratch_bytes = 0;               ///< at most, of temporary files beside it
  std::vector<std::string> terms;                ///< by feature, ascending
  std::vector<std::int32_t> document_frequency;  ///< by feature
  std::vector<double> idf;                       ///< by feature
  TextRecipe recipe;                             ///< made for the corpus
};

/// Reads all of the source. Throws as build_text_pool does.
[[nodiscard]] TextPlan plan_text_pool(
    DocumentSource& source, const TextBuildOptions& options,
    const BuildProgress& progress = [](BuildPhase, std::uint64_t, std::uint64_t, std::int64_t) {});

}  // namespace inkling
