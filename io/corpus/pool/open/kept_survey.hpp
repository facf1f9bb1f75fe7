// The survey of a pool on disk.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/scoring/survey/pool_survey.hpp"
#include "io/corpus/pool/open/checked_record.hpp"

namespace inkling {

/// Reads each part from the file beside the record that the pool was checked. If there is none, the part is computed and
/// kept there, where that saves time. A signal that asks the program to end ends the computing: throws InterruptedError.
/// Lifetime: lends what `PoolSurvey` lends.
class KeptSurvey final : public PoolSurvey {
 public:
  /// A pass over fewer entries than this is over before a file would be read.
  static constexpr std::int64_t kWorthKeeping = 10'000'000;

  KeptSurvey(PoolView pool, std::span<const DocumentId> left_out, std::optional<CheckedRecord> record,
             std::int64_t worth_keeping = kWorthKeeping);

 private:
  [[nodiscard]] AverageDocument find_average() const override;
  [[nodiscard]] RowSurvey find_rows() const override;

  std::optional<CheckedRecord> record_;
  std::int64_t worth_keeping_;
};

}  // namespace inkling
