// Fuzzes MatrixMarket, header and entries: entries lie within the declared shape.

#include "io/corpus/matrix/text_matrix.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  Chunk chunk = fuzz::chunk_of(input.text);
  MatrixMarketHeaderParser parser;
  while (!parser.done()) {
    const std::string_view rest = chunk.bytes.view().substr(chunk.header_bytes);
    if (rest.empty()) return 0;
    const std::string_view line = rest.substr(0, first_record(rest, RecordEnd::every_line));
    chunk.header_bytes += line.size();
    if (parser.take_line(without_line_end(line))) return 0;
  }
  const MatrixMarketHeader& header = parser.header();
  MatrixSourceOptions options;
  options.reading.skip_bad = input.choice(0);
  MatrixBatch batch;
  const ChunkOutcome outcome = parse_matrix_market(chunk, header, options, batch);
  fuzz::demand(!outcome.problem || !options.reading.skip_bad);
  for (const MatrixEntry& entry : batch.entries) {
    fuzz::demand(entry.row >= 0 && entry.row < header.rows);
    fuzz::demand(entry.feature >= 0 && entry.feature < header.columns);
    fuzz::demand(std::isnormal(entry.value));
  }
  return 0;
}
