// A matrix of numbers, a row for each document, read piece by piece, as often as is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace inkling {

/// Thread safety: one thread at a time.
class VectorSource {
 public:
  VectorSource() = default;
  VectorSource(const VectorSource&) = delete;
  VectorSource& operator=(const VectorSource&) = delete;
  virtual ~VectorSource() = default;

  /// For messages.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  /// From 1 to VectorView::most_dimensions.
  [[nodiscard]] virtual std::int32_t dimensions() const = 0;
  /// The numbers of these rows, as many as fit `numbers`. Throws FormatError if one is not finite, or is missing; SystemError.
  virtual void read(std::int64_t first, std::span<float> numbers) const = 0;
};

/// A `.npy` file of two dimensions, of float16, float32, float64 or int8, its rows one after the other. It must be a file and no
/// pipe. Throws FormatError naming the file and what was expected, and SystemError.
[[nodiscard]] std::unique_ptr<VectorSource> vectors_in_file(const std::string& path);

/// The same in memory. `descr`: NumPy's name of the number's type. Lifetime: lends the bytes. Throws FormatError.
[[nodiscard]] std::unique_ptr<VectorSource> vectors_in_memory(const std::string& name, std::string_view descr,
                                                              std::span<const std::byte> bytes, std::int64_t rows,
                                                              std::int64_t dimensions);

/// Rows [first, first + rows) of a source. Requires: it has them.
[[nodiscard]] std::unique_ptr<VectorSource> vectors_of_rows(std::shared_ptr<const VectorSource> source, std::int64_t first,
                                                            std::int64_t rows);

}  // namespace inkling
