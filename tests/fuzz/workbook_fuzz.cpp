// Fuzzes the XML within a workbook, which mutations of packed bytes do not reach: sheet, shared texts, and styles, with a zero
// byte between them. Damage is a FormatError, and what is written is within the limits.
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <zlib.h>

#include "engine/core/errors.hpp"
#include "io/corpus/unpack/workbook_stream.hpp"
#include "tests/fuzz/file_in_memory.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace {

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

constexpr UnpackingLimits kLimits = {
    .most_expansion = 50.0, .free_bytes = std::uint64_t{1} << 20U, .most_memory = std::uint64_t{4} << 20U};

std::string part(std::string_view& text) {
  const std::size_t end = std::min(text.find('\0'), text.size());
  const std::string found(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return found;
}

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int n = 0; n < bytes; ++n, value >>= 8U) text += static_cast<char>(value & 0xFFU);
  return text;
}

// A zip file whose files are not packed.
std::string zip_of(std::initializer_list<std::pair<std::string, std::string>> files) {
  std::string bytes;
  std::string list;
  for (const auto& [name, content] : files) {
    const auto checksum =
        ::crc32(0, reinterpret_cast<const unsigned char*>(content.data()), static_cast<unsigned>(content.size()));
    const std::string facts = number(20, 2) + std::string(8, '\0') + number(checksum, 4) + number(content.size(), 4) +
                              number(content.size(), 4) + number(name.size(), 2) + number(0, 2);
    list += "PK\1\2" + number(20, 2) + facts + std::string(10, '\0') + number(bytes.size(), 4) + name;
    bytes += "PK\3\4" + facts + name + content;
  }
  return bytes + list + "PK\5\6" + number(0, 4) + number(files.size(), 2) + number(files.size(), 2) + number(list.size(), 4) +
         number(bytes.size(), 4) + number(0, 2);
}

std::string book_of(std::string_view text) {
  const std::string sheet = part(text);
  const std::string strings = part(text);
  const std::string links = R"(<R><Relationship Id="r1" Target="worksheets/sheet1.xml"/></R>)";
  return zip_of({{"xl/workbook.xml", R"(<workbook><sheet r:id="r1"/></workbook>)"},
                 {"xl/_rels/workbook.xml.rels", links},
                 {"xl/sharedStrings.xml", strings},
                 {"xl/styles.xml", std::string(text)},
                 {"xl/worksheets/sheet1.xml", sheet}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string book = book_of({reinterpret_cast<const char*>(data), size});
  static const fuzz::FileInMemory file;
  file.fill(book);
  std::uint64_t written = 0;
  try {
    WorkbookStream stream(file.path(), kLimits);
    static std::string block(std::size_t{1} << 16U, '\0');
    for (std::size_t got = block.size(); got == block.size(); written += got) got = stream.read(block);
  } catch (const FormatError&) {
    return 0;
  }
  fuzz::demand(written <= 2 * (kLimits.free_bytes + 50 * book.size()) + (std::uint64_t{1} << 20U));
  return 0;
}
