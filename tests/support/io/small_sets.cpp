#include "tests/support/io/small_sets.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "io/base/file/output_file.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/open_pool.hpp"

namespace inkling::test {
namespace {

template <typename Value>
std::vector<Value> part_of(const std::vector<Value>& values, std::size_t first, std::size_t end) {
  return {values.begin() + static_cast<std::ptrdiff_t>(first), values.begin() + static_cast<std::ptrdiff_t>(end)};
}

// The labels of these rows, numbered as a build of these rows alone would number them.
void slice_labels(const SmallPool& pool, std::size_t first, std::size_t end, SmallPool& slice) {
  const std::vector<std::int32_t> labels = part_of(pool.labels, first, end);
  std::vector<std::int32_t> renumbered(pool.label_names.size(), -1);
  for (std::size_t name = 0; name < pool.label_names.size(); ++name) {
    if (std::ranges::find(labels, static_cast<std::int32_t>(name)) == labels.end()) continue;
    renumbered[name] = static_cast<std::int32_t>(slice.label_names.size());
    slice.label_names.push_back(pool.label_names[name]);
  }
  if (slice.label_names.empty()) return;
  for (const std::int32_t label : labels) slice.labels.push_back(label < 0 ? -1 : renumbered[static_cast<std::size_t>(label)]);
}

}  // namespace

SmallPool random_worded_pool(const RandomPoolOptions& options, bool with_ids, RandomStream& random) {
  SmallPool pool = random_small_pool(options, random);
  pool.vocabulary.emplace();
  for (std::int32_t n = 0; n < options.features; ++n) pool.vocabulary->push_back(fmt::format("w{:03}", n));
  if (!with_ids) return pool;
  pool.ids.emplace();
  for (std::size_t n = 0; n < pool.rows.size(); ++n) pool.ids->push_back(fmt::format("d{}, \"said\"", n));
  return pool;
}

void add_texts_and_labels(SmallPool& pool, RandomStream& random) {
  pool.texts.emplace();
  pool.label_names = {"garden", "kitchen", "sea"};
  for (std::size_t n = 0; n < pool.rows.size(); ++n) {
    pool.texts->push_back(random.coin(0.2) ? "" : fmt::format("w{:03} and é {}", random.below(9), n));
    pool.labels.push_back(static_cast<std::int32_t>(random.below(4)) - 1);
  }
  for (std::size_t name = 0; name < pool.label_names.size() && name < pool.labels.size(); ++name)
    pool.labels[name] = static_cast<std::int32_t>(name);  // so that each label has a document
  pool.label_names.resize(std::min(pool.label_names.size(), pool.labels.size()));
  for (std::int32_t& label : pool.labels) label = std::min(label, static_cast<std::int32_t>(pool.label_names.size()) - 1);
}

SmallPool slice_of(const SmallPool& pool, std::size_t first, std::size_t end) {
  SmallPool slice = {
      .columns = pool.columns, .rows = part_of(pool.rows, first, end), .vocabulary = pool.vocabulary, .idf = pool.idf};
  if (pool.ids) slice.ids = part_of(*pool.ids, first, end);
  if (pool.texts) slice.texts = part_of(*pool.texts, first, end);
  if (!pool.labels.empty()) slice_labels(pool, first, end, slice);
  if (const auto size = static_cast<std::size_t>(pool.vectors.dimensions); size > 0) {
    slice.vectors = {.dimensions = pool.vectors.dimensions,
                     .codes = part_of(pool.vectors.codes, first * size, end * size),
                     .scales = part_of(pool.vectors.scales, first, end)};
    slice.vector_centre = pool.vector_centre;
  }
  slice.recipe = pool.recipe;
  return slice;
}

CutPool::CutPool(const SmallPool& pool, std::span<const std::size_t> cuts) {
  write_pool(pool, whole());
  std::size_t first = 0;
  for (std::size_t n = 0; n <= cuts.size(); ++n) {
    const std::size_t end = n < cuts.size() ? cuts[n] : pool.rows.size();
    shards_.push_back(file(fmt::format("shard{}", n)));
    write_pool(slice_of(pool, first, end), shards_.back());
    first = end;
  }
  write_set(set(), shards_);
}

std::vector<std::size_t> random_cuts(std::size_t rows, std::size_t shards, RandomStream& random) {
  std::vector<std::size_t> cuts;
  for (std::size_t n = 1; n < shards; ++n) cuts.push_back(random.below(rows + 1));
  std::ranges::sort(cuts);
  return cuts;
}

void write_set(const std::string& path, std::span<const std::string> shards) {
  SetFile set;
  set.program_version = "test";
  for (const std::string& shard : shards) {
    const OpenPool pool(shard);
    set.shards.push_back({.path = std::filesystem::path(shard).filename().string(),
                          .rows = pool.manifest().rows,
                          .first_row = set.rows,
                          .manifest = pool.manifest_checksum()});
    set.rows += pool.manifest().rows;
    set.columns = pool.manifest().columns;
    set.nonzeros += pool.manifest().nonzeros;
  }
  write_file(path, set_file_text(set));
}

}  // namespace inkling::test
