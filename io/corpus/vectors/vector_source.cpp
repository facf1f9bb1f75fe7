#include "io/corpus/vectors/vector_source.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {
namespace {

static_assert(std::endian::native == std::endian::little);

template <typename Number>
float as_float(const std::byte* at) {
  Number number{};
  std::memcpy(&number, at, sizeof number);
  return static_cast<float>(number);
}

/// IEEE 754 binary16: a sign, five bits of an exponent, ten of a fraction.
float half_as_float(const std::byte* at) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, at, sizeof bits);
  constexpr unsigned fraction_bits = 10;
  constexpr unsigned infinite = 31;
  constexpr int bias = 15;
  const unsigned exponent = (bits >> fraction_bits) & infinite;
  const auto fraction = static_cast<float>(bits & ((1U << fraction_bits) - 1U));
  const float sign = (bits >> 15U) != 0 ? -1.0F : 1.0F;
  if (exponent == infinite) return std::numeric_limits<float>::infinity();  // or not a number, which is refused as well
  const float unit = 1024.0F;
  return exponent == 0 ? sign * std::ldexp(fraction, 1 - bias - static_cast<int>(fraction_bits))
                       : sign * std::ldexp((unit + fraction) / unit, static_cast<int>(exponent) - bias);
}

struct VectorNumber {
  std::string_view descr;
  std::size_t bytes;
  float (*value)(const std::byte*);
};

constexpr VectorNumber kNumbers[] = {{"<f2", 2, half_as_float},
                                     {"<f4", sizeof(float), as_float<float>},
                                     {"<f8", sizeof(double), as_float<double>},
                                     {"|i1", 1, as_float<std::int8_t>}};

class BytesOfVectors : public VectorSource {
 public:
  BytesOfVectors(std::string name, std::string_view descr, std::int64_t rows, std::int64_t dimensions)
      : name_(std::move(name)), number_(number_of(descr)), rows_(rows), dimensions_(static_cast<std::int32_t>(dimensions)) {
    if (dimensions < 1 || dimensions > VectorView::most_dimensions)
      fail(fmt::format("expected from 1 to {} numbers for each document, found {}", digit_groups(VectorView::most_dimensions),
                       digit_groups(dimensions)));
  }

  [[nodiscard]] const std::string& name() const final { return name_; }
  [[nodiscard]] std::int64_t rows() const final { return rows_; }
  [[nodiscard]] std::int32_t dimensions() const final { return dimensions_; }

  void read(std::int64_t first, std::span<float> numbers) const final {
    bytes_.resize(numbers.size() * number_.bytes);
    const std::uint64_t position = static_cast<std::uint64_t>(first) * static_cast<std::uint64_t>(dimensions_) * number_.bytes;
    if (read_bytes(position, bytes_) < bytes_.size()) fail("expected more numbers, as its header says; found the end");
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      numbers[n] = number_.value(bytes_.data() + n * number_.bytes);
      if (std::isfinite(numbers[n])) continue;
      const std::int64_t row = first + static_cast<std::int64_t>(n) / dimensions_;
      fail(fmt::format("expected finite numbers, found another one in row {}, counted from 0", digit_groups(row)));
    }
  }

 protected:
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return static_cast<std::uint64_t>(rows_) * static_cast<std::uint64_t>(dimensions_) * number_.bytes;
  }
  [[noreturn]] void fail(const std::string& expectation) const { throw FormatError(name_, expectation); }

 private:
  [[nodiscard]] virtual std::size_t read_bytes(std::uint64_t position, std::span<std::byte> to) const = 0;

  [[nodiscard]] const VectorNumber& number_of(std::string_view descr) const {
    const auto* const found = std::ranges::find(kNumbers, descr, &VectorNumber::descr);
    if (found == std::end(kNumbers))
      fail(fmt::format("expected float16, float32, float64 or int8 in this machine's order of bytes, found {}",
                       quoted_text(descr)));
    return *found;
  }

  std::string name_;
  const VectorNumber& number_;
  std::int64_t rows_;
  std::int32_t dimensions_;
  mutable std::vector<std::byte> bytes_;
};

NpyHeader header_of(const FileStream& file) {
  if (!file.can_seek()) throw FormatError(file.path(), "expected a file, because it is read twice; found a pipe or a device");
  std::vector<std::byte> bytes(kNpyPrefixBytes);
  const auto read = [&](std::size_t size) {
    bytes.resize(size);
    bytes.resize(file.read_at(0, {reinterpret_cast<char*>(bytes.data()), bytes.size()}));
  };
  read(kNpyPrefixBytes);
  read(static_cast<std::size_t>(npy_header_bytes(file.path(), bytes)));
  NpyHeader header = parse_npy_header(file.path(), bytes);
  if (header.shape.size() != 2)
    throw FormatError(file.path(),
                      fmt::format("expected two dimensions, a row for each document; found {}", header.shape.size()));
  if (header.fortran_order && header.shape[0] > 1 && header.shape[1] > 1)
    throw FormatError(file.path(),
                      "expected rows one after the other, found columns (Fortran's order): save np.ascontiguousarray(E)");
  return header;
}

class VectorFile final : public BytesOfVectors {
 public:
  VectorFile(std::unique_ptr<FileStream> file, const NpyHeader& header)
      : BytesOfVectors(file->path(), header.descr, header.shape[0], header.shape[1]),
        file_(std::move(file)),
        offset_(header.data_offset) {
    if (file_->size() != offset_ + bytes())
      fail(fmt::format("expected {} bytes, as its header says; found {}", digit_groups(offset_ + bytes()),
                       digit_groups(file_->size())));
  }

 private:
  [[nodiscard]] std::size_t read_bytes(std::uint64_t position, std::span<std::byte> to) const override {
    return file_->read_at(offset_ + position, {reinterpret_cast<char*>(to.data()), to.size()});
  }

  std::unique_ptr<FileStream> file_;
  std::uint64_t offset_;
};

class VectorArray final : public BytesOfVectors {
 public:
  VectorArray(const std::string& name, std::string_view descr, std::span<const std::byte> numbers, std::int64_t rows,
              std::int64_t dimensions)
      : BytesOfVectors(name, descr, rows, dimensions), numbers_(numbers) {
    assert(numbers.size() == bytes());
  }

 private:
  [[nodiscard]] std::size_t read_bytes(std::uint64_t position, std::span<std::byte> to) const override {
    std::ranges::copy(numbers_.subspan(static_cast<std::size_t>(position), to.size()), to.begin());
    return to.size();
  }

  std::span<const std::byte> numbers_;
};

class VectorsOfRows final : public VectorSource {
 public:
  VectorsOfRows(std::shared_ptr<const VectorSource> source, std::int64_t first, std::int64_t rows)
      : source_(std::move(source)), first_(first), rows_(rows) {}

  [[nodiscard]] const std::string& name() const override { return source_->name(); }
  [[nodiscard]] std::int64_t rows() const override { return rows_; }
  [[nodiscard]] std::int32_t dimensions() const override { return source_->dimensions(); }
  void read(std::int64_t first, std::span<float> numbers) const override { source_->read(first_ + first, numbers); }

 private:
  std::shared_ptr<const VectorSource> source_;
  std::int64_t first_;
  std::int64_t rows_;
};

}  // namespace

std::unique_ptr<VectorSource> vectors_of_rows(std::shared_ptr<const VectorSource> source, std::int64_t first, std::int64_t rows) {
  return std::make_unique<VectorsOfRows>(std::move(source), first, rows);
}

std::unique_ptr<VectorSource> vectors_in_file(const std::string& path) {
  auto file = std::make_unique<FileStream>(path);
  const NpyHeader header = header_of(*file);
  return std::make_unique<VectorFile>(std::move(file), header);
}

std::unique_ptr<VectorSource> vectors_in_memory(const std::string& name, std::string_view descr, std::span<const std::byte> bytes,
                                                std::int64_t rows, std::int64_t dimensions) {
  return std::make_unique<VectorArray>(name, descr, bytes, rows, dimensions);
}

}  // namespace inkling
