// Any bytes are counted documents or none; what is read can be written and read again as the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "io/corpus/terms/term_counts.hpp"

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  TermCountsReader reader(std::as_bytes(std::span(data, size)));
  TermCountsWriter writer;
  std::vector<std::vector<TermCount>> documents;
  while (!reader.at_end()) {
    const std::optional<std::span<const TermCount>> document = reader.next();
    if (!document) break;
    for (const TermCount& entry : *document)
      if (entry.count == 0 || entry.term > 0x7FFFFFFFU) std::abort();
    writer.append(*document);
    documents.emplace_back(document->begin(), document->end());
  }
  TermCountsReader again(writer.bytes());
  for (const std::vector<TermCount>& document : documents) {
    const std::optional<std::span<const TermCount>> found = again.next();
    if (!found || !std::ranges::equal(*found, document)) std::abort();
  }
  if (!again.at_end()) std::abort();
  return 0;
}
