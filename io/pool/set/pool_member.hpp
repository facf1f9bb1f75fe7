// One pool of a set: what a set asks of it, however its files are looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "io/pool/format/manifest.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/pool_contents.hpp"

namespace inkling {

class Pool;
class ReadPool;

/// Thread safety: const after opening.
class PoolMember {
 public:
  PoolMember() = default;
  virtual ~PoolMember() = default;
  PoolMember(const PoolMember&) = delete;
  PoolMember& operator=(const PoolMember&) = delete;

  [[nodiscard]] virtual const std::string& path() const = 0;
  [[nodiscard]] virtual const Manifest& manifest() const = 0;

  /// Terms by feature, or nothing where there are none. Lifetime: lends the member.
  [[nodiscard]] virtual const std::optional<StringTable>& vocabulary() const = 0;
  /// Frees the memory of the vocabulary.
  virtual void drop_vocabulary() = 0;

  /// Requires: the row, or the feature, is in the pool (here and below).
  [[nodiscard]] virtual CsrMatrix row(DocumentId row) const = 0;
  /// Where the feature's postings begin and end in the arrays by feature.
  [[nodiscard]] virtual std::pair<std::int64_t, std::int64_t> postings_of(FeatureId feature) const = 0;
  /// Nothing where the pool has no ids.
  [[nodiscard]] virtual std::optional<std::string> id(DocumentId row) const = 0;

  /// The one of the two that it is; the other is nullptr.
  [[nodiscard]] virtual const Pool* mapped() const = 0;
  [[nodiscard]] virtual const ReadPool* read() const = 0;
};

[[nodiscard]] std::unique_ptr<PoolMember> map_member(const std::string& path, PoolTrust trust);
[[nodiscard]] std::unique_ptr<PoolMember> read_member(const std::string& path, PoolTrust trust);

}  // namespace inkling
