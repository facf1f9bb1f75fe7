// Fuzzes XLS: the records of a workbook in a container that is right, or by the first bit a container. Damage is a FormatError, and
// what is written is within the limits.
#include <string>

#include "engine/core/errors.hpp"
#include "io/corpus/unpack/old_workbook_stream.hpp"
#include "tests/fuzz/file_in_memory.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/support/io/old_workbook_builder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  constexpr UnpackingLimits limits = {
      .most_expansion = 50.0, .free_bytes = std::uint64_t{1} << 20U, .most_memory = std::uint64_t{4} << 20U};
  const fuzz::Input input(data, size);
  const std::string book = input.choice(0) ? std::string(input.text) : test::compound_file("Workbook", std::string(input.text));
  static const fuzz::FileInMemory memory;
  memory.fill(book);
  FileStream file(memory.path());
  if (!is_old_workbook(file)) return 0;
  std::uint64_t written = 0;
  try {
    OldWorkbookStream stream(file, limits);
    static std::string block(std::size_t{1} << 16U, '\0');
    for (std::size_t got = block.size(); got == block.size(); written += got) got = stream.read(block);
  } catch (const FormatError&) {
    return 0;
  }
  fuzz::demand(written <= 2 * (limits.free_bytes + 50 * book.size()) + (std::uint64_t{1} << 20U));
  return 0;
}
