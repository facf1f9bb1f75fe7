// Several pools as one, each made and damaged as the input says: mapped and read the set is the same, and it has as many
// documents and entries as its pools.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <tbb/global_control.h>

#include "tests/fuzz/pool_folders.hpp"
#include "tests/fuzz/scripted_pool.hpp"

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Waking threads takes longer than all that there is to do.
  static const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  static const fuzz::PoolFolders folders;
  fuzz::Script script(std::span(data, size));
  std::vector<std::string> paths;
  PoolTrust trust = PoolTrust::checksums;
  constexpr std::size_t most_pools = 3;
  while (paths.size() < most_pools && (paths.empty() || !script.spent())) {
    // A part of the input for each, of which the rest is spent.
    const std::vector<std::uint8_t> part = script.take(1 + script.below(64));
    fuzz::Script own(part);
    const fuzz::ScriptedPool pool = fuzz::scripted_pool(own);
    if (pool.trusts()) trust = PoolTrust::structure;
    paths.push_back(folders.write("pool" + std::to_string(paths.size()), pool.files));
  }
  const std::string mapped = fuzz::contents_of(paths, PoolAccess::map, trust);
  if (mapped != fuzz::contents_of(paths, PoolAccess::read, trust)) std::abort();
  if (mapped.starts_with("refused: ")) return 0;
  const PoolSet all = PoolSet::open(paths, PoolAccess::map, trust);
  std::int64_t documents = 0;
  std::int64_t nonzeros = 0;
  for (const std::string& path : paths) {
    const PoolSet one = PoolSet::open(std::vector{path}, PoolAccess::map, trust);
    documents += one.documents();
    nonzeros += one.nonzeros();
  }
  if (all.documents() != documents || all.nonzeros() != nonzeros) std::abort();
  return 0;
}
