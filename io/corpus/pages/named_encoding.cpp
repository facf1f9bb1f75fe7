#include "io/corpus/pages/named_encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "io/base/file/utf8.hpp"
#include "io/corpus/text/encoding_guess.hpp"

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

// Nothing if the name is unknown.
std::optional<std::int64_t> append_by_icu(std::string_view bytes, const std::string& name, std::string& out) {
  if (known_encoding(name).empty()) return std::nullopt;
  EncodingConverter converter(name);
  converter.append(bytes, true, out);
  return converter.replaced();
}

}  // namespace

std::int64_t UnnamedEncoding::append(std::string_view bytes, std::string& out) {
  const bool may_be_utf8 = is_decoded(bytes, TextEncoding::utf8);
  if (encoding_ != TextEncoding::detected || !other_.empty()) {
    if (may_be_utf8 || other_.empty()) return append_replaced_by(bytes, may_be_utf8 ? TextEncoding::utf8 : encoding_, out);
    return append_by_icu(bytes, std::string(other_), out).value_or(0);
  }
  if (!of_whole_) of_whole_ = guessed_encoding(whole_, usual_);
  const std::string found = of_whole_->empty() ? guessed_encoding(bytes, usual_)
                            : may_be_utf8      ? guessed_encoding(bytes, *of_whole_)
                                               : *of_whole_;
  if (found.empty()) return append_replaced_by(bytes, TextEncoding::utf8, out);
  detected_ = found;
  return append_by_icu(bytes, found, out).value_or(0);
}

std::int64_t append_in_encoding(std::string_view bytes, std::string_view name, UnnamedEncoding& otherwise, std::string& out) {
  constexpr std::array<std::string_view, 5> of_windows = {"iso-8859-1", "latin1", "iso_8859-1", "windows-1252", "cp1252"};
  const std::string known = ascii_lower_case(name);
  if (known == "utf-8" || known == "utf8" || known == "us-ascii" || known == "ascii")
    return append_replaced_by(bytes, TextEncoding::utf8, out);
  if (std::ranges::find(of_windows, known) != of_windows.end()) return append_replaced_by(bytes, TextEncoding::cp1252, out);
  if (!known.empty())
    if (const std::optional<std::int64_t> replaced = append_by_icu(bytes, known, out)) return *replaced;
  if (tells_encoding(bytes)) return otherwise.append(bytes, out);
  out += bytes;
  return 0;
}

}  // namespace inkling
