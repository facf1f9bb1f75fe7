// Any bytes are a manifest or give a CorruptFileError, both as they are and with a checksum that fits. A manifest that was read
// is the same after it is written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

namespace {

void read(std::string_view text) {
  try {
    const Manifest manifest = parse_manifest("fuzz", text);
    // A recipe of several lines is legal to read; the writer never makes one.
    if (manifest.recipe.find('\n') != std::string::npos) return;
    if (parse_manifest("again", manifest_text(manifest)) != manifest) std::abort();
  } catch (const CorruptFileError&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(text);
  std::string sealed(text.substr(0, text.rfind(R"("checksum": ")")));
  if (!sealed.ends_with("  ")) sealed += "\n  ";
  sealed += R"("checksum": ")";
  read(sealed + fmt::format("{:016x}\"\n}}\n", checksum_of(std::as_bytes(std::span(sealed)))));
  return 0;
}
