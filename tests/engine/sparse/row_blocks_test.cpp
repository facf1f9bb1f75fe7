#include "engine/sparse/row_blocks.hpp"

#include <limits>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("blocks cover every row once and in order and only the last is shorter") {
  for (const std::int32_t rows : {0, 1, 3, 4, 5, 8, 101}) {
    const RowBlocks blocks(rows, 4);
    DocumentId next = 0;
    for (std::int32_t index = 0; index < blocks.count(); ++index) {
      CHECK(blocks[index].first == next);
      CHECK(blocks[index].size() == (index + 1 < blocks.count() || rows % 4 == 0 ? 4U : static_cast<std::size_t>(rows % 4)));
      next = blocks[index].end;
    }
    CHECK(next == rows);
  }
}

// The obvious formula, (rows + block - 1) / block, overflows here.
TEST_CASE("blocks of the largest pool there can be do not overflow") {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const RowBlocks blocks(most, 4096);
  CHECK(blocks.count() == 524'288);
  CHECK(blocks[blocks.count() - 1].end == most);
}

}  // namespace
}  // namespace inkling
