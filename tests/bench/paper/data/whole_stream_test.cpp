#include <doctest/doctest.h>

#include "bench/paper/data/reviews.hpp"

namespace inkling::bench {
namespace {

TEST_CASE("a stream is read to its end or the limit and tells whether it is longer") {
  for (const std::size_t size : {0U, 1U, 16383U, 16384U, 16385U, 50000U}) {
    CAPTURE(size);
    const std::string text(size, 'x');
    for (const std::size_t most : {size, size + 1, std::size_t{1} << 40U}) {
      MemoryStream stream(text);
      CHECK(whole_stream(stream, most) == text);
    }
    if (size == 0) continue;
    MemoryStream stream(text);
    CHECK(whole_stream(stream, size - 1).size() > size - 1);
  }
}

}  // namespace
}  // namespace inkling::bench
