#include "io/corpus/vectors/vector_writer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling {
namespace {

constexpr double kSteps = 127.0;
constexpr std::size_t kVectorNumbersAtOnce = std::size_t{1} << 18U;

/// visit(row) for the numbers of each row.
template <typename Visit>
void for_each_vector(const VectorSource& source, const std::function<void()>& between, const Visit& visit) {
  const auto dimensions = static_cast<std::size_t>(source.dimensions());
  const auto at_once = static_cast<std::int64_t>(std::max<std::size_t>(kVectorNumbersAtOnce / dimensions, 1));
  std::vector<float> numbers;
  for (std::int64_t first = 0; first < source.rows(); first += at_once) {
    between();
    const std::int64_t count = std::min(at_once, source.rows() - first);
    numbers.resize(static_cast<std::size_t>(count) * dimensions);
    source.read(first, numbers);
    for (std::size_t at = 0; at < numbers.size(); at += dimensions)
      visit(std::span<const float>(numbers).subspan(at, dimensions));
  }
}

bool is_none(std::span<const float> row) {
  return std::ranges::all_of(row, [](float number) { return number == 0.0F; });
}

}  // namespace

std::vector<float> centre_of(const VectorSource& source, const std::function<void()>& between) {
  std::vector<double> sums(static_cast<std::size_t>(source.dimensions()));
  std::int64_t rows = 0;
  for_each_vector(source, between, [&](std::span<const float> row) {
    if (is_none(row)) return;
    ++rows;
    for (std::size_t k = 0; k < row.size(); ++k) sums[k] += static_cast<double>(row[k]);
  });
  std::vector<float> mean;
  mean.reserve(sums.size());
  for (const double sum : sums) mean.push_back(rows == 0 ? 0.0F : static_cast<float>(sum / static_cast<double>(rows)));
  return mean;
}

struct VectorRows::Files {
  StagedArray<std::int8_t> codes;
  StagedArray<float> scales;
};

VectorRows::VectorRows(PoolStaging& staging, std::span<const float> centre)
    : files_(std::make_unique<Files>(
          Files{.codes = {staging, std::string(PoolFile::vectors)}, .scales = {staging, std::string(PoolFile::vector_scales)}})),
      none_(centre.size()) {
  StagedArray<float> mean(staging, std::string(PoolFile::vector_centre));
  mean.append(centre);
  mean.close();
}

VectorRows::~VectorRows() = default;

void VectorRows::append(std::span<const std::int8_t> codes, float scale) {
  files_->codes.append(codes);
  files_->scales.append(scale);
}

void VectorRows::append_none() { append(none_, 0.0F); }

void VectorRows::append(VectorView vectors, DocumentId row) {
  append(vectors.codes_of(row), vectors.scales[static_cast<std::size_t>(row)]);
}

void VectorRows::close() {
  files_->codes.close();
  files_->scales.close();
}

void check_vectors(const VectorSource& source, std::int64_t documents, std::span<const float> centre) {
  if (source.rows() != documents)
    throw FormatError(source.name(), fmt::format("expected {} rows, one for each document in the order of the pool; found {}",
                                                 digit_groups(documents), digit_groups(source.rows())));
  if (!centre.empty() && std::ssize(centre) != source.dimensions())
    throw FormatError(source.name(), fmt::format("expected {} numbers for each document, as the earlier pool has; found {}",
                                                 digit_groups(centre.size()), digit_groups(source.dimensions())));
}

void write_vectors(PoolStaging& staging, const VectorSource& source, std::span<const float> centre,
                   const std::function<void()>& between) {
  const std::vector<float> mean = centre.empty() ? centre_of(source, between) : std::vector<float>(centre.begin(), centre.end());
  VectorRows rows(staging, mean);
  std::vector<double> centred(mean.size());
  std::vector<std::int8_t> codes(mean.size());
  for_each_vector(source, between, [&](std::span<const float> row) {
    if (is_none(row)) return rows.append_none();
    double square = 0.0;
    double largest = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      centred[k] = static_cast<double>(row[k]) - static_cast<double>(mean[k]);
      square += centred[k] * centred[k];
      largest = std::max(largest, std::fabs(centred[k]));
    }
    if (!(square > 0.0) || !std::isfinite(square)) return rows.append_none();  // the mean itself
    const double step = largest / kSteps;
    for (std::size_t k = 0; k < row.size(); ++k) codes[k] = static_cast<std::int8_t>(std::lround(centred[k] / step));
    rows.append(codes, static_cast<float>(step / std::sqrt(square)));
  });
  rows.close();
}

}  // namespace inkling
