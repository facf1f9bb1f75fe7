#include "bench/speed/factor_workload.hpp"

#include <cstddef>

#include "engine/core/random_stream.hpp"

namespace inkling::bench {
namespace {

constexpr std::size_t kUpcomingRows = 64;

/// The part of a row with positions below `end`; rows ascend.
RestrictedRow before(RestrictedRow row, std::int32_t end) {
  std::size_t count = row.size();
  while (count > 0 && row.positions[count - 1] >= end) --count;
  return {row.positions.first(count), row.values.first(count)};
}

/// The column of the gram at `position`, up to its diagonal.
FactorBirth birth_at(std::int32_t position, const PlayedRows& played) {
  FactorBirth birth{std::vector<double>(static_cast<std::size_t>(position), 0.0), FactorWorkload::ridge};
  for (std::size_t t = 0; t < played.size(); ++t) {
    const RestrictedRow known = before(played.row(t), position);
    const RestrictedRow with_new = before(played.row(t), position + 1);
    if (with_new.size() == known.size()) continue;
    const double value = with_new.values.back();
    for (std::size_t n = 0; n < known.size(); ++n) {
      birth.b[static_cast<std::size_t>(known.positions[n])] += value * known.values[n];
    }
    birth.c += value * value;
  }
  return birth;
}

}  // namespace

FactorWorkload make_factor_workload(std::int32_t size, std::int32_t rows, FrequencyBand band,
                                    std::uint64_t seed) {
  RandomStream random(seed, static_cast<std::uint64_t>(size), RandomRole::pool);
  const std::vector<double> frequencies =
      banded_frequencies(size + FactorWorkload::births_prepared, band, random);
  RestrictedRows buffer;
  FactorWorkload workload;
  workload.size = size;
  PlayedRows with_unborn;
  for (std::int32_t t = 0; t < rows; ++t) {
    const RestrictedRow row = draw_row(frequencies, random, buffer);
    with_unborn.append(row, 1.0);
    workload.played.append(before(row, size), 1.0);
  }
  while (workload.upcoming.size() < kUpcomingRows) {
    RestrictedRow row = before(draw_row(frequencies, random, buffer), size);
    if (row.empty()) {  // a document without a relevant feature is nobody's work: let it hold one
      buffer.positions = {static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(size)))};
      buffer.values = {0.25};
      row = {buffer.positions, buffer.values};
    }
    workload.upcoming.append(row, 1.0);
  }
  for (std::int32_t n = 0; n < FactorWorkload::births_prepared; ++n) {
    workload.births.push_back(birth_at(size + n, with_unborn));
  }
  return workload;
}

}  // namespace inkling::bench
