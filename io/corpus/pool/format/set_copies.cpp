#include "io/corpus/pool/format/set_copies.hpp"

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/system/file.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kBytesEach = 2 * sizeof(std::int64_t);

void append_numbers(std::string& bytes, const std::vector<std::int64_t>& numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int64_t));
}

void check_copies(const std::string& path, const CopiedSetRows& copies, std::int64_t rows) {
  std::int64_t before = -1;
  for (const std::int64_t row : copies.rows) {
    if (row <= before || row >= rows)
      throw CorruptFileError(path, "expected ascending documents below {}, found {} after {}", rows, row, before);
    before = row;
  }
  if (const std::optional<std::size_t> bad = copies.view().bad_original(rows))
    throw CorruptFileError(path, "expected for document {} another one that is no copy, found {}", copies.rows[*bad],
                           copies.originals[*bad]);
}

}  // namespace

std::string set_copies_bytes(const CopiedSetRows& copies) {
  std::string bytes(pool_npy_header(npy_descr<std::int64_t>, 2 * std::ssize(copies.rows)));
  append_numbers(bytes, copies.rows);
  append_numbers(bytes, copies.originals);
  return bytes;
}

CopiedSetRows read_set_copies(const std::string& set_path, const SetFile& set) {
  CopiedSetRows copies;
  if (!set.copies || set.copies->count == 0) return copies;
  const std::string path = path_in_set(set_path, set.copies->path);
  const auto count = static_cast<std::size_t>(set.copies->count);
  const std::uint64_t size = kPoolNpyHeaderBytes + kBytesEach * count;
  const std::optional<std::string> bytes = text_of_file(path, size);
  if (!bytes || bytes->size() != size || checksum_of(std::as_bytes(std::span(*bytes))) != set.copies->checksum)
    throw CorruptFileError(path, "expected the {} copies that {} names, found others", count, set_path);
  const char* const numbers = bytes->data() + kPoolNpyHeaderBytes;
  copies.rows.resize(count);
  copies.originals.resize(count);
  std::memcpy(copies.rows.data(), numbers, count * sizeof(std::int64_t));
  std::memcpy(copies.originals.data(), numbers + count * sizeof(std::int64_t), count * sizeof(std::int64_t));
  check_copies(path, copies, set.rows);
  return copies;
}

}  // namespace inkling
