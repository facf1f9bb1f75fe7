// Several pools as a set, each made and damaged as the input says: the set is the same mapped and read, and has as many documents
// and entries as its pools.
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
  // Each pool gets a part of the input and ignores what it does not need.
  std::vector<std::vector<std::uint8_t>> parts;
  PoolTrust trust = PoolTrust::checksums;
  constexpr std::size_t most_pools = 3;
  while (parts.size() < most_pools && (parts.empty() || !script.spent())) {
    parts.push_back(script.take(1 + script.below(64)));
    fuzz::ScriptedPool begun;
    begun.options = fuzz::Script(parts.back()).byte();
    if (begun.trusts()) trust = PoolTrust::structure;
  }
  std::vector<fuzz::ScriptedPool> pools;
  std::uint64_t documents = 0;  // by the manifests, which may be wrong: the sum may overflow
  std::uint64_t nonzeros = 0;
  bool is_refused = false;
  for (const std::vector<std::uint8_t>& part : parts) {
    fuzz::Script own(part);
    const fuzz::ScriptedPool& pool = pools.emplace_back(fuzz::scripted_pool(own));
    documents += static_cast<std::uint64_t>(pool.rows);
    nonzeros += static_cast<std::uint64_t>(pool.nonzeros);
    if (is_refused) continue;
    is_refused = fuzz::is_refused_in_memory(pool, trust);
    if (is_refused && !fuzz::is_looked_at_on_disk(is_refused, data, size)) return 0;
  }
  if (!fuzz::is_looked_at_on_disk(is_refused, data, size)) return 0;
  std::vector<std::string> paths;
  paths.reserve(pools.size());
  for (const fuzz::ScriptedPool& pool : pools) paths.push_back(folders.write("pool" + std::to_string(paths.size()), pool.files));
  const std::string mapped = fuzz::contents_of(paths, PoolAccess::map, trust);
  const bool is_one = !mapped.starts_with(fuzz::kRefused);  // sound pools may be refused as a set
  fuzz::demand(!is_one || !is_refused);
  fuzz::demand(!is_one || mapped.starts_with(fuzz::beginning_of_contents(documents, nonzeros)));
  fuzz::demand(mapped == fuzz::contents_of(paths, PoolAccess::read, trust));
  return 0;
}
