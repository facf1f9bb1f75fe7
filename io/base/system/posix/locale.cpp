#include "io/base/system/locale.hpp"

#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale is not in <clocale>
#if __has_include(<xlocale.h>)
#  include <xlocale.h>
#endif

namespace inkling {
namespace {

// Under the names of Linux and of macOS.
locale_t utf8_locale() noexcept {
  const locale_t linux_name = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return linux_name != nullptr ? linux_name : ::newlocale(LC_CTYPE_MASK, "UTF-8", nullptr);
}

}  // namespace

Utf8Names::Utf8Names() noexcept {
  // Made once: making one opens files.
  static const locale_t utf8 = utf8_locale();
  if (utf8 != nullptr) before_ = ::uselocale(utf8);
}

Utf8Names::~Utf8Names() {
  if (before_ != nullptr) ::uselocale(static_cast<locale_t>(before_));
}

}  // namespace inkling
