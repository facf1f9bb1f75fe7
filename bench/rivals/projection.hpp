// A linear map of documents to a few dense coordinates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// Each document becomes as many numbers.
inline constexpr std::int32_t kMostDimensions = 4096;

/// P, with a row of m numbers for each feature: x becomes P'x, and a theta of m numbers stands for P theta.
class Projection {
 public:
  /// `entries` is P, row by row. Throws FormatError unless there are from 1 to kMostDimensions dimensions.
  /// Requires: entries.size() is a multiple of them.
  Projection(std::int32_t dimensions, std::vector<double> entries);

  /// Entries from N(0, 1/m), which keeps squared lengths on average: drawn feature by feature from the stream
  /// (seed, 0, RandomRole::projection).
  [[nodiscard]] static Projection gaussian(std::int32_t features, std::int32_t dimensions,
                                           std::uint64_t seed);

  [[nodiscard]] std::int32_t dimensions() const noexcept { return dimensions_; }

  /// A feature's row of P. Requires: a feature of P.
  [[nodiscard]] std::span<const double> row(FeatureId feature) const noexcept {
    const auto width = static_cast<std::size_t>(dimensions_);
    return std::span(entries_).subspan(static_cast<std::size_t>(feature) * width, width);
  }

  /// The projected documents, as rows that hold every dimension; a document of no entries stays empty. Throws
  /// FormatError on one that projects to more than a float can hold. Requires: a row of P for each column.
  [[nodiscard]] CsrMatrix project(CsrView documents) const;

 private:
  std::int32_t dimensions_;
  std::vector<double> entries_;
};

}  // namespace inkling::bench
