// A pool on disk, made and damaged as the input says, with checksums that fit: it is the same whether files are mapped or read.
// If one way refuses it, the other does with the same message, and it is also refused in memory.
#include <cstddef>
#include <cstdint>
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
  const PoolTrust trust = pool.trusts() ? PoolTrust::structure : PoolTrust::checksums;
  const bool is_refused = fuzz::is_refused_in_memory(pool, trust);
  if (!fuzz::is_looked_at_on_disk(is_refused, data, size)) return 0;
  const std::vector<std::string> paths = {folders.write("pool", pool.files)};
  const std::string mapped = fuzz::contents_of(paths, PoolAccess::map, trust);
  fuzz::demand(mapped.starts_with(fuzz::kRefused) == is_refused);
  fuzz::demand(mapped == fuzz::contents_of(paths, PoolAccess::read, trust));
  return 0;
}
