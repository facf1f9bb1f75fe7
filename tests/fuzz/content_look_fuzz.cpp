// Fuzzes how a format is recognised by the beginning of a file: any bytes have an answer, and it names only existing formats.
#include <algorithm>
#include <array>

#include "io/corpus/source/format_detection.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  constexpr std::array<std::string_view, 14> formats = {"",     "jsonl",  "csv",  "tsv",   "ris",
                                                        "nbib", "bibtex", "mbox", "html",  "svmlight",
                                                        "mtx",  "wos",    "enw",  "embase"};
  const fuzz::Input input(data, size);
  SourceOptions options = fuzz::options_of(input, "");
  if (input.choice(4)) options.text_field = "title,text";
  const ContentLook look = look_at_content(input.text, options);
  fuzz::demand(std::ranges::find(formats, look.format) != formats.end());
  fuzz::demand(look.foreign.empty() || look.format.empty());
  fuzz::demand(look.format != "csv" || input.text.find(look.delimiter) != std::string_view::npos);
  return 0;
}
