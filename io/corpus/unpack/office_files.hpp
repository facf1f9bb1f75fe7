// Zip files that are one document of an office program, and no files by name.
#pragma once

#include <string_view>

#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

struct OfficeFile {
  std::string_view name = {};    ///< "a DOCX file"; empty for all other files
  std::string_view remedy = {};  ///< how to make something readable of it
  bool is_workbook = false;      ///< XLSX, whose first sheet can be read
};

/// Of a zip file, by its list of files. Requires: the file can be sought in.
[[nodiscard]] OfficeFile office_file_in(const FileStream& file);
/// Of a zip file that comes as a stream, by its first bytes alone.
[[nodiscard]] OfficeFile office_file_at(std::string_view head);

}  // namespace inkling
