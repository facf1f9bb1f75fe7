#include "io/corpus/pool/open/kept_survey.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "io/base/system/interruption.hpp"

namespace inkling {
namespace {

using Bytes = std::span<const std::byte>;

// Removes the first `count` numbers from the bytes and returns them. Requires: there are that many.
template <typename Number>
std::vector<Number> take(Bytes& bytes, std::size_t count) {
  std::vector<Number> numbers(count);
  std::memcpy(numbers.data(), bytes.data(), count * sizeof(Number));
  bytes = bytes.subspan(count * sizeof(Number));
  return numbers;
}

// Features, then values.
AverageDocument average_of(Bytes bytes) {
  const std::size_t count = bytes.size() / (sizeof(FeatureId) + sizeof(float));
  AverageDocument average;
  average.features = take<FeatureId>(bytes, count);
  average.values = take<float>(bytes, count);
  return average;
}

bool is_of_pool(const AverageDocument& average, std::int32_t features) {
  const bool ascends = std::ranges::is_sorted(average.features, std::ranges::less_equal());
  return ascends && (average.features.empty() || (average.features.front() >= 0 && average.features.back() < features));
}

// Precedes the products with the average document.
struct KeptLengths {
  double largest_norm_square = 0.0;
  std::uint64_t longest_row = 0;
  std::uint64_t has_negative = 0;
};

}  // namespace

KeptSurvey::KeptSurvey(PoolView pool, std::span<const DocumentId> left_out, std::optional<CheckedRecord> record,
                       std::int64_t worth_keeping)
    : PoolSurvey(pool, left_out), record_(std::move(record)), worth_keeping_(worth_keeping) {}

AverageDocument KeptSurvey::find_average() const {
  if (const auto kept = record_ ? record_->kept(CheckedRecord::kAverage) : std::nullopt)
    if (AverageDocument average = average_of(kept->bytes); is_of_pool(average, pool().features())) return average;
  const std::vector<std::int64_t> left_out_rows(left_out().begin(), left_out().end());
  const CsrView by_feature = pool().by_feature;
  AverageDocument average = average_document(std::span(&by_feature, 1), throw_if_interrupted, left_out_rows);
  if (record_) {
    const std::array<Bytes, 2> pieces = {std::as_bytes(std::span(average.features)), std::as_bytes(std::span(average.values))};
    record_->keep(CheckedRecord::kAverage, pieces);
  }
  return average;
}

RowSurvey KeptSurvey::find_rows() const {
  if (!record_ || pool().by_document.nonzeros() < worth_keeping_) return survey_rows(pool(), average());
  const auto documents = static_cast<std::size_t>(pool().documents());
  if (auto kept = record_->kept(CheckedRecord::kRows);
      kept && kept->bytes.size() == sizeof(KeptLengths) + documents * sizeof(double)) {
    Bytes bytes = kept->bytes;
    const KeptLengths lengths = take<KeptLengths>(bytes, 1).front();
    return {.lengths = {lengths.largest_norm_square, lengths.longest_row, lengths.has_negative != 0},
            .along = {reinterpret_cast<const double*>(bytes.data()), documents},
            .owner = std::make_shared<const CheckedRecord::Kept>(std::move(*kept))};
  }
  RowSurvey survey = survey_rows(pool(), average());
  const KeptLengths lengths = {survey.lengths.largest_norm_square, survey.lengths.longest_row,
                               survey.lengths.has_negative ? 1U : 0U};
  const std::array<Bytes, 2> pieces = {std::as_bytes(std::span(&lengths, 1)), std::as_bytes(survey.along)};
  record_->keep(CheckedRecord::kRows, pieces);
  return survey;
}

}  // namespace inkling
