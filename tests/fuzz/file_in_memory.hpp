// A file in memory for fuzz targets that open a file by its name. It is made once and overwritten for every input.
#pragma once

#include <string>
#include <string_view>

#include "io/base/system/file.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace inkling::fuzz {

/// Its name is valid while this object lives.
class FileInMemory {
 public:
  FileInMemory() : file_(File::in_memory(path_)) { demand(file_.is_open()); }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Overwrites the file in place, so that the system need not allocate its pages again.
  void fill(std::string_view bytes) const {
    demand(file_.write_all_at(std::as_bytes(std::span(bytes)), 0) == 0);
    demand(file_.resize(bytes.size()) == 0);
  }

 private:
  std::string path_;
  File file_;
};

}  // namespace inkling::fuzz
