// The figures beyond the paper as a programme: soft marks, and everybody else's policies beside them.
#pragma once

#include "bench/studies/programme.hpp"

namespace inkling::bench {

[[nodiscard]] const Programme& beyond_programme();

}  // namespace inkling::bench
