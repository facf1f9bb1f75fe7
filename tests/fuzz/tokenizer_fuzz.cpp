// Any text gives the tokens of the plain twin, with the options that its first byte chooses.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/text/decoding.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "io/corpus/text/tokenizer.hpp"
#include "tests/support/io/plain_text.hpp"

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const TokenOptions options = {
      (choice & 1U) != 0 ? TokenRule::letters : TokenRule::words, static_cast<std::int32_t>(1 + (choice >> 1U) % 3),
      (choice & 8U) != 0 ? LetterCase::keep : LetterCase::lower, static_cast<Accents>((choice >> 4U) % 3)};
  PaddedText text;
  append_replaced({reinterpret_cast<const char*>(data) + 1, size - 1}, text);
  std::vector<std::string> tokens;
  Tokenizer(options).for_each(text.view(), [&tokens](std::string_view token) { tokens.emplace_back(token); });
  if (tokens != test::plain_tokens(text.view(), options)) std::abort();
  return 0;
}
