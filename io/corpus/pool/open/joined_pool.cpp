#include "io/corpus/pool/open/joined_pool.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"

namespace inkling {
namespace {

using PoolsToJoin = std::span<const Pool* const>;

constexpr std::uint64_t kMegabyte = 1'000'000;

template <typename Number>
std::span<const Number> numbers_of(const JoinedArrays::Numbers<Number>& numbers, std::int64_t count) {
  return {numbers.get(), static_cast<std::size_t>(count)};
}

void join_rows(PoolsToJoin pools, std::int64_t nonzeros, JoinedArrays& arrays) {
  const auto size = static_cast<std::size_t>(nonzeros);
  arrays.row_features = std::make_unique_for_overwrite<FeatureId[]>(size);
  arrays.row_values = std::make_unique_for_overwrite<float[]>(size);
  arrays.row_offsets.reserve(static_cast<std::size_t>(arrays.first_rows.back()) + 1);
  arrays.row_offsets.push_back(0);
  for (const Pool* const pool : pools) {
    const CsrView rows = pool->view().by_document;
    const std::int64_t begin = arrays.row_offsets.back();
    for (const std::int64_t end : rows.offsets().subspan(1)) arrays.row_offsets.push_back(begin + end);
    std::ranges::copy(rows.features(), arrays.row_features.get() + begin);
    std::ranges::copy(rows.values(), arrays.row_values.get() + begin);
  }
}

// The postings of a feature are those of the first pool, then those of the second, and so on.
void join_columns(PoolsToJoin pools, std::int64_t nonzeros, JoinedArrays& arrays) {
  const auto size = static_cast<std::size_t>(nonzeros);
  arrays.column_rows = std::make_unique_for_overwrite<DocumentId[]>(size);
  arrays.column_values = std::make_unique_for_overwrite<float[]>(size);
  const auto columns = static_cast<std::size_t>(pools.front()->view().features());
  arrays.column_offsets.assign(columns + 1, 0);
  for (const Pool* const pool : pools) {
    const std::span<const std::int64_t> offsets = pool->view().by_feature.offsets();
    for (std::size_t j = 0; j < offsets.size(); ++j) arrays.column_offsets[j] += offsets[j];
  }
  arrays.document_frequency.reserve(columns);
  for (std::size_t j = 0; j < columns; ++j)
    arrays.document_frequency.push_back(static_cast<std::int32_t>(arrays.column_offsets[j + 1] - arrays.column_offsets[j]));
  const auto join_column = [&](std::size_t j) {
    auto at = static_cast<std::size_t>(arrays.column_offsets[j]);
    for (std::size_t n = 0; n < pools.size(); ++n) {
      const SparseRow postings = pools[n]->view().by_feature.row(static_cast<FeatureId>(j));
      const auto first = static_cast<DocumentId>(arrays.first_rows[n]);
      for (std::size_t entry = 0; entry < postings.size(); ++entry, ++at) {
        arrays.column_rows[at] = first + postings.features[entry];
        arrays.column_values[at] = postings.values[entry];
      }
    }
  };
  constexpr std::size_t few = 256;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, columns, few), [&](const tbb::blocked_range<std::size_t>& range) {
    for (std::size_t j = range.begin(); j != range.end(); ++j) join_column(j);
  });
}

// A document without a label has -1, even if no document of its pool has a label.
void join_labels(PoolsToJoin pools, PoolContents& contents, JoinedArrays& arrays) {
  JoinedLabels joined = joined_labels(pools);
  contents.label_names = std::move(joined.names);
  if (contents.label_names.empty()) return;
  arrays.labels.assign(static_cast<std::size_t>(arrays.first_rows.back()), -1);
  for (std::size_t n = 0; n < pools.size(); ++n) {
    auto row = static_cast<std::size_t>(arrays.first_rows[n]);
    for (DocumentId i = 0; i < pools[n]->manifest().rows; ++i, ++row)
      if (const std::optional<std::size_t> label = pools[n]->label(i)) arrays.labels[row] = joined.numbers[n][*label];
  }
  contents.labels = arrays.labels;
}

template <typename TableOf>
std::optional<StringTable> join_strings(PoolsToJoin pools, const TableOf& table_of, std::span<const std::int64_t> first_rows,
                                        std::vector<StringTable>& parts) {
  bool is_there = false;
  for (const Pool* const pool : pools) {
    const std::optional<StringTable>& table = table_of(*pool);
    is_there |= table.has_value();
    parts.push_back(table.value_or(StringTable()));
  }
  return is_there ? std::optional(StringTable(parts, first_rows)) : std::nullopt;
}

// Only if all shards have them, in the same numbers: those of one plan.
void join_vectors(PoolsToJoin pools, PoolContents& contents, JoinedArrays& arrays) {
  const std::span<const float> centre = pools.front()->vector_centre();
  const auto is_other = [&](const Pool* pool) { return !std::ranges::equal(pool->vector_centre(), centre); };
  if (centre.empty() || std::ranges::any_of(pools, is_other)) return;
  for (const Pool* const pool : pools) {
    const VectorView vectors = pool->view().by_document.vectors();
    arrays.vectors.insert(arrays.vectors.end(), vectors.codes.begin(), vectors.codes.end());
    arrays.vector_scales.insert(arrays.vector_scales.end(), vectors.scales.begin(), vectors.scales.end());
  }
  contents.vector_centre = centre;
  contents.matrix.by_document =
      contents.matrix.by_document.with({static_cast<std::int32_t>(centre.size()), arrays.vectors, arrays.vector_scales});
}

[[noreturn]] void refuse_set(const std::string& path, const std::string& expectation) {
  throw FormatError(path, expectation +
                              "; rank the whole set with inkling score, or search it on several machines "
                              "with inkling.cluster.LiveSearch of the Python package");
}

void check_fits(const std::string& path, std::uint64_t bytes, std::uint64_t memory) {
  if (bytes <= memory) return;
  refuse_set(path, fmt::format("expected a set whose shards fit into memory together: they take {} MB, and there are {} MB",
                               digit_groups(static_cast<std::int64_t>(bytes / kMegabyte)),
                               digit_groups(static_cast<std::int64_t>(memory / kMegabyte))));
}

// Refuses a set that cannot be joined, before any shard is opened.
void check_can_be_joined(const std::string& path, std::uint64_t memory) {
  const SetFile set = read_set_file(path);
  if (set.rows > kMostRowsOrColumns)
    refuse_set(path, fmt::format("expected at most {} documents, which is as many as one search can number, found {}",
                                 digit_groups(kMostRowsOrColumns), digit_groups(set.rows)));
  if (set.shards.size() > 1) check_fits(path, joined_bytes(set), memory);
}

// The same once the shards say whether they have vectors.
void check_vectors_fit(const std::string& path, PoolsToJoin shards, std::uint64_t memory) {
  std::uint64_t bytes = joined_bytes(read_set_file(path));
  for (const Pool* const pool : shards) {
    const VectorView vectors = pool->view().by_document.vectors();
    bytes += vectors.codes.size_bytes() + vectors.scales.size_bytes();
  }
  check_fits(path, bytes, memory);
}

PoolSet open_members(const std::string& path, PoolTrust trust, std::uint64_t memory) {
  if (is_set_file(path)) check_can_be_joined(path, memory);
  return PoolSet::open(std::array{path}, PoolAccess::map, trust);
}

}  // namespace

JoinedLabels joined_labels(std::span<const Pool* const> pools) {
  JoinedLabels joined;
  for (const Pool* const pool : pools)
    joined.names.insert(joined.names.end(), pool->label_names().begin(), pool->label_names().end());
  std::ranges::sort(joined.names);
  const auto repeated = std::ranges::unique(joined.names);
  joined.names.erase(repeated.begin(), repeated.end());
  for (const Pool* const pool : pools) {
    std::vector<std::int32_t>& numbers = joined.numbers.emplace_back();
    for (const std::string& name : pool->label_names()) {
      const auto found = std::ranges::lower_bound(joined.names, name);
      numbers.push_back(static_cast<std::int32_t>(found - joined.names.begin()));
    }
  }
  return joined;
}

std::uint64_t joined_bytes(const SetFile& set) {
  constexpr std::uint64_t each_entry = 2 * (sizeof(FeatureId) + sizeof(float));
  constexpr std::uint64_t each_place = sizeof(std::int64_t);
  // A row takes its offset, here and in its shard, and its label.
  constexpr std::uint64_t each_row = 2 * each_place + sizeof(std::int32_t);
  // The offset of its postings and its document frequency; in each shard the offsets of its postings and of its word.
  const std::uint64_t each_column = each_place + sizeof(std::int32_t) + 2 * each_place * set.shards.size();
  return each_entry * static_cast<std::uint64_t>(set.nonzeros) + each_row * static_cast<std::uint64_t>(set.rows) +
         each_column * static_cast<std::uint64_t>(set.columns);
}

PoolContents joined_contents(std::span<const Pool* const> pools, SetCopies copies, JoinedArrays& arrays) {
  assert(!pools.empty());
  const Pool& first = *pools.front();
  PoolContents contents;
  contents.manifest = {.columns = first.manifest().columns,
                       .program_version = first.manifest().program_version,
                       .recipe = first.manifest().recipe,
                       .files = {}};
  arrays.first_rows = {0};
  for (const Pool* const pool : pools) {
    contents.manifest.rows += pool->manifest().rows;
    contents.manifest.nonzeros += pool->manifest().nonzeros;
    arrays.first_rows.push_back(contents.manifest.rows);
  }
  const std::int64_t nonzeros = contents.manifest.nonzeros;
  join_rows(pools, nonzeros, arrays);
  join_columns(pools, nonzeros, arrays);
  contents.matrix.by_document = {static_cast<std::int32_t>(contents.manifest.columns), arrays.row_offsets,
                                 numbers_of(arrays.row_features, nonzeros), numbers_of(arrays.row_values, nonzeros)};
  contents.matrix.by_feature = {static_cast<std::int32_t>(contents.manifest.rows), arrays.column_offsets,
                                numbers_of(arrays.column_rows, nonzeros), numbers_of(arrays.column_values, nonzeros)};
  contents.vocabulary = first.vocabulary();
  contents.document_frequency = arrays.document_frequency;
  contents.idf = first.idf();
  contents.ids = join_strings(
      pools, [](const Pool& pool) -> const auto& { return pool.ids(); }, arrays.first_rows, arrays.ids);
  contents.texts = join_strings(
      pools, [](const Pool& pool) -> const auto& { return pool.texts(); }, arrays.first_rows, arrays.texts);
  contents.fields = join_strings(
      pools, [](const Pool& pool) -> const auto& { return pool.fields(); }, arrays.first_rows, arrays.fields);
  join_labels(pools, contents, arrays);
  join_vectors(pools, contents, arrays);
  for (std::size_t n = 0; n < copies.rows.size(); ++n)
    arrays.copies.add(static_cast<DocumentId>(copies.rows[n]), static_cast<DocumentId>(copies.originals[n]));
  contents.copies = arrays.copies.view();
  for (const Pool* const pool : pools) pool->check_unchanged();
  return contents;
}

WholePool::WholePool(const std::string& path, PoolTrust trust, std::uint64_t memory)
    : members_(open_members(path, trust, memory)) {
  if (members_.is_one_pool()) return;
  std::vector<const Pool*> shards;
  for (std::size_t n = 0; n < members_.pools(); ++n) shards.push_back(&members_.mapped(n));
  check_vectors_fit(path, shards, memory);
  joined_ = std::make_unique<const Pool>(Pool::join(path, shards, members_.copies()));
}

}  // namespace inkling
