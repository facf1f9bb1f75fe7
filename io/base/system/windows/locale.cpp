#include "io/base/system/locale.hpp"

namespace inkling {

// The program's manifest says that its text is UTF-8.
Utf8Names::Utf8Names() noexcept = default;
Utf8Names::~Utf8Names() = default;

}  // namespace inkling
