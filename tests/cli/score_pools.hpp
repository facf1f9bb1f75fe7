// Pools and events for tests of `inkling score` as a program.
#pragma once

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "engine/core/random_stream.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {

/// The tiny corpus as a pool, and three events on it.
struct TinyPool {
  TinyPool() {
    REQUIRE(inkling({"build", kTinyCorpus, "--ngrams", "1", "--out", pool}).exit_code == 0);
    write(events,
          "{\"document\":0,\"reward\":1,\"features\":[\"soil\"]}\n"
          "{\"document\":5,\"reward\":-0.5}\n"
          "{\"document\":1,\"reward\":0.75,\"features\":[\"the\",\"compost\"]}\n");
  }
  [[nodiscard]] ProgramResult score(const Args& more) const { return inkling(Args{"score", pool, "--events", events} + more); }

  TemporaryFolder folder;
  std::string pool = folder.file("tiny");
  std::string events = folder.file("me.jsonl");
};

struct InTinyPool {
  const TinyPool tiny;
};

/// Rows of random words as svmlight, cut into shards, and events of several users on them.
class RandomPools {
 public:
  static constexpr int rows = 3000;

  explicit RandomPools(int words = 60) : words_(words) {
    std::string vocabulary;
    for (int j = 0; j < words; ++j) vocabulary += fmt::format("w{:03}\n", j);
    write(vocabulary_, vocabulary);
    for (int i = 0; i < rows; ++i) lines_.push_back(row());
  }

  /// The rows [first, end) as a pool.
  [[nodiscard]] std::string pool(int first, int end) {
    std::string name = folder_.file(fmt::format("pool{}-{}", first, end));
    std::string text;
    for (int i = first; i < end; ++i) text += lines_[static_cast<std::size_t>(i)];
    write(folder_.file("rows.svm"), text);
    const ProgramResult built = inkling(
        {"build", folder_.file("rows.svm"), "--vocabulary", vocabulary_, "--features", std::to_string(words_), "--out", name});
    CAPTURE(built.err);
    REQUIRE(built.exit_code == 0);
    return name;
  }

  [[nodiscard]] std::string events(int user, int count = 30) {
    RandomStream random(31, static_cast<std::uint64_t>(user), RandomRole::reward);
    std::string text;
    const int stride = rows / count;
    const auto words = static_cast<std::uint64_t>(words_);
    for (int n = 0; n < count; ++n) {
      const int document = stride * n + static_cast<int>(random.below(static_cast<std::uint64_t>(stride)));
      const double reward = random.normal();
      const std::uint64_t word = random.below(words);
      text += fmt::format("{{\"document\":{},\"reward\":{},\"features\":[\"w{:03}\",{}]}}\n", document, reward, word,
                          random.below(words));
    }
    return write(folder_.file(fmt::format("user{}.jsonl", user)), text);
  }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  std::string row() {
    std::string line = "0";
    for (int j = 0; j < words_; ++j)
      if (random_.coin(0.1)) line += fmt::format(" {}:{}", j + 1, 0.5 + random_.uniform());
    return line + "\n";
  }

  TemporaryFolder folder_;
  int words_;
  std::string vocabulary_ = folder_.file("words");
  std::vector<std::string> lines_;
  RandomStream random_{30, 0, RandomRole::pool};
};

}  // namespace inkling::test
