// A pool on disk as a C++ program uses it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

class WholePool;

/// A pool, or a set whose shards are joined in memory. Move-only. Lifetime: all that it lends is valid as long as this
/// object, or the one that it was moved to. Thread safety: const after opening.
class OpenedPool {
 public:
  /// Checks all of it. Throws SystemError, and FormatError that names the file if this is not a pool or is damaged.
  explicit OpenedPool(const std::string& path);
  ~OpenedPool();
  OpenedPool(OpenedPool&&) noexcept;
  OpenedPool& operator=(OpenedPool&&) noexcept;
  OpenedPool(const OpenedPool&) = delete;
  OpenedPool& operator=(const OpenedPool&) = delete;

  [[nodiscard]] const std::string& path() const&;
  [[nodiscard]] PoolView view() const&;
  PoolView view() const&& = delete;

  /// Each returns nothing if the pool has no such thing. Requires: the document is in the pool.
  [[nodiscard]] std::optional<std::string> id(DocumentId document) const;
  [[nodiscard]] std::optional<std::string_view> text(DocumentId document) const&;
  [[nodiscard]] std::optional<std::string_view> label(DocumentId document) const&;
  [[nodiscard]] std::optional<std::string_view> word(FeatureId feature) const&;
  /// The feature of exactly this word.
  [[nodiscard]] std::optional<FeatureId> feature_of(std::string_view word) const;

  /// To be called after the work and before its results are used. Throws FormatError if a file became shorter, or was
  /// written to, since the pool was opened.
  void check_unchanged() const;

  /// For Inkling itself.
  [[nodiscard]] const WholePool& whole() const& { return *whole_; }

 private:
  std::string path_;
  std::unique_ptr<const WholePool> whole_;
};

}  // namespace inkling
