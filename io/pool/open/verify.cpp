#include "io/pool/open/verify.hpp"

#include <atomic>
#include <cstddef>
#include <span>

#include "io/pool/open/mapped_pool.hpp"
#include "io/pool/open/pool_contents.hpp"

namespace inkling {

VerifyReport verify_pool(const std::string& path,
                         const std::function<void(std::uint64_t, std::uint64_t)>& advance) {
  const MappedPool mapped = map_pool(path);
  std::uint64_t bytes = 0;
  for (const auto& [name, file] : mapped.by_name) bytes += file.size();

  std::atomic<std::uint64_t> done = 0;
  const auto checked = [&](std::span<const std::byte> piece) {
    advance(done += piece.size(), 2 * bytes);
    forget_pages(piece);
  };
  const PoolContents contents = checked_contents(path, mapped.by_name, PoolTrust::checksums, checked);
  advance(2 * bytes, 2 * bytes);  // headers and the like were not told of
  return {.files = static_cast<std::int64_t>(mapped.files.size()),
          .bytes = bytes,
          .rows = contents.manifest.rows,
          .columns = contents.manifest.columns,
          .nonzeros = contents.manifest.nonzeros};
}

}  // namespace inkling
