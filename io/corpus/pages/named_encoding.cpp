#include "io/corpus/pages/named_encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

std::int64_t append_replaced_by(std::string_view bytes, TextEncoding encoding, std::string& out) {
  if (is_decoded(bytes, encoding)) {
    out += bytes;
    return 0;
  }
  TextDecoder decoder(bytes, encoding, BadBytes::replace);
  PaddedText decoded;
  out += decoder.decode(bytes, decoded).value_or(std::string_view());
  return decoder.replaced();
}

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};

// Nothing if the name is unknown.
std::optional<std::int64_t> append_by_icu(std::string_view bytes, const std::string& name, std::string& out) {
  UErrorCode failure = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, CloseConverter> converter(ucnv_open(name.c_str(), &failure));
  if (U_FAILURE(failure) != 0 || !converter) return std::nullopt;
  const icu::UnicodeString text(bytes.data(), static_cast<std::int32_t>(bytes.size()), converter.get(), failure);
  if (U_FAILURE(failure) != 0) return std::nullopt;
  text.toUTF8String(out);
  std::int64_t replaced = 0;
  for (std::int32_t at = 0; at < text.length(); ++at) replaced += text.charAt(at) == 0xFFFD ? 1 : 0;
  return replaced;
}

}  // namespace

std::int64_t append_in_encoding(std::string_view bytes, std::string_view name, TextEncoding otherwise, std::string& out) {
  constexpr std::array<std::string_view, 5> of_windows = {"iso-8859-1", "latin1", "iso_8859-1", "windows-1252", "cp1252"};
  constexpr std::size_t most_by_icu = std::size_t{1} << 30U;
  const std::string known = ascii_lower_case(name);
  if (known == "utf-8" || known == "utf8" || known == "us-ascii" || known == "ascii")
    return append_replaced_by(bytes, TextEncoding::utf8, out);
  if (std::ranges::find(of_windows, known) != of_windows.end()) return append_replaced_by(bytes, TextEncoding::cp1252, out);
  if (!known.empty() && bytes.size() < most_by_icu)
    if (const std::optional<std::int64_t> replaced = append_by_icu(bytes, known, out)) return *replaced;
  return append_replaced_by(bytes, is_decoded(bytes, TextEncoding::utf8) ? TextEncoding::utf8 : otherwise, out);
}

}  // namespace inkling
