// Text in an encoding that a page or letter names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/corpus/text/decoding.hpp"

namespace inkling {

/// How a page or letter encodes the text for which it names nothing: one encoding for all of it. Lifetime: lends both texts.
class UnnamedEncoding {
 public:
  /// `whole`: what the encoding is detected from, if it is to be. `other`: the name that ICU has for it; empty for `encoding`.
  /// `usual`: what its neighbours are in.
  UnnamedEncoding(std::string_view whole, TextEncoding encoding, std::string_view other, std::string_view usual = {})
      : whole_(whole), encoding_(encoding), other_(other), usual_(usual) {}

  /// Appends bytes that are not ASCII. Returns how many of them were no characters and became U+FFFD.
  std::int64_t append(std::string_view bytes, std::string& out);
  /// The name of what was detected; empty if nothing had to be.
  [[nodiscard]] const std::string& detected() const { return detected_; }

 private:
  std::string_view whole_;
  TextEncoding encoding_;
  std::string_view other_;
  std::string_view usual_;
  std::optional<std::string> of_whole_;  // says nothing of bytes in base64 or the like
  std::string detected_;
};

/// Appends the bytes as UTF-8. `name`: as MIME and HTML have it ("iso-8859-1" is read as Windows-1252, as browsers do).
/// If the name is empty or unknown, bytes that are UTF-8 stay as they are, and others are decoded by `otherwise`. Returns
/// how many bytes were no characters and became U+FFFD.
std::int64_t append_in_encoding(std::string_view bytes, std::string_view name, UnnamedEncoding& otherwise, std::string& out);

}  // namespace inkling
