// Fuzzes svmlight: rows keep their rules.

#include "io/corpus/matrix/text_matrix.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  MatrixSourceOptions options = {.index_base = input.choice(0) ? 0 : 1};
  if (input.choice(1)) options.features = 100;
  options.reading.skip_bad = input.choice(2);
  if (input.choice(3)) options.reading.most_document_bytes = 16;
  const Chunk chunk = fuzz::chunk_of(input.text);
  MatrixBatch batch;
  const ChunkOutcome outcome = parse_svmlight(chunk, options, batch);
  fuzz::demand(!outcome.problem || !options.reading.skip_bad);
  fuzz::demand(static_cast<std::int64_t>(batch.labels.size()) == batch.rows);
  MatrixEntry last = {.row = -1, .feature = 0, .value = 0};
  for (const MatrixEntry& entry : batch.entries) {
    fuzz::demand(entry.row > last.row || (entry.row == last.row && entry.feature > last.feature));
    fuzz::demand(entry.row < batch.rows && entry.feature >= 0);
    fuzz::demand(!options.features || entry.feature < *options.features);
    fuzz::demand(std::isnormal(entry.value));
    last = entry;
  }
  return 0;
}
