// Runs a fuzz target without a fuzzer: on each file of a folder, and on seeded mutations of them.
#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "engine/core/random_stream.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;
using inkling::RandomStream;

std::vector<Input> inputs_of(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<Input> inputs = {{}};
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

void mutate(Input& input, const std::vector<Input>& others, RandomStream& random) {
  const auto position = [&] { return static_cast<std::ptrdiff_t>(random.below(input.size() + 1)); };
  switch (random.below(5)) {
    case 0:
      if (!input.empty()) input[random.below(input.size())] ^= static_cast<std::uint8_t>(1U << random.below(8));
      break;
    case 1: input.resize(static_cast<std::size_t>(position())); break;
    case 2: input.insert(input.begin() + position(), static_cast<std::uint8_t>(random.below(256))); break;
    case 3: {
      const std::ptrdiff_t first = position();
      const std::ptrdiff_t second = position();
      input.erase(input.begin() + std::min(first, second), input.begin() + std::max(first, second));
      break;
    }
    default: {
      const Input& other = others[random.below(others.size())];
      const auto begin = other.begin() + static_cast<std::ptrdiff_t>(random.below(other.size() + 1));
      const std::ptrdiff_t length = std::min<std::ptrdiff_t>(other.end() - begin, 40);
      input.insert(input.begin() + position(), begin, begin + length);
      break;
    }
  }
}

Input replayed;  // the input that runs now

// Writes the input that broke the target to a file, for a debugger and for the corpus.
void keep_input(int /*signal*/) {
  constexpr const char* path = "fuzz-finding";
  if (std::FILE* file = std::fopen(path, "wb")) {
    static_cast<void>(std::fwrite(replayed.data(), 1, replayed.size(), file));
    static_cast<void>(std::fclose(file));
    static_cast<void>(std::fprintf(stderr, "the input is kept as %s in the folder of this run\n", path));
  }
}

void replay(const Input& input) {
  replayed = input;
  LLVMFuzzerTestOneInput(replayed.data(), replayed.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("expected one argument: the folder of a corpus\n", stderr);
    return 2;
  }
  constexpr int mutations = 4000;
  inkling::fuzz::is_thorough = true;
  const std::vector<Input> inputs = inputs_of(argv[1]);
  std::signal(SIGABRT, keep_input);
  for (const Input& input : inputs) replay(input);
  for (int trial = 0; trial < mutations; ++trial) {
    RandomStream random(1, static_cast<std::uint64_t>(trial), inkling::RandomRole::pool);
    Input input = inputs[random.below(inputs.size())];
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) mutate(input, inputs, random);
    replay(input);
  }
  std::printf("%zu inputs and %d mutations of them\n", inputs.size(), mutations);
  return 0;
}
