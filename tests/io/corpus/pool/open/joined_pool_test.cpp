#include "io/corpus/pool/open/joined_pool.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/small_sets.hpp"

namespace inkling {
namespace {

template <typename Number>
std::vector<Number> all_of_span(std::span<const Number> numbers) {
  return {numbers.begin(), numbers.end()};
}

std::string difference_of_pools(const Pool& joined, const Pool& whole) {
  if (!test::same_matrix(joined.view().by_document, whole.view().by_document)) return "rows";
  if (!test::same_matrix(joined.view().by_feature, whole.view().by_feature)) return "columns";
  if (test::strings_of(joined.vocabulary()) != test::strings_of(whole.vocabulary())) return "words";
  if (test::strings_of(joined.ids()) != test::strings_of(whole.ids())) return "ids";
  if (test::strings_of(joined.texts()) != test::strings_of(whole.texts())) return "texts";
  if (test::strings_of(joined.fields()) != test::strings_of(whole.fields())) return "fields";
  if (joined.label_names() != whole.label_names()) return "label names";
  if (all_of_span(joined.labels()) != all_of_span(whole.labels())) return "labels";
  if (all_of_span(joined.document_frequency()) != all_of_span(whole.document_frequency())) return "frequency";
  if (all_of_span(joined.idf()) != all_of_span(whole.idf())) return "idf";
  if (joined.manifest().recipe != whole.manifest().recipe) return "recipe";
  if (joined.manifest().rows != whole.manifest().rows) return "number of rows";
  if (joined.manifest().nonzeros != whole.manifest().nonzeros) return "number of entries";
  for (DocumentId row = 0; row < whole.view().documents(); ++row)
    if (joined.id(row) != whole.id(row)) return "id";
  return "";
}

test::SmallPool any_labelled_pool(RandomStream& random) {
  const test::RandomPoolOptions options = {
      .documents = test::between(1, 60, random), .features = test::between(1, 25, random), .density = 0.3, .degenerate = true};
  test::SmallPool pool = test::random_worded_pool(options, random.coin(0.5), random);
  if (random.coin(0.6)) test::add_texts_and_labels(pool, random);
  if (random.coin(0.5)) pool.idf.emplace(pool.vocabulary->size(), 1.5);
  return pool;
}

std::string refusal_of_set(const std::string& path, std::uint64_t memory = memory_of_machine()) {
  return test::error_of([&] { const WholePool whole(path, PoolTrust::checksums, memory); });
}

TEST_CASE("the joined shards of a set equal the pool that was cut in all that a pool has") {
  test::each_case(1601, 60, [&](RandomStream& random) {
    const test::SmallPool pool = any_labelled_pool(random);
    const std::size_t shards = 1 + random.below(6);
    const test::CutPool cut(pool, test::random_cuts(pool.rows.size(), shards, random));
    const WholePool joined(cut.set(), PoolTrust::checksums);
    const WholePool whole(cut.whole(), PoolTrust::checksums);
    CHECK(joined.members().pools() == shards);
    CHECK(whole.members().pools() == 1);
    CHECK(difference_of_pools(joined.pool(), whole.pool()) == "");
    CHECK_NOTHROW(joined.pool().check_unchanged());
  });
}

TEST_CASE("documents of a shard without ids and texts and labels have none in the set and others keep theirs") {
  RandomStream random = test::stream_for(1602);
  test::SmallPool pool = test::random_worded_pool({.documents = 12, .features = 6}, true, random);
  test::add_texts_and_labels(pool, random);
  const std::vector<std::size_t> cuts = {4, 8};
  const test::CutPool cut(pool, cuts);
  test::SmallPool bare = test::slice_of(pool, 4, 8);
  bare.ids.reset();
  bare.texts.reset();
  bare.labels.clear();
  bare.label_names.clear();
  std::filesystem::remove_all(cut.shards()[1]);
  test::write_pool(bare, cut.shards()[1]);
  test::write_set(cut.set(), cut.shards());
  const WholePool whole(cut.set(), PoolTrust::checksums);
  for (DocumentId row = 0; row < 12; ++row) {
    CAPTURE(row);
    const auto at = static_cast<std::size_t>(row);
    const bool is_bare = row >= 4 && row < 8;
    CHECK(whole.pool().id(row) == (is_bare ? std::nullopt : std::optional((*pool.ids)[at])));
    CHECK((*whole.pool().texts())[row] == (is_bare ? "" : (*pool.texts)[at]));
    const std::int32_t label = whole.pool().labels()[at];
    const std::int32_t expected = is_bare ? -1 : pool.labels[at];
    CHECK((label < 0) == (expected < 0));
    if (label >= 0)
      CHECK(whole.pool().label_names()[static_cast<std::size_t>(label)] == pool.label_names[static_cast<std::size_t>(expected)]);
  }
}

TEST_CASE("a set that one search cannot hold is refused with what to do, before a shard is opened") {
  RandomStream random = test::stream_for(1603);
  const test::SmallPool pool = test::random_worded_pool({.documents = 30, .features = 6}, true, random);
  const std::vector<std::size_t> cuts = {10};
  const test::CutPool cut(pool, cuts);
  const std::uint64_t bytes = joined_bytes(read_set_file(cut.set()));
  CHECK(refusal_of_set(cut.set(), bytes) == "none");
  for (const std::string& shard : cut.shards()) std::filesystem::remove_all(shard);
  const std::string large = refusal_of_set(cut.set(), bytes - 1);
  CHECK(large.find("fit into memory together") != std::string::npos);
  CHECK(large.find("inkling score") != std::string::npos);

  SetFile set = read_set_file(cut.set());
  set.shards[0].rows = set.shards[1].first_row = kMostRowsOrColumns;
  set.rows = kMostRowsOrColumns + set.shards[1].rows;
  write_file(cut.file("many.json"), set_file_text(set));
  CHECK(refusal_of_set(cut.file("many.json")).find("at most 2,147,483,647 documents") != std::string::npos);
}

TEST_CASE("a set whose vectors do not fit beside its words is refused") {
  RandomStream random = test::stream_for(1605);
  test::SmallPool pool = test::random_worded_pool({.documents = 30, .features = 6}, true, random);
  pool.vectors = {.dimensions = 1, .codes = std::vector<std::int8_t>(30, 127), .scales = std::vector<float>(30, 1.0F / 127.0F)};
  pool.vector_centre = {0.5F};
  const std::vector<std::size_t> cuts = {10};
  const test::CutPool cut(pool, cuts);
  const std::uint64_t bytes = joined_bytes(read_set_file(cut.set())) + 30 * (sizeof(std::int8_t) + sizeof(float));
  CHECK(refusal_of_set(cut.set(), bytes) == "none");
  CHECK(refusal_of_set(cut.set(), bytes - 1).find("fit into memory together") != std::string::npos);
}

// Whether a change of a file of a joined shard is reported.
void check_reported(const std::function<void(const std::string& file)>& change) {
  RandomStream random = test::stream_for(1604);
  const test::SmallPool pool = test::random_worded_pool({.documents = 30, .features = 6}, true, random);
  const std::vector<std::size_t> cuts = {10, 20};
  const test::CutPool cut(pool, cuts);
  const WholePool whole(cut.set(), PoolTrust::checksums);
  CHECK_NOTHROW(whole.pool().check_unchanged());
  change(pool_file_path(cut.shards()[2], PoolFile::row_values));
  CHECK_THROWS_AS(whole.pool().check_unchanged(), CorruptFileError);
  CHECK_THROWS_AS(WholePool(cut.set(), PoolTrust::checksums), CorruptFileError);
}

TEST_CASE("a shard that is overwritten after joining is reported") {
  check_reported([](const std::string& file) {
    test::flip_bit_of(file, 8 * 130);
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  });
}

TEST_CASE("a shard that is cut after joining is reported") {
  check_reported([](const std::string& file) { std::filesystem::resize_file(file, 130); });
}

}  // namespace
}  // namespace inkling
