// Fuzzes lines with decoding: texts are valid, and the same wherever chunks are cut.
#include "io/corpus/source/record_format.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  const SourceOptions options = fuzz::options_of(input, "lines");
  const auto digest = [&](std::uint64_t chunk_bytes) {
    fuzz::Digest found;
    ReadingOptions limits = options.reading;
    limits.chunk_bytes = chunk_bytes;
    fuzz::for_each_chunk(input.text, RecordEnd::every_line, limits, [&](const Chunk& chunk) {
      return parse_lines(chunk, options, [&](const SourceDocument& document) {
        fuzz::check_document(document);
        found.add(document);
      });
    });
    return found;
  };
  fuzz::demand(digest(input.text.size() + 1) == digest(1 + 5 * (input.choices >> 4U)));
  return 0;
}
