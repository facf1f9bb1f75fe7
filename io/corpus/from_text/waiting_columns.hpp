// The columns of a matrix made from text, which wait until all rows have come: four bytes an entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/base/file/large_memory.hpp"
#include "io/corpus/from_text/columns_of_block.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/write/grouped_entries.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling {

/// The norms by which the values of rows were divided, in order, which columns need when they are formed: in memory, or in a
/// temporary file if they need too much of it.
class RowNorms {
 public:
  /// `memory`: bytes that they may take.
  RowNorms(const PoolStaging& staging, std::uint64_t memory) : staging_(staging), memory_(memory) {}

  void append(std::span<const double> norms);
  /// The norms of a group of rows; they may lie in `buffer`. Lifetime: as long as this and the buffer. Thread safety: any
  /// thread, each with its own buffer, after the last append().
  [[nodiscard]] const double* of_group(std::uint32_t group, std::vector<double>& buffer) const;

 private:
  const PoolStaging& staging_;
  std::uint64_t memory_;
  std::vector<double> kept_;
  std::optional<ScratchFile> scratch_;  // holds all norms if `kept_` cannot
};

/// Features are cut into parts. The entries of each part are gathered in chunks, which go to a scratch file when memory
/// is spent; at the end each part is sorted by feature, several parts in parallel. The entries that come out depend only
/// on those that came in; how they are cut into EntryGroups may differ. Thread safety: one thread at a time. Lifetime:
/// the staging outlives it.
class WaitingColumns {
 public:
  /// `counts`: how many entries each feature has, exactly; `idf`: by feature. `memory`: bytes that it may use, about
  /// 24 a feature not counted.
  WaitingColumns(const PoolStaging& staging, const TextRecipe& recipe, std::vector<std::int64_t> counts, std::vector<double> idf,
                 std::uint64_t memory);
  ~WaitingColumns();
  WaitingColumns(const WaitingColumns&) = delete;
  WaitingColumns& operator=(const WaitingColumns&) = delete;

  [[nodiscard]] std::size_t parts() const noexcept;
  /// By feature, where its entries wait.
  [[nodiscard]] std::vector<ColumnPlace> places() const;

  /// Requires: the blocks of all rows, in order, each begun with the number of parts.
  void append(const ColumnsOfBlock& block);

  /// Hands over all columns in ascending order of features, the rows of each ascending. `consume` is called from one
  /// thread at a time. Requires: called once.
  /// Throws std::logic_error if the entries that came were not as many as `counts` says.
  void take(const std::function<void(const EntryGroups&)>& consume);

 private:
  struct Part;
  struct LaidPart;
  struct Chunk;
  class Decoder;

  void cut_into_parts();
  void append(Part& part, std::span<const std::uint32_t> words);
  void make_room(Part& part);
  [[nodiscard]] std::uint32_t* new_chunk();
  template <typename Visit>
  void visit_chunks(const Part& part, const Visit& visit) const;
  void prefetch(const Part& part) const;
  void forget(Part& part) const;
  [[nodiscard]] std::span<const std::int64_t> sizes_of(const Part& part) const;
  void lay_out(LaidPart& laid) const;
  void stream(const Part& part, const std::function<void(const EntryGroups&)>& consume) const;
  void hand_over(const LaidPart& laid, const std::function<void(const EntryGroups&)>& consume) const;

  const PoolStaging& staging_;
  const TermWeight weight_;
  const std::vector<std::int64_t> counts_;
  const std::vector<double> idf_;
  const std::int64_t part_entries_;
  std::vector<Part> parts_;
  RowNorms norms_;
  std::size_t chunk_words_ = 0;
  std::size_t chunks_left_ = 0;  // how many more may stay in memory
  std::size_t parts_at_once_ = 1;
  std::vector<LargeArray<std::uint32_t>> slabs_;  // chunks are cut from these; the last one has room left
  std::size_t cut_of_slab_ = 0;
  std::optional<ScratchFile> scratch_;
};

}  // namespace inkling
