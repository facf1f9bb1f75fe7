// A whole pool in memory, made and then damaged as an input says; its checksums fit the damaged files.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sparse/csr_matrix.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "tests/support/io/small_pools.hpp"

namespace inkling::fuzz {

// Reads numbers from the input, and zeros after its end.
class Script {
 public:
  explicit Script(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool spent() const { return bytes_.empty(); }

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  std::size_t below(std::size_t bound) { return (byte() | std::size_t{byte()} << 8U) % bound; }
  /// The next bytes; fewer at the end of the input.
  std::vector<std::uint8_t> take(std::size_t count) {
    const auto taken = bytes_.first(std::min(count, bytes_.size()));
    bytes_ = bytes_.subspan(taken.size());
    return {taken.begin(), taken.end()};
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

using Bytes = std::vector<std::byte>;
using Files = std::map<std::string, Bytes, std::less<>>;

inline void append(Bytes& bytes, std::string_view text) {
  const auto more = std::as_bytes(std::span(text));
  bytes.insert(bytes.end(), more.begin(), more.end());
}

template <typename Number>
Bytes array_of(std::span<const Number> numbers) {
  Bytes bytes;
  append(bytes, pool_npy_header(npy_descr<Number>, static_cast<std::int64_t>(numbers.size())));
  const auto more = std::as_bytes(numbers);
  bytes.insert(bytes.end(), more.begin(), more.end());
  return bytes;
}

inline CsrMatrix matrix_of(Script& script) {
  const std::size_t columns = script.below(9);
  CsrMatrix matrix(static_cast<std::int32_t>(columns));
  for (std::size_t rows = script.below(9); rows > 0; --rows) {
    const unsigned present = script.byte();
    std::vector<FeatureId> features;
    std::vector<float> values;
    for (std::size_t feature = 0; feature < columns; ++feature) {
      if ((present >> feature & 1U) == 0) continue;
      features.push_back(static_cast<FeatureId>(feature));
      values.push_back(static_cast<float>(feature) - 2.5F);
    }
    matrix.append_row({features, values});
  }
  return matrix;
}

inline void add_layout(Files& files, const std::string& folder, CsrView layout) {
  files[folder + "indptr.npy"] = array_of(layout.offsets());
  files[folder + "indices.npy"] = array_of(layout.features().unchecked());
  files[folder + "data.npy"] = array_of(layout.values());
}

// Adds a string for each row. Some are empty, and some have a character of two bytes.
inline void add_strings(Files& files, std::string_view table, std::size_t rows) {
  std::string text;
  std::vector<std::int64_t> offsets = {0};
  for (std::size_t row = 0; row < rows; ++row) {
    text += row % 3 == 0 ? "" : "é" + std::to_string(row);
    offsets.push_back(static_cast<std::int64_t>(text.size()));
  }
  files[PoolFile::bytes_of(table)] = array_of(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  files[PoolFile::offsets_of(table)] = array_of(std::span<const std::int64_t>(offsets));
}

inline void add_terms(Files& files, CsrView columns) {
  std::vector<double> idf;
  Bytes terms;
  for (std::int32_t feature = 0; feature < columns.rows(); ++feature) {
    idf.push_back(1.5);
    append(terms, "t" + std::to_string(feature) + "\n");
  }
  files[std::string(PoolFile::vocabulary)] = terms;
  files[std::string(PoolFile::idf)] = array_of(std::span<const double>(idf));
}

inline Files sound_files(CsrView matrix, unsigned options) {
  Files files;
  const CsrMatrix columns = transposed(matrix);
  add_layout(files, "", matrix);
  add_layout(files, "by_feature/", columns.view());
  std::vector<std::int32_t> frequency;
  frequency.reserve(static_cast<std::size_t>(matrix.columns()));
  for (std::int32_t j = 0; j < matrix.columns(); ++j)
    frequency.push_back(static_cast<std::int32_t>(columns.view().row(j).size()));
  files[std::string(PoolFile::document_frequency)] = array_of(std::span<const std::int32_t>(frequency));
  const auto rows = static_cast<std::size_t>(matrix.rows());
  if ((options & 1U) != 0) add_terms(files, columns.view());
  if ((options & 2U) != 0) add_strings(files, PoolFile::ids, rows);
  if ((options & 4U) != 0) add_strings(files, PoolFile::texts, rows);
  if ((options & 8U) != 0) {
    files[std::string(PoolFile::labels)] = array_of(std::span<const std::int32_t>(std::vector<std::int32_t>(rows, 1)));
    append(files[std::string(PoolFile::label_names)], "a\nb\n");
  }
  return files;
}

inline constexpr std::array<std::int64_t, 10> interesting = {0, 1, -1, 2, 7, 8, 127, 0x7F800000, 0x7FFFFFFF, -0x7FFFFFFFFFFFFFFF};

inline void damage(Script& script, Files& files, Manifest& manifest) {
  const unsigned action = script.byte();
  Bytes& bytes = std::next(files.begin(), static_cast<std::ptrdiff_t>(script.below(files.size())))->second;
  const std::size_t at = script.below(bytes.size() + 1);
  const std::int64_t number = interesting.at(script.below(interesting.size()));
  const std::size_t width = std::min<std::size_t>((action & 64U) != 0 ? 8 : 4, bytes.size() - at);
  switch (action % 8) {
    case 0:
      if (at < bytes.size()) bytes[at] ^= std::byte{1} << (action >> 5U);
      break;
    case 1: bytes.resize(at); break;
    case 2:
      bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), script.byte() % 16, static_cast<std::byte>(script.byte()));
      break;
    case 3:
    case 4:
      if (width > 0) std::memcpy(bytes.data() + at, &number, width);
      break;
    case 5: manifest.rows = std::clamp<std::int64_t>(number, 0, kMostRowsOrColumns); break;
    case 6: manifest.columns = std::clamp<std::int64_t>(number, 0, kMostRowsOrColumns); break;
    default: manifest.nonzeros = std::max<std::int64_t>(number, 0);
  }
}

/// The files of a pool with its manifest, the sizes that the manifest states, and the bits that chose its parts.
struct ScriptedPool {
  Files files;
  std::int64_t rows = 0;
  std::int64_t nonzeros = 0;
  unsigned options = 0;

  [[nodiscard]] bool trusts() const { return (options & 16U) != 0; }
};

inline ScriptedPool scripted_pool(Script& script) {
  ScriptedPool pool;
  pool.options = script.byte();
  const CsrMatrix matrix = matrix_of(script);
  pool.files = sound_files(matrix.view(), pool.options);
  Manifest manifest = {.rows = matrix.view().rows(),
                       .columns = matrix.view().columns(),
                       .nonzeros = matrix.view().nonzeros(),
                       .program_version = "fuzz",
                       .files = {}};
  constexpr int most_damages = 6;
  for (int n = 0; n < most_damages && !script.spent(); ++n) damage(script, pool.files, manifest);
  for (const auto& [name, bytes] : pool.files) manifest.files.push_back({name, bytes.size(), test::block_checksums(bytes)});
  append(pool.files[std::string(PoolFile::manifest)], manifest_text(manifest));
  pool.rows = manifest.rows;
  pool.nonzeros = manifest.nonzeros;
  return pool;
}

}  // namespace inkling::fuzz
