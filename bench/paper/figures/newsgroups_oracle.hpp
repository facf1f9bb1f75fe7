// 20 Newsgroups with an oracle's marks in 1,000 dimensions, with and without replacement.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure newsgroups_replacement_figure();
[[nodiscard]] Figure newsgroups_no_replacement_figure();

}  // namespace inkling::bench
