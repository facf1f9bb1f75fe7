#include "io/corpus/pool/format/npy_header.hpp"

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

NpyHeader parsed(const std::string& text) { return parse_npy_header("x.npy", std::as_bytes(std::span(text))); }

// A header of version 1.0, 2.0 or 3.0 with this dictionary.
std::string header_of(const std::string& dictionary, char version = 1) {
  std::string text = std::string("\x93NUMPY") + version + '\0';
  text += static_cast<char>(dictionary.size() & 0xFFU);
  text += static_cast<char>(dictionary.size() >> 8U);
  if (version > 1) text += std::string(2, '\0');
  return text + dictionary;
}

TEST_CASE("the header of a pool's array has 128 bytes and reads back") {
  const std::string text = pool_npy_header(npy_descr<std::int64_t>, 9'223'372'036'854'775'807);
  CHECK(text.size() == kPoolNpyHeaderBytes);
  CHECK(text.back() == '\n');
  const NpyHeader header = parsed(text + "numbers");
  CHECK(header ==
        NpyHeader{
            .descr = "<i8", .fortran_order = false, .shape = {9'223'372'036'854'775'807}, .data_offset = kPoolNpyHeaderBytes});
}

TEST_CASE("headers as NumPy writes them are read in every version and shape") {
  CHECK(parsed(header_of("{'descr': '|u1', 'fortran_order': False, 'shape': (), }\n")).shape.empty());
  const std::string matrix = R"({"descr": ">f8", "fortran_order": True, "shape": (3, 4)}   )";
  for (const char version : {'\1', '\2', '\3'}) {
    const NpyHeader header = parsed(header_of(matrix, version));
    CHECK(header.descr == ">f8");
    CHECK(header.fortran_order);
    CHECK(header.shape == std::vector<std::int64_t>{3, 4});
    CHECK(header.data_offset == (version == 1 ? 10U : 12U) + matrix.size());
  }
}

TEST_CASE("bytes that are not a header are refused by name") {
  const std::vector<std::string> wrong = {"",
                                          "\x93NUMPY",
                                          std::string("\x93NUMPY\x04\x00", 8) + std::string(20, ' '),
                                          header_of("{}"),
                                          header_of("{'descr': '<f4', 'fortran_order': False}"),
                                          header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'shape': (3,)}"),
                                          header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}"),
                                          header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}"),
                                          header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (3 3)}"),
                                          header_of("{'descr': '<f4', 'fortran_order': 1, 'shape': (3,)}"),
                                          header_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}"),
                                          header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x"),
                                          header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)"),
                                          header_of("{'descr': '<f4")};
  for (const std::string& text : wrong) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(parsed(text)), FormatError);
  }
}

TEST_CASE("a header that promises more bytes than there are or too many is refused") {
  std::string text = header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }");
  text.pop_back();
  CHECK_THROWS_WITH_AS(static_cast<void>(parsed(text)), "x.npy: expected a .npy header of 67 bytes, found only 66", FormatError);
  const std::string huge = std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 12);
  CHECK_THROWS_AS(static_cast<void>(npy_header_bytes("x.npy", std::as_bytes(std::span(huge)))), FormatError);
}

}  // namespace
}  // namespace inkling
