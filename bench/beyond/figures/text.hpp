// All policies on real text: messages of the newsgroups in all their words, and film reviews with what
// people highlighted.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure text_newsgroups_figure();
[[nodiscard]] Figure text_reviews_figure();

}  // namespace inkling::bench
