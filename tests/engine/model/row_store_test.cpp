// Rows that a model copies do not change with their source, and lent rows are the caller's own.
#include "engine/model/row_store.hpp"

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

struct OwnedRow {
  std::vector<FeatureId> features;
  std::vector<float> values;

  [[nodiscard]] SparseRow view() const { return {features, values}; }
};

OwnedRow random_row(RandomStream& random, std::uint64_t most_entries) {
  OwnedRow row;
  const auto entries = static_cast<std::size_t>(random.below(most_entries + 1));
  row.features.reserve(entries);
  row.values.reserve(entries);
  for (std::size_t n = 0; n < entries; ++n) {
    row.features.push_back(static_cast<FeatureId>(2 * n + random.below(2)));
    row.values.push_back(static_cast<float>(random.normal()));
  }
  return row;
}

bool same_row(SparseRow one, SparseRow other) {
  return std::ranges::equal(one.features, other.features) && std::ranges::equal(one.values, other.values);
}

TEST_CASE("copied rows keep their values and addresses when their source changes and the store moves") {
  RandomStream random(1, 0, RandomRole::documents);
  for (const int most_entries : {0, 3, 100, 5000}) {
    RowStore store(10'000, RowKeeping::copied);
    std::vector<OwnedRow> rows;
    std::vector<SparseRow> places;
    for (std::size_t n = 0; n < 200; ++n) {
      rows.push_back(random_row(random, static_cast<std::uint64_t>(most_entries)));
      OwnedRow given = rows.back();
      store.append(given.view());
      std::ranges::fill(given.values, -1.0F);
      places.push_back(store[n]);
    }
    const RowStore moved = std::move(store);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      CHECK(same_row(moved[n], rows[n].view()));
      CHECK(moved[n].values.data() == places[n].values.data());
    }
  }
}

TEST_CASE("a copied row that does not fit is refused, and nothing of it is kept") {
  RowStore store(5, RowKeeping::copied);
  const OwnedRow good = {{0, 4}, {1.0F, 2.0F}};
  const OwnedRow bad = {{0, 5}, {1.0F, 2.0F}};
  store.append(good.view());
  CHECK_THROWS_AS(store.append(bad.view()), FormatError);
  store.append(good.view());
  CHECK(same_row(store[1], good.view()));
}

TEST_CASE("lent rows are not copied") {
  RowStore store(5, RowKeeping::lent);
  const OwnedRow row = {{0, 4}, {1.0F, 2.0F}};
  store.append(row.view());
  CHECK(store[0].features.unchecked().data() == row.features.data());
  CHECK(store[0].values.data() == row.values.data());
}

}  // namespace
}  // namespace inkling
