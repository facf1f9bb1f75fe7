// Words that a person learns nothing from when they are shown alone.
#pragma once

#include <string_view>

namespace inkling {

/// Whether a word or phrase of a pool is, or holds, a function word (of English, German, Spanish, French, Italian, Dutch or
/// Portuguese), a number or a single letter. For display alone: models learn from such words as from any other. Thread safety: pure.
[[nodiscard]] bool says_nothing(std::string_view term);

}  // namespace inkling
