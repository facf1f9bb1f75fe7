// A word in a file of events means the same to `score` and to `search`.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/core/random_stream.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

// Some words of the tiny corpus.
constexpr const char* kWords[] = {"soil", "compost", "ferry", "week", "harden"};

class RandomFile {
 public:
  RandomFile(std::uint64_t number, std::uint64_t documents) : random_(41, number, RandomRole::reward), documents_(documents) {}

  // Random events with each document at most once.
  [[nodiscard]] std::string text() {
    std::string lines;
    for (std::uint64_t document = 0; document < documents_; ++document) {
      if (random_.coin(0.2)) lines += fmt::format("{{\"features\":[{}]}}\n", words(1 + random_.below(2)));
      if (random_.coin(0.4))
        lines += fmt::format("{{\"document\":{},\"reward\":{},\"features\":[{}],\"note\":\"n\"}}\n", document,
                             random_.coin(0.5) ? 1 : 0, words(random_.below(4)));
    }
    return lines;
  }

 private:
  std::string words(std::uint64_t count) {
    std::string list;
    for (; count > 0; --count) {
      constexpr const char* ratings[] = {"", ",\"reward\":1", ",\"reward\":0.5", ",\"reward\":-1"};
      list += fmt::format("{}{{\"feature\":\"{}\"{},\"confidence\":{}}}", list.empty() ? "" : ",",
                          kWords[random_.below(std::size(kWords))], ratings[random_.below(4)], random_.coin(0.5) ? "1" : "0.25");
    }
    return list;
  }

  RandomStream random_;
  std::uint64_t documents_;
};

double number_after(std::string_view line, std::string_view name) {
  const std::string member = fmt::format("\"{}\":", name);
  const std::size_t at = line.find(member);
  REQUIRE(at != std::string_view::npos);
  double number = 0.0;
  std::from_chars(line.data() + at + member.size(), line.data() + line.size(), number);
  return number;
}

std::vector<std::string> output_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

TEST_CASE_FIXTURE(InFolder, "search --import has for every document the mean that score --events prints") {
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", kTinyCorpus, "--keep-text", "--out", pool}).exit_code == 0);
  constexpr std::uint64_t documents = 8;
  std::string asks;
  for (std::uint64_t i = 0; i < documents; ++i) asks += fmt::format("{{\"why\":true,\"document\":{}}}\n", i);
  const std::string input = write(folder.file("asks"), asks);
  int compared = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    const std::string policy = number % 3 == 0 ? "ff-oful" : number % 3 == 1 ? "inkling" : "soft-marks";
    const std::string text = RandomFile(number, documents).text();
    CAPTURE(policy);
    CAPTURE(text);
    const std::string events = write(folder.file("events.jsonl"), text);
    const ProgramResult scored = succeeded(inkling(
        {"score", pool, "--events", events, "--policy", policy, "--top", "20", "--with-replacement", "--format", "jsonl"}));
    std::map<double, double> means;
    for (const std::string& line : output_lines(scored.out)) means[number_after(line, "document")] = number_after(line, "mean");
    const ProgramResult searched =
        succeeded(run_program("/bin/sh",
                              {"-c", R"(exec "$0" search "$@" < "$INPUT")", kInklingProgram, pool, "--searches",
                               folder.file(fmt::format("{}.search", number)), "--policy", policy, "--import", events},
                              {"INPUT=" + input}));
    for (const std::string& line : output_lines(searched.out)) {
      const double mean = number_after(line, "mean");
      const double expected = means.at(number_after(line, "document"));
      REQUIRE(std::fabs(mean - expected) <= 1e-6 * std::max(1.0, std::fabs(expected)));
      ++compared;
    }
  }
  CHECK(compared == 60 * static_cast<int>(documents));
}

}  // namespace
}  // namespace inkling::test
