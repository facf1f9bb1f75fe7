#include "engine/core/ordered_pipeline.hpp"

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include <doctest/doctest.h>
#include <tbb/task_arena.h>

#include "tests/support/engine/messages.hpp"

namespace inkling {
namespace {

// The numbers 0, 1, 2, ... up to `count`, each squared by any thread. `fails(stage, number)` says where to fail.
template <typename Fails>
std::vector<int> squares(int count, std::size_t places, const Fails& fails) {
  struct Piece {
    int number = 0;
    int square = 0;
  };
  std::vector<Piece> pieces(places);
  std::vector<int> handed_on;
  int next = 0;
  const auto check = [&](const char* stage, int number) {
    if (fails(std::string(stage), number)) throw std::runtime_error(stage + std::to_string(number));
  };
  ordered_pipeline(
      pieces,
      [&](Piece& piece) {
        if (next == count) return false;
        piece.number = next++;
        check("read ", piece.number);
        return true;
      },
      [&](Piece& piece) {
        if (piece.number % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
        check("work ", piece.number);
        piece.square = piece.number * piece.number;
      },
      [&](const Piece& piece) {
        check("hand on ", piece.number);
        handed_on.push_back(piece.square);
      });
  return handed_on;
}

template <typename Fails>
std::string failure_of_squares(const Fails& fails) {
  return test::error_of<std::runtime_error>([&] { static_cast<void>(squares(100, 5, fails)); });
}

}  // namespace

TEST_CASE("an ordered pipeline hands pieces on in the order in which they were read") {
  const auto never = [](const std::string&, int) { return false; };
  for (const std::size_t places : {1U, 2U, 7U}) {
    const std::vector<int> found = squares(50, places, never);
    REQUIRE(found.size() == 50);
    for (int n = 0; n < 50; ++n) CHECK(found[static_cast<std::size_t>(n)] == n * n);
  }
  CHECK(squares(0, 3, never).empty());
}

TEST_CASE("an ordered pipeline throws the first failure in the order of the pieces") {
  for (const int threads : {1, 2, 8}) {
    tbb::task_arena(threads).execute([] {
      CHECK(failure_of_squares([](const std::string& stage, int n) { return stage == "read " && n == 8; }) == "read 8");
      // Piece 12 is slow, and those after it fail sooner.
      CHECK(failure_of_squares([](const std::string& stage, int n) { return stage == "work " && n >= 12; }) == "work 12");
      CHECK(failure_of_squares([](const std::string& stage, int n) {
              return (stage == "read " && n == 20) || (stage == "work " && n == 19);
            }) == "work 19");
      CHECK(failure_of_squares([](const std::string& stage, int n) { return stage == "hand on " && n == 4; }) == "hand on 4");
    });
  }
}

}  // namespace inkling
