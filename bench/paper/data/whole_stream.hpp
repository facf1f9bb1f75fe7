// A stream read to its end, with a limit.
#pragma once

#include <cstdint>
#include <string>

#include "io/source/byte_stream.hpp"

namespace inkling::bench {

/// All that is left of the stream or, where that is more than `most` bytes, its beginning, which is longer
/// than that. Memory grows with what is there, whatever the limit.
[[nodiscard]] std::string whole_stream(InputStream& stream, std::uint64_t most);

}  // namespace inkling::bench
