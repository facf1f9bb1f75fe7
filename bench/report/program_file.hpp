// Files that belong to the program and are not part of it.
#pragma once

#include <string>

namespace inkling::bench {

/// The path of a file that is named as it lies in the sources ("bench/report/draw"): in share/inkling beside an installed
/// program, else among the sources that the program was built from.
[[nodiscard]] std::string program_file(const std::string& name);

}  // namespace inkling::bench
