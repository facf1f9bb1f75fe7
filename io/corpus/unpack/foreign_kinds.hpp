// Kinds of files that are not read here, each with a way to convert it; among them zip files that are one document of an
// office program.
#pragma once

#include <string_view>

#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

struct ForeignKind {
  /// How the kind is recognised: by the first bytes of the file; a zip file by the type in its first file (OpenDocument
  /// 1.2, part 3; EPUB 3), or by the names of its files (ECMA-376).
  enum class Sign { first_bytes, type, part };

  Sign sign = Sign::first_bytes;
  std::string_view mark;
  std::string_view name;         ///< "a Parquet file"
  std::string_view remedy;       ///< how to convert it
  bool is_document = false;      ///< it has words, but not as plain bytes
  bool is_workbook = false;      ///< XLSX, whose first sheet can be read
  std::string_view second = {};  ///< must be found, too, anywhere in the same bytes
};
inline constexpr std::string_view kArrayName = "a NumPy array";

/// The kind by the first bytes of a file; null if it is none of them. Lifetime: kinds are constants.
[[nodiscard]] const ForeignKind* foreign_kind_of(std::string_view head);
/// The kind of a zip file, by its list of files. Requires: file.can_seek().
[[nodiscard]] const ForeignKind* zipped_kind_in(const FileStream& file);
/// The kind of a zip file that comes as a stream, by its first bytes alone.
[[nodiscard]] const ForeignKind* zipped_kind_at(std::string_view head);

}  // namespace inkling
