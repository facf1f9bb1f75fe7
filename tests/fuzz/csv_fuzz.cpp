// Fuzzes CSV and TSV, with a header and without: texts are valid, and the same wherever chunks are cut.
#include "io/corpus/source/record_format.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  const bool commas = input.choice(4);
  SourceOptions options = fuzz::options_of(input, commas ? "csv" : "tsv");
  if (input.choice(5)) options.text_field = "1";
  if (input.choice(4)) options.id_field = "2";
  const RecordFormat& format = record_format(options.format);
  const RecordEnd rule = format.record_end;

  const auto digest = [&](std::uint64_t chunk_bytes) {
    fuzz::Digest found;
    std::shared_ptr<const std::string> header;
    ReadingOptions limits = options.reading;
    limits.chunk_bytes = chunk_bytes;
    fuzz::for_each_chunk(input.text, rule, limits, [&](Chunk& chunk) {
      chunk.header_bytes = 0;
      if (!header) {
        const std::string_view bytes = chunk.bytes.view();
        header = std::make_shared<const std::string>(bytes.substr(0, first_record(bytes, rule)));
        if (has_header_line(options)) chunk.header_bytes = header->size();
      }
      chunk.header = header;
      return format.parse(chunk, options, [&](const SourceDocument& document) {
        fuzz::check_document(document);
        fuzz::check_text(document.fields);
        found.add(document);
      });
    });
    return found;
  };
  fuzz::demand(digest(input.text.size() + 1) == digest(fuzz::small_chunk(input)));
  return 0;
}
