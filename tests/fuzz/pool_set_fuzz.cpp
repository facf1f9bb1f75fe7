// Several pools as one, each made and damaged as the input says: mapped and read the set is the same, and it has as many
// documents and entries as its pools.
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
  std::vector<std::string> paths;
  PoolTrust trust = PoolTrust::checksums;
  std::uint64_t documents = 0;  // as the manifests tell, which may lie: a sum may run over
  std::uint64_t nonzeros = 0;
  constexpr std::size_t most_pools = 3;
  while (paths.size() < most_pools && (paths.empty() || !script.spent())) {
    // A part of the input for each, of which the rest is spent.
    const std::vector<std::uint8_t> part = script.take(1 + script.below(64));
    fuzz::Script own(part);
    const fuzz::ScriptedPool pool = fuzz::scripted_pool(own);
    if (pool.trusts()) trust = PoolTrust::structure;
    documents += static_cast<std::uint64_t>(pool.rows);
    nonzeros += static_cast<std::uint64_t>(pool.nonzeros);
    paths.push_back(folders.write("pool" + std::to_string(paths.size()), pool.files));
  }
  const std::string mapped = fuzz::contents_of(paths, PoolAccess::map, trust);
  if (mapped != fuzz::contents_of(paths, PoolAccess::read, trust)) std::abort();
  if (!mapped.starts_with("refused: ") &&
      !mapped.starts_with(fuzz::beginning_of_contents(documents, nonzeros)))
    std::abort();
  return 0;
}
