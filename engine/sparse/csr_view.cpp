#include "engine/sparse/csr_view.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

std::string at(const char* array, std::size_t position) {
  return std::string(array) + "[" + std::to_string(position) + "]";
}

void check_offsets(std::span<const std::int64_t> offsets, std::size_t nonzeros) {
  if (offsets.empty()) throw FormatError("offsets", "expected one more entry than there are rows, got none");
  constexpr auto most_rows = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (offsets.size() - 1 > most_rows) {
    throw FormatError("offsets", "expected at most " + std::to_string(most_rows) + " rows, got " +
                                     std::to_string(offsets.size() - 1));
  }
  if (offsets.front() != 0)
    throw FormatError(at("offsets", 0), "expected 0, got " + std::to_string(offsets.front()));
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] < offsets[i - 1]) {
      throw FormatError(at("offsets", i), "expected at least " + std::to_string(offsets[i - 1]) +
                                              " (offsets never fall), got " + std::to_string(offsets[i]));
    }
  }
  if (static_cast<std::uint64_t>(offsets.back()) != nonzeros) {
    throw FormatError(at("offsets", offsets.size() - 1), "expected " + std::to_string(nonzeros) +
                                                             " (the number of non-zeros), got " +
                                                             std::to_string(offsets.back()));
  }
}

void check_row(std::int32_t columns, std::span<const FeatureId> features, std::size_t first,
               std::size_t end) {
  FeatureId previous = -1;
  for (std::size_t n = first; n < end; ++n) {
    if (features[n] < 0 || features[n] >= columns) {
      throw FormatError(at("features", n), "expected a feature from 0 to " + std::to_string(columns - 1) +
                                               ", got " + std::to_string(features[n]));
    }
    if (features[n] <= previous) {
      throw FormatError(at("features", n), "expected more than " + std::to_string(previous) +
                                               " (the features of a row ascend, each once), got " +
                                               std::to_string(features[n]));
    }
    previous = features[n];
  }
}

}  // namespace

void check_csr(std::int32_t columns, std::span<const std::int64_t> offsets,
               std::span<const FeatureId> features, std::span<const float> values) {
  if (columns < 0) throw FormatError("columns", "expected 0 or more, got " + std::to_string(columns));
  if (features.size() != values.size()) {
    throw FormatError("values", "expected " + std::to_string(features.size()) +
                                    " (one for each feature), got " + std::to_string(values.size()));
  }
  check_offsets(offsets, values.size());
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    check_row(columns, features, static_cast<std::size_t>(offsets[i]),
              static_cast<std::size_t>(offsets[i + 1]));
  }
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (!std::isfinite(values[n])) {
      throw FormatError(at("values", n),
                        "expected a finite number, got " + number_text(static_cast<double>(values[n])));
    }
  }
}

}  // namespace inkling
