// The ids of all documents of a set of pools in order, in little memory.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "io/pool/set/pool_set.hpp"

namespace inkling {

/// Lifetime: the set must outlive it. Thread safety: one thread at a time.
class IdStream {
 public:
  explicit IdStream(const PoolSet& pools);
  ~IdStream();
  IdStream(const IdStream&) = delete;
  IdStream& operator=(const IdStream&) = delete;

  /// The next document's id, until the next call; nothing where its pool has none. Requires: called at most
  /// once for each document.
  [[nodiscard]] std::optional<std::string_view> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace inkling
