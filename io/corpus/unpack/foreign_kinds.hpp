// Kinds of files that nothing here reads, each with what makes something readable of it; and zip files that are one document
// of an office program, and no files by name.
#pragma once

#include <string_view>

#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

struct ForeignKind {
  /// How it is told: by its first bytes; of a zip file by its type, which is in its first file (OpenDocument 1.2, part 3; EPUB
  /// 3), or by files that it holds (ECMA-376).
  enum class Sign { first_bytes, type, part };

  Sign sign = Sign::first_bytes;
  std::string_view mark;
  std::string_view name;         ///< "a Parquet file"
  std::string_view remedy;       ///< how to make something readable of it
  bool is_document = false;      ///< with words in it, which are none in its bytes
  bool is_workbook = false;      ///< XLSX, whose first sheet can be read
  std::string_view second = {};  ///< stands somewhere, too, in what is looked at
};
inline constexpr std::string_view kArrayName = "a NumPy array";

/// By the first bytes of a file; null for all others. Lifetime of the kinds: for ever.
[[nodiscard]] const ForeignKind* foreign_kind_of(std::string_view head);
/// Of a zip file, by its list of files. Requires: the file can be sought in.
[[nodiscard]] const ForeignKind* zipped_kind_in(const FileStream& file);
/// Of a zip file that comes as a stream, by its first bytes alone.
[[nodiscard]] const ForeignKind* zipped_kind_at(std::string_view head);

/// Whether the file, which can be sought in or not, is an XLSX file.
[[nodiscard]] bool is_workbook(const FileStream& file);

}  // namespace inkling
