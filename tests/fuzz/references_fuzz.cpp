// Fuzzes the formats of references, such as RIS: texts are valid, and the same wherever chunks are cut.
#include "io/corpus/source/record_format.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  const auto digest = [&](const RecordFormat& format, std::uint64_t chunk_bytes) {
    SourceOptions options = fuzz::options_of(input, std::string(format.name));
    if (input.choice(3)) options.reading.most_document_bytes = 60;
    fuzz::Digest found;
    std::string definitions;
    ReadingOptions limits = options.reading;
    limits.chunk_bytes = chunk_bytes;
    fuzz::for_each_chunk(input.text, format.record_end, limits, [&](Chunk& chunk) {
      chunk.header = std::make_shared<const std::string>(definitions);
      if (format.definitions != nullptr) format.definitions(chunk.bytes.view(), definitions);
      return format.parse(chunk, options, [&](const SourceDocument& document) {
        fuzz::check_document(document);
        fuzz::check_text(document.fields);
        found.add(document);
        found.add(document.fields);
      });
    });
    return found;
  };
  for (const RecordFormat& format : record_formats())
    if (begins_with_mark(format.record_end) || format.record_end == RecordEnd::after_object)
      fuzz::demand(digest(format, input.text.size() + 1) == digest(format, fuzz::small_chunk(input)));
  return 0;
}
