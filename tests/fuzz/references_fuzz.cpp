// Fuzzes RIS, NBIB, BibTeX, mailboxes, Web of Science, EndNote and Embase: texts are valid, and the same wherever chunks are cut.
#include <array>

#include "io/corpus/source/record_format.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  constexpr std::array formats = {"ris", "nbib", "bibtex", "mbox"};
  const fuzz::Input input(data, size);
  SourceOptions options = fuzz::options_of(input, formats[(input.choices >> 4U) & 3U]);
  if (input.text.starts_with("FN ")) options.format = "wos";
  if (input.text.starts_with("%0 ")) options.format = "enw";
  if (input.text.starts_with("\"TITLE\",")) options.format = "embase";
  if (input.choice(3)) options.reading.most_document_bytes = 60;
  const RecordFormat& format = record_format(options.format);
  const auto digest = [&](std::uint64_t chunk_bytes) {
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
  fuzz::demand(digest(input.text.size() + 1) == digest(1 + 5 * (input.choices >> 6U)));
  return 0;
}
