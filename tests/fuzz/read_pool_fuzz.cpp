// A pool on disk, made and damaged as the input says, under checksums that fit again: mapped and read it is the same, and
// what one way refuses, the other refuses with the same words.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/one_thread.hpp"
#include "tests/fuzz/pool_folders.hpp"
#include "tests/fuzz/scripted_pool.hpp"

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::use_one_thread();
  static fuzz::PoolFolders folders;
  fuzz::Script script(std::span(data, size));
  const fuzz::ScriptedPool pool = fuzz::scripted_pool(script);
  const std::vector<std::string> paths = {folders.write("pool", pool.files)};
  const PoolTrust trust = pool.trusts() ? PoolTrust::structure : PoolTrust::checksums;
  if (fuzz::contents_of(paths, PoolAccess::map, trust) != fuzz::contents_of(paths, PoolAccess::read, trust))
    std::abort();
  return 0;
}
