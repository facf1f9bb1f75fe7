// The rows of a pool, read one block after the other without mapping anything (`--io read`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/pool/format/manifest.hpp"
#include "io/pool/open/pool_contents.hpp"

namespace inkling {

/// Consecutive rows of a pool, in its own memory.
struct CsrBlock {
  std::int64_t first_row = 0;
  std::int32_t columns = 0;
  std::vector<std::int64_t> offsets = {0};  ///< from 0, one more than rows
  std::vector<FeatureId> features;
  std::vector<float> values;

  /// Lifetime: valid until the block changes or dies; so it cannot be called on a temporary.
  [[nodiscard]] CsrView view() const& { return {columns, offsets, features, values}; }
  CsrView view() const&& = delete;
};

/// Reads through bounded buffers and checks what passes: checksums, offsets, features, values. Rows alone:
/// columns and documents are not looked at. Every failure is a CorruptFileError naming the file, or a
/// SystemError. Thread safety: one thread at a time; each thread may work on its own block.
class RowStream {
 public:
  /// A block holds at most `block_entries` non-zeros, or one row that alone has more.
  explicit RowStream(const std::string& path, PoolTrust trust = PoolTrust::checksums,
                     std::int64_t block_entries = std::int64_t{1} << 18U);
  ~RowStream();
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;

  [[nodiscard]] const Manifest& manifest() const;

  /// The next rows into `block`, whose memory is used again, or false at the end.
  [[nodiscard]] bool next(CsrBlock& block);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace inkling
