// Looks for the first of many pieces that is not as it should be, in parallel.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <optional>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace inkling {

/// The first of `count` pieces for which `is_wrong(piece)` holds, for any number of threads; pieces
/// after one that is wrong may be left out. Requires: `is_wrong` may be called from any thread.
template <typename IsWrong>
[[nodiscard]] std::optional<std::size_t> first_wrong_piece(std::size_t count, const IsWrong& is_wrong) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::atomic<std::size_t> first = none;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      for (std::size_t piece = range.begin(); piece != range.end(); ++piece) {
                        if (piece > first || !is_wrong(piece)) continue;
                        std::size_t seen = first;
                        while (piece < seen && !first.compare_exchange_weak(seen, piece)) {
                        }
                      }
                    });
  return first == none ? std::nullopt : std::optional<std::size_t>(first);
}

/// The same for a range of `size` that is cut into pieces of `piece_size`: `is_wrong(begin, end)`; gives
/// where the first wrong piece begins.
template <typename IsWrong>
[[nodiscard]] std::optional<std::size_t> first_wrong_range(std::size_t size, std::size_t piece_size,
                                                           const IsWrong& is_wrong) {
  const std::size_t pieces = size / piece_size + (size % piece_size != 0 ? 1 : 0);
  const std::optional<std::size_t> wrong = first_wrong_piece(pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * piece_size;
    return is_wrong(begin, begin + std::min(piece_size, size - begin));
  });
  if (!wrong) return std::nullopt;
  return *wrong * piece_size;
}

}  // namespace inkling
