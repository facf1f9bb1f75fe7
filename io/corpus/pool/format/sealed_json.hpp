// JSON files that end in the checksum of everything before it, so that it covers every bit of the file.
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

/// A checksum as 16 lower-case hexadecimal digits, and the reverse.
[[nodiscard]] std::string checksum_digits(std::uint64_t checksum);
[[nodiscard]] std::optional<std::uint64_t> parse_checksum_digits(std::string_view digits);

/// The text with its checksum as the last member. Requires: `beginning` is an object with one member a line that is not
/// closed yet: it ends in a comma and a line end.
[[nodiscard]] std::string sealed_json(std::string beginning);

/// Where the digits of the checksum begin; nothing if the text does not end as a sealed one does.
[[nodiscard]] std::optional<std::size_t> seal_position(std::string_view text);
/// The checksum at the end, not compared with the text; nothing if the text does not end in one.
[[nodiscard]] std::optional<std::uint64_t> seal_of(std::string_view text);

/// Throws CorruptFileError if the text ends in a checksum that is wrong.
void check_seal(const std::string& path, std::string_view text);

/// A padded copy for simdjson. Throws std::bad_alloc if there is no memory; simdjson's constructor would leave a null
/// pointer.
[[nodiscard]] simdjson::padded_string padded(std::string_view text);
/// Whether there is no error. Throws std::bad_alloc if there was no memory, because that is not an error of the text.
[[nodiscard]] bool succeeded(simdjson::error_code error);

/// A kind of sealed files and its current version.
struct SealedFormat {
  std::string_view name;     ///< the member "format": "inkling set"
  std::string_view article;  ///< "an", as messages put it before the name
  std::int64_t version = 1;
};

/// Reads members of JSON objects in a file: every failure is a CorruptFileError that names the file. Thread safety: const
/// from several threads.
class JsonMembers {
 public:
  using Element = simdjson::dom::element;

  explicit JsonMembers(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }

  [[noreturn]] void fail(const std::string& expectation) const;

  [[nodiscard]] static bool has(Element object, std::string_view key) { return object[key].error() == simdjson::SUCCESS; }
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
  /// Throws if the checksum is wrong, or if the text is of another kind or of a newer version.
  SealedJson(std::string path, std::string_view text, const SealedFormat& format);

  [[nodiscard]] Element root() const { return root_; }

 private:
  simdjson::dom::parser parser_;
  Element root_;
};

/// The members "checksum_block" and "files" of a manifest, each with a comma and a line end after it.
[[nodiscard]] std::string file_records_text(std::span<const FileRecord> records);

/// Reads these members back. Throws CorruptFileError if they are not in the form in which they are written, do not
/// ascend, or name files that are not among `names`.
[[nodiscard]] std::vector<FileRecord> file_records_in(const JsonMembers& json, simdjson::dom::element root,
                                                      std::span<const std::string_view> names);

}  // namespace inkling
