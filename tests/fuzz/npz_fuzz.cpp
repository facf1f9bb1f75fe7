// Fuzzes the arrays of a SciPy matrix: what comes out lies within the declared shape. The input describes the
// arrays, so that they mostly fit together; what it says of lengths need not be true.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/matrix/npz_source.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace {

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

class OwnedStream final : public InputStream {
 public:
  explicit OwnedStream(std::string bytes) : bytes_(std::move(bytes)), stream_(bytes_) {}
  [[nodiscard]] std::size_t read(std::span<char> to) override { return stream_.read(to); }

 private:
  std::string bytes_;
  MemoryStream stream_;
};

// Takes numbers off the front of an input; zeros at its end.
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
  const std::string header =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  return bytes + header + std::string(numbers);
}

// An array whose numbers are the input's; its length is mostly true.
std::string fuzzed_array(Reader& reader) {
  constexpr std::string_view kinds[] = {"<i4", "<i8", "|i1", "|u1", "<i2", "<u4",
                                        "<u8", "<f4", "<f8", "|b1", ">i4"};
  constexpr std::size_t sizes[] = {4, 8, 1, 1, 2, 4, 8, 4, 8, 1, 4};
  const std::size_t kind = reader.byte() % std::size(kinds);
  const std::size_t count = reader.byte() % 16U;
  const std::string_view numbers = reader.take(count * sizes[kind]);
  const std::uint8_t lie = reader.byte();
  if (lie == 255) return std::string(numbers);
  const std::size_t told = lie > 250 ? std::size_t{lie} << 32U : numbers.size() / sizes[kind];
  return array(kinds[kind], "(" + std::to_string(told) + ",)", numbers);
}

void read_all(MatrixSource& source) {
  const DeclaredShape shape = source.shape();
  std::int64_t rows = 0;
  while (const std::optional<MatrixPiece> piece = source.read()) {
    MatrixBatch batch;
    static_cast<void>(piece->parse(batch));
    const std::int64_t first = source.order() == RowOrder::ascending ? rows : 0;
    rows += batch.rows;
    for (const MatrixEntry& entry : batch.entries) {
      fuzz::demand(entry.row >= 0 && first + entry.row < *shape.rows);
      fuzz::demand(entry.feature >= 0 && entry.feature < *shape.columns);
      fuzz::demand(std::isnormal(entry.value));
    }
  }
  if (source.order() == RowOrder::ascending) fuzz::demand(rows == *shape.rows);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Input input(data, size);
  Reader reader(input.text);
  constexpr std::string_view layouts[] = {"csr", "csc", "coo", "dia"};
  const std::int64_t shape[] = {reader.byte() % 8, reader.byte() % 8};
  std::string shape_bytes(sizeof shape, '\0');
  std::memcpy(shape_bytes.data(), shape, sizeof shape);
  std::map<std::string, std::string, std::less<>> arrays;
  arrays["format"] = array("|S3", "()", layouts[input.choices & 3U]);
  arrays["shape"] = input.choice(2) ? fuzzed_array(reader) : array("<i8", "(2,)", shape_bytes);
  for (const char* const name : {"data", "indices", "indptr", "row", "col"})
    arrays[name] = fuzzed_array(reader);
  try {
    read_all(*read_npz({"input", 1, [&](std::string_view name) -> std::unique_ptr<InputStream> {
                          const auto found = arrays.find(name);
                          if (found == arrays.end()) return nullptr;
                          return std::make_unique<OwnedStream>(found->second);
                        }}));
  } catch (const FormatError&) {  // NOLINT(bugprone-empty-catch): a lie was found out
  }
  return 0;
}
