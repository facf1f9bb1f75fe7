// The one main() of all test programs.
#define DOCTEST_CONFIG_IMPLEMENT
#include <filesystem>
#include <random>
#include <string>
#include <system_error>

#include <doctest/doctest.h>

#include "tests/support/engine/environment.hpp"

namespace {

// The cache of this process and of the programs that it starts. So no test reads or changes the cache of the person who runs it.
// Not a TemporaryFolder, because that may be made within a test only.
class OwnCache {
 public:
  OwnCache() {
    std::random_device random;
    do path_ = (std::filesystem::temp_directory_path() / ("inkling-cache-" + std::to_string(random()))).generic_string();
    while (!std::filesystem::create_directory(path_));
    inkling::test::set_environment(inkling::test::kFolderOfCaches, path_);
  }
  ~OwnCache() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  OwnCache(OwnCache&&) = delete;
  OwnCache& operator=(OwnCache&&) = delete;

 private:
  std::string path_;
};

}  // namespace

int main(int argc, char** argv) {
  const OwnCache cache;
  return doctest::Context(argc, argv).run();
}
