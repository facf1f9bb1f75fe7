// Where the files of a folder are written, one by one, before the folder takes its name.
#pragma once

#include <string>
#include <string_view>

#include "io/base/system/file.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {

/// Thread safety: files may be made and added from several threads, one thread a file.
class FileStaging {
 public:
  FileStaging() = default;
  virtual ~FileStaging() = default;
  FileStaging(const FileStaging&) = delete;
  FileStaging& operator=(const FileStaging&) = delete;
  FileStaging(FileStaging&&) = delete;
  FileStaging& operator=(FileStaging&&) = delete;

  /// "TARGET/NAME", as messages name a file of the folder.
  [[nodiscard]] virtual std::string path_of(std::string_view name) const = 0;
  /// A new file, open for reading and writing.
  [[nodiscard]] virtual File create_file(std::string_view name) = 0;
  /// Called by each StagedFile when it closes.
  virtual void add_file(FileRecord record) = 0;
};

}  // namespace inkling
