// A text as a browser takes it in fewer bytes.
#pragma once

#include <string>
#include <string_view>

namespace inkling {

/// The text in the gzip format. Thread safety: pure.
[[nodiscard]] std::string gzip_text(std::string_view text);

/// Whether the value of a header Accept-Encoding says that gzip may be sent.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

}  // namespace inkling
