// A file as UTF-8, whatever it is encoded in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/corpus/source/document_source.hpp"
#include "io/corpus/text/encoding_guess.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

/// Sets both encodings of the options by a name: "auto", one of our own, or any that ICU has. False if there is none of that name.
[[nodiscard]] bool set_encoding(const std::string& name, SourceOptions& options);

/// Whether the encoding of each file is to be found out.
[[nodiscard]] bool detects_encoding(const SourceOptions& options);

/// The name of the encoding from which a text is to be converted before it is read; empty for none. `usual`: of its neighbours.
[[nodiscard]] std::string encoding_of_text(std::string_view bytes, const SourceOptions& options, std::string_view usual = {});

/// "read as windows-1252 (detected; --encoding names another)"
[[nodiscard]] std::string encoding_remark(const std::string& encoding);
inline constexpr const char* kUtf16Remark = "read as UTF-16, as its first two bytes say";

/// Whether lines end in "\r" alone, as Excel for Mac writes tables; line ends in quotes do not count.
[[nodiscard]] bool ends_lines_in_returns(std::string_view table);

/// Passes bytes on until some are not ASCII; these, and what follows them, say what the encoding is, if the options do not. Text
/// that is UTF-8 comes as it is, but lines of tables that end in "\r" alone end in "\n". Throws FormatError for bytes that are no
/// characters if these are refused. Lifetime: lends the stream.
class DecodedStream final : public InputStream {
 public:
  DecodedStream(InputStream& stream, std::string name, const SourceOptions& options);
  [[nodiscard]] std::size_t read(std::span<char> to) override;

  /// The encoding that was found, once, as soon as it is known; empty otherwise.
  [[nodiscard]] std::string take_found() { return std::exchange(found_, {}); }
  /// Of a mailbox, which is passed on as it is because each letter may name its own encoding: what the others are likely in.
  [[nodiscard]] const std::string& usual() const { return usual_; }
  /// Whether what was found is what the rest of the stream is in.
  [[nodiscard]] bool is_decided() const { return undecided_ == 0; }
  /// How many bytes were no characters since the last call.
  [[nodiscard]] std::int64_t take_bad_bytes();
  /// Of a table.
  [[nodiscard]] bool has_returns() const noexcept { return has_returns_; }

 private:
  [[nodiscard]] std::size_t read_decoded(std::span<char> to);
  void read_evidence();
  void decide();
  [[nodiscard]] bool convert_some();
  void refuse_bad_bytes() const;

  InputStream* stream_;
  std::string name_;
  bool detects_;
  BadBytes bad_bytes_;
  std::string encoding_;
  std::string found_;
  bool is_mail_;
  std::string usual_;
  std::optional<EncodingConverter> converter_;
  std::string waiting_;  // bytes as they come out, from `at_` on
  std::size_t at_ = 0;
  std::uint64_t undecided_;  // so many bytes may still decide
  std::int64_t taken_ = 0;
  bool at_end_ = false;
  bool has_returns_ = false;  // at the ends of lines, without "\n"
};

}  // namespace inkling
