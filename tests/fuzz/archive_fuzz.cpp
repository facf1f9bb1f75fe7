// Fuzzes the reading of a file, packed in any way, up to its documents: damage is a FormatError, no limit is exceeded, and
// reading twice gives the same.
#include <memory>
#include <string>

#include "engine/core/errors.hpp"
#include "io/corpus/source/document_source.hpp"
#include "tests/fuzz/file_in_memory.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace {

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

constexpr std::uint64_t kMostUnpacked = std::uint64_t{1} << 20U;

// The documents of a source, or whether it was refused.
struct Outcome {
  fuzz::Digest digest;
  std::uint64_t bytes = 0;
  bool refused = false;

  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(const std::string& path, const SourceOptions& options) {
  Outcome outcome;
  try {
    const std::unique_ptr<DocumentSource> source = open_source({path}, options);
    Chunk chunk;
    while (source->read(chunk)) {
      const ChunkOutcome parsed = source->parse(chunk, [&](const SourceDocument& document) {
        fuzz::check_document(document);
        outcome.digest.add(document);
        outcome.bytes += document.text.size();
      });
      if (parsed.problem) break;
    }
  } catch (const FormatError&) {
    outcome.refused = true;
  }
  return outcome;
}

SourceOptions source_options_of(const fuzz::Input& input) {
  constexpr const char* formats[] = {"dir", "lines", "jsonl", "csv"};
  SourceOptions options = fuzz::options_of(input, formats[(input.choices >> 4U) & 3U]);
  options.reading.chunk_bytes = 4096;
  options.reading.unpacking = {.most_expansion = 50.0,
                               .most_unpacked_bytes = kMostUnpacked,
                               .free_bytes = std::uint64_t{1} << 16U,
                               .most_memory = std::uint64_t{4} << 20U};
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Input input(data, size);
  static const fuzz::FileInMemory file;
  file.fill(input.text);
  const SourceOptions options = source_options_of(input);
  const Outcome outcome = outcome_of(file.path(), options);
  // A byte that is not UTF-8 becomes three bytes, and one of Latin-1 two. There is no limit for files that are not packed.
  fuzz::demand(outcome.bytes <= 3 * (kMostUnpacked + input.text.size()));
  fuzz::demand(outcome_of(file.path(), options) == outcome);
  return 0;
}
