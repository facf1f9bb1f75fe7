// Fuzzes how a format is recognised by the beginning of a file: any bytes have an answer, and it names only existing formats.
#include <algorithm>

#include "io/corpus/matrix/matrix_source.hpp"
#include "io/corpus/source/format_detection.hpp"
#include "io/corpus/source/record_format.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  SourceOptions options = fuzz::options_of(input, "");
  if (input.choice(4)) options.text_field = "title,text";
  const ContentLook look = look_at_content(input.text, options);
  const auto is_named = [&](const auto& format) { return format.name == look.format; };
  fuzz::demand(look.format != "lines" && look.format != kFilesFormat);  // any text is lines, any file a file
  fuzz::demand(look.format.empty() || std::ranges::any_of(record_formats(), is_named) ||
               std::ranges::any_of(kFileFormats, is_named) || std::ranges::any_of(matrix_formats(), is_named));
  fuzz::demand(look.foreign.empty() || look.format.empty());
  fuzz::demand(look.format != "csv" || input.text.find(look.delimiter) != std::string_view::npos);
  return 0;
}
