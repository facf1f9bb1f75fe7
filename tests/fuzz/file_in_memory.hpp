// A file in memory for fuzz targets that open a file by its name. It is made once and overwritten for every input.
#pragma once

#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "io/base/file/output_file.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace inkling::fuzz {

/// Its name is valid while this object lives.
class FileInMemory {
 public:
  FileInMemory()
      : descriptor_(::memfd_create("fuzzed", MFD_CLOEXEC)),
        path_("/proc/self/fd/" + std::to_string(descriptor_.number())) {
    demand(descriptor_.is_open());
  }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Overwrites the file in place, so that the system need not allocate its pages again.
  void fill(std::string_view bytes) const {
    const ssize_t written = ::pwrite(descriptor_.number(), bytes.data(), bytes.size(), 0);
    demand(written == static_cast<ssize_t>(bytes.size()));
    demand(::ftruncate(descriptor_.number(), static_cast<off_t>(bytes.size())) == 0);
  }

 private:
  Descriptor descriptor_;
  std::string path_;
};

}  // namespace inkling::fuzz
