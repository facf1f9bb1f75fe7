#include "io/base/system/random.hpp"

#include <cstdlib>

namespace inkling {

void fill_random(std::span<std::byte> bytes) { ::arc4random_buf(bytes.data(), bytes.size()); }

}  // namespace inkling
