// SHA-256 (FIPS 180-4), so that a file of users need not hold their tokens.
#pragma once

#include <string>
#include <string_view>

namespace inkling {

/// 64 hexadecimal digits, as `sha256sum` prints them. Thread safety: pure.
[[nodiscard]] std::string sha256_text(std::string_view bytes);

}  // namespace inkling
