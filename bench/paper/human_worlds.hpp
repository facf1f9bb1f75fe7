// The studies in which people mark: film reviews with what was highlighted in them, and a simulated person.
#pragma once

#include <cstdint>
#include <string_view>

#include "bench/paper/text_world.hpp"
#include "bench/studies/figure.hpp"

namespace inkling::bench {

inline constexpr std::int32_t kHumanFeatures = 500;

/// The least random rounds by which a person who marks words that decide as often as the reviews' readers did
/// marks all of them with probability 0.95, `most` where that comes first.
[[nodiscard]] std::int64_t human_explore_rounds(const PaperContext& context, const World& world,
                                                std::int64_t most);

/// A study of film reviews, each shown once, without entrants yet. `rounds` is below the number of reviews.
[[nodiscard]] Study review_study(const PaperContext& context);

/// An entrant that is told the noise of rewards that are +1 or -1, and may not show a review again.
[[nodiscard]] Entrant reader_entrant(const PaperContext& context, std::string_view preset);

}  // namespace inkling::bench
