// Fuzzes a matrix of SciPy, as arrays in memory and as a zip file: what comes out lies within the declared shape and is the
// same from both, and a flipped bit of the file gives the same matrix or an error. The input describes the arrays, so that they
// mostly fit together. Their lengths may be wrong, but their checksums are right.
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <zlib.h>

#include "engine/core/errors.hpp"
#include "io/corpus/matrix/npz_source.hpp"
#include "tests/fuzz/file_in_memory.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace {

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

/// What is in the file NAME.npy, by name.
using Arrays = std::map<std::string, std::string, std::less<>>;

void append_number(std::string& bytes, std::uint64_t number, int size) {
  for (int n = 0; n < size; ++n) bytes += static_cast<char>(number >> (8 * n) & 0xFFU);
}

// The fields that the two headers of a file have in common: the one before the file, and the one in the directory.
std::string zip_fields(const std::string& name, const std::string& content) {
  std::string fields;
  append_number(fields, 20, 2);          // version 2.0
  append_number(fields, 0, 4);           // no flags, stored as it is
  append_number(fields, 0x00210000, 4);  // 1980-01-01
  append_number(fields, ::crc32(0, reinterpret_cast<const unsigned char*>(content.data()), static_cast<unsigned>(content.size())),
                4);
  append_number(fields, content.size(), 4);
  append_number(fields, content.size(), 4);
  append_number(fields, name.size(), 2);
  append_number(fields, 0, 2);
  return fields;
}

std::string zip_of(const Arrays& arrays) {
  std::string zip;
  std::string directory;
  for (const auto& [array, content] : arrays) {
    const std::string name = array + ".npy";
    const std::string fields = zip_fields(name, content);
    directory += std::string("PK\x01\x02\x14\x00", 6) + fields;
    append_number(directory, 0, 8);
    append_number(directory, 0, 2);
    append_number(directory, zip.size(), 4);
    directory += name;
    zip += "PK\x03\x04" + fields + name + content;
  }
  const std::size_t begin = zip.size();
  zip += directory + std::string("PK\x05\x06\x00\x00\x00\x00", 8);
  append_number(zip, arrays.size(), 2);
  append_number(zip, arrays.size(), 2);
  append_number(zip, directory.size(), 4);
  append_number(zip, begin, 4);
  append_number(zip, 0, 2);
  return zip;
}

// Reads numbers from the front of an input, and zeros after its end.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
  }
  std::string_view take(std::size_t count) {
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(taken.size());
    return taken;
  }

 private:
  std::string_view bytes_;
};

std::string array(std::string_view descr, const std::string& shape, std::string_view numbers) {
  const std::string header = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  return bytes + header + std::string(numbers);
}

// An array with numbers from the input. The length in its header is mostly right.
std::string fuzzed_array(Reader& reader) {
  constexpr std::string_view kinds[] = {"<i4", "<i8", "|i1", "|u1", "<i2", "<u4", "<u8", "<f4", "<f8", "|b1", ">i4"};
  constexpr std::size_t sizes[] = {4, 8, 1, 1, 2, 4, 8, 4, 8, 1, 4};
  const std::size_t kind = reader.byte() % std::size(kinds);
  const std::size_t count = reader.byte() % 16U;
  const std::string_view numbers = reader.take(count * sizes[kind]);
  const std::uint8_t lie = reader.byte();
  if (lie == 255) return std::string(numbers);
  const std::size_t told = lie > 250 ? std::size_t{lie} << 32U : numbers.size() / sizes[kind];
  return array(kinds[kind], "(" + std::to_string(told) + ",)", numbers);
}

using MatrixEntries = std::vector<MatrixEntry>;

MatrixEntries read_all(MatrixSource& source) {
  const DeclaredShape shape = source.shape();
  std::int64_t rows = 0;
  MatrixEntries all;
  while (const std::optional<MatrixPiece> piece = source.read()) {
    MatrixBatch batch;
    static_cast<void>(piece->parse(batch));
    const std::int64_t first = source.order() == RowOrder::ascending ? rows : 0;
    rows += batch.rows;
    for (const MatrixEntry& entry : batch.entries) {
      fuzz::demand(entry.row >= 0 && first + entry.row < *shape.rows);
      fuzz::demand(entry.feature >= 0 && entry.feature < *shape.columns);
      fuzz::demand(std::isnormal(entry.value));
      all.push_back(entry);
    }
  }
  if (source.order() == RowOrder::ascending) fuzz::demand(rows == *shape.rows);
  return all;
}

// The entries of a matrix, or nothing if opening or reading it is refused.
template <typename Open>
std::optional<MatrixEntries> entries_unless_refused(const Open& open) {
  try {
    return read_all(*open());
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

std::optional<MatrixEntries> entries_of(const Arrays& arrays) {
  const auto open_array = [&](std::string_view name) -> std::unique_ptr<InputStream> {
    const auto found = arrays.find(name);
    if (found == arrays.end()) return nullptr;
    return std::make_unique<MemoryStream>(found->second);
  };
  return entries_unless_refused([&] { return read_npz({.path = "matrix.npz", .bytes = 1, .open = open_array}); });
}

std::optional<MatrixEntries> entries_of_zip(std::string_view zip) {
  static const fuzz::FileInMemory file;
  file.fill(zip);
  return entries_unless_refused([] { return open_npz({file.path()}, {.format = "npz"}); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Input input(data, size);
  Reader reader(input.text);
  constexpr std::string_view layouts[] = {"csr", "csc", "coo", "dia"};
  const std::int64_t shape[] = {reader.byte() % 8, reader.byte() % 8};
  std::string shape_bytes(sizeof shape, '\0');
  std::memcpy(shape_bytes.data(), shape, sizeof shape);
  Arrays arrays;
  arrays["format"] = array("|S3", "()", layouts[input.choices & 3U]);
  arrays["shape"] = input.choice(2) ? fuzzed_array(reader) : array("<i8", "(2,)", shape_bytes);
  for (const char* const name : {"data", "indices", "indptr", "row", "col"}) arrays[name] = fuzzed_array(reader);
  const std::size_t bit = reader.byte() | std::size_t{reader.byte()} << 8U;
  const std::optional<MatrixEntries> entries = entries_of(arrays);
  // A file takes many times as long as memory, and most arrays are refused, so few of these are tried as a file.
  constexpr unsigned one_in_refused = 64;
  constexpr unsigned one_in_sound = 8;
  if (!fuzz::is_one_in(entries ? one_in_sound : one_in_refused, data, size)) return 0;
  std::string zip = zip_of(arrays);
  fuzz::demand(entries_of_zip(zip) == entries);
  if (!entries) return 0;
  char& flipped = zip[bit / 8 % zip.size()];
  flipped = static_cast<char>(flipped ^ 1 << (bit % 8));
  const std::optional<MatrixEntries> found = entries_of_zip(zip);
  fuzz::demand(!found || *found == *entries);
  return 0;
}
