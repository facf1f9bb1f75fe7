// Fuzzes JSONL: texts are valid.
#include "io/corpus/source/record_format.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  const SourceOptions options = fuzz::options_of(input, "jsonl");
  const Chunk chunk = fuzz::chunk_of(input.text);
  const ChunkOutcome outcome = parse_jsonl(chunk, options, fuzz::check_document);
  fuzz::demand(!outcome.problem || !options.reading.skip_bad);
  return 0;
}
