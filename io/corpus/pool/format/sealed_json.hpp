// JSON files that end in the checksum of all that stands before it, so that no bit of them is without one.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {

/// 16 lower-case hexadecimal digits, and the number that such digits are.
[[nodiscard]] std::string checksum_digits(std::uint64_t checksum);
[[nodiscard]] std::optional<std::uint64_t> parse_checksum_digits(std::string_view digits);

/// The text with its checksum as the last member. Requires: `beginning` is an object of one member a line, which is not
/// closed and ends in a comma and a line end.
[[nodiscard]] std::string sealed_json(std::string beginning);

/// Where the digits of the checksum begin, where the text ends as every sealed one does.
[[nodiscard]] std::optional<std::size_t> seal_position(std::string_view text);
/// The checksum at the end; nothing where the text does not end in one. It is not compared with the text.
[[nodiscard]] std::optional<std::uint64_t> seal_of(std::string_view text);

/// Throws CorruptFileError where the text ends in a checksum that is not its own.
void check_seal(const std::string& path, std::string_view text);

/// The text as simdjson parses it. Throws std::bad_alloc, where its own constructor leaves a null pointer.
[[nodiscard]] simdjson::padded_string padded(std::string_view text);
/// Whether there is no error. Throws std::bad_alloc where memory was too little, which is no error of the text.
[[nodiscard]] bool succeeded(simdjson::error_code error);

/// A kind of sealed files and its current version.
struct SealedFormat {
  std::string_view name;     ///< the member "format": "inkling set"
  std::string_view article;  ///< "an", as messages put it before the name
  std::int64_t version = 1;
};

/// Reads members of JSON objects that some program wrote: every failure is a CorruptFileError that names the file.
/// Thread safety: const from several threads.
class JsonMembers {
 public:
  using Element = simdjson::dom::element;

  explicit JsonMembers(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }

  [[noreturn]] void fail(const std::string& expectation) const;

  [[nodiscard]] std::int64_t integer(Element object, std::string_view key,
                                     std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  [[nodiscard]] std::string string(Element object, std::string_view key) const;
  [[nodiscard]] bool boolean(Element object, std::string_view key) const;
  [[nodiscard]] simdjson::dom::array array(Element object, std::string_view key) const;
  [[nodiscard]] Element object(Element object, std::string_view key) const;
  /// A checksum, as 16 digits.
  [[nodiscard]] std::uint64_t checksum(Element object, std::string_view key) const;

 private:
  std::string path_;
};

/// A sealed file, parsed.
class SealedJson : public JsonMembers {
 public:
  /// Throws where the checksum does not fit, and where the text is of another kind or of a newer version.
  SealedJson(std::string path, std::string_view text, const SealedFormat& format);

  [[nodiscard]] Element root() const { return root_; }

 private:
  simdjson::dom::parser parser_;
  Element root_;
};

/// The members "checksum_block" and "files" of a manifest, each with a comma and a line end after it.
[[nodiscard]] std::string file_records_text(std::span<const FileRecord> records);

/// Reads them back. Throws CorruptFileError where they are not as written, do not ascend, or name files that are not
/// among `names`.
[[nodiscard]] std::vector<FileRecord> file_records_in(const JsonMembers& json, simdjson::dom::element root,
                                                      std::span<const std::string_view> names);

}  // namespace inkling
