#include "bench/report/program_file.hpp"

#include <filesystem>
#include <system_error>

namespace inkling::bench {

std::string program_file(const std::string& name) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed = program.parent_path().parent_path() / "share" / "inkling" / name;
  return std::filesystem::exists(installed, error) ? installed.string() : INKLING_SOURCES "/" + name;
}

}  // namespace inkling::bench
