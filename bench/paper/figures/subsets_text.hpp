// OFUL on random subsets of the words that matter, in real text.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure subsets_text_figure();

}  // namespace inkling::bench
