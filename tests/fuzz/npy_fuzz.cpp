// Any bytes are a .npy header or a FormatError; what is read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "engine/core/errors.hpp"
#include "io/corpus/pool/format/npy_header.hpp"

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  try {
    const NpyHeader header = parse_npy_header("fuzz", bytes);
    if (header.data_offset > size) std::abort();
    if (header.shape.size() != 1 || header.descr.size() > 3 || header.descr.find('\'') != std::string::npos) return 0;
    const std::string text = pool_npy_header(header.descr, header.shape.front());
    const NpyHeader again = parse_npy_header("again", std::as_bytes(std::span(text)));
    if (again.descr != header.descr || again.shape != header.shape) std::abort();
  } catch (const FormatError&) {
    return 0;
  }
  return 0;
}
