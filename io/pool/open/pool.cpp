#include "io/pool/open/pool.hpp"

#include "io/pool/open/mapped_pool.hpp"

namespace inkling {

Pool Pool::open(const std::string& path, PoolTrust trust) {
  MappedPool mapped = map_pool(path);
  PoolContents contents = checked_contents(path, mapped.by_name, trust);
  return {path, std::move(mapped.files), std::move(contents)};
}

std::optional<FeatureId> Pool::feature_of(std::string_view term) const {
  if (!contents_.vocabulary) return std::nullopt;
  const StringTable& terms = *contents_.vocabulary;
  std::int64_t begin = 0;
  std::int64_t end = terms.size();
  while (begin < end) {
    const std::int64_t middle = begin + (end - begin) / 2;
    if (terms[middle] < term) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (begin == terms.size() || terms[begin] != term) return std::nullopt;
  return static_cast<FeatureId>(begin);
}

}  // namespace inkling
