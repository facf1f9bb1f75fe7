#include "io/base/system/locale.hpp"

#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale is not in <clocale>

namespace inkling {

Utf8Names::Utf8Names() noexcept {
  // Made once: making one opens files.
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (utf8 != nullptr) before_ = ::uselocale(utf8);
}

Utf8Names::~Utf8Names() {
  if (before_ != nullptr) ::uselocale(static_cast<locale_t>(before_));
}

}  // namespace inkling
