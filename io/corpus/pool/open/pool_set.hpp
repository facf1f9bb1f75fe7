// Pools, or the shards of a set, opened as one numbering of documents: mapped, or read piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/format/row_copies.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/pool.hpp"

namespace inkling {

/// How the files of pools are accessed.
enum class PoolAccess {
  map,   ///< all of them mapped, and checked when opened
  read,  ///< read through bounded buffers, not mapped; checked when opened, and again whenever they are read
};

/// What to do about `PoolSet::has_uncompared_texts`, for people.
inline constexpr std::string_view kUncomparedTexts =
    "it is not known which texts of different shards are equal, so each of them is offered; to offer each text once, build the "
    "shards again with this program (inkling parts build) and join them";

struct PoolPlace {
  std::size_t pool = 0;
  DocumentId row = 0;  ///< within that pool
};

/// Rows of the first pool come first, then those of the second, and so on. All pools have the same features:
/// the same vocabulary, or none and the same number of columns.
///
/// Every failure, also a later one when a file is read, is a CorruptFileError naming the file, or a SystemError.
/// Move-only. Lifetime: views are valid as long as the set, or the one that it was moved to. Thread safety: const after
/// opening.
class PoolSet {
 public:
  /// Each path leads to a pool, or to the file of a set (io/corpus/pool/format/set_file.hpp), which represents its
  /// shards. Throws FormatError also if there is no pool, and if two pools do not fit: it names both and the first
  /// difference. Throws CorruptFileError if a shard is not the one that its set names.
  [[nodiscard]] static PoolSet open(std::span<const std::string> paths, PoolAccess access, PoolTrust trust);

  [[nodiscard]] PoolAccess access() const noexcept { return access_; }
  [[nodiscard]] PoolTrust trust() const noexcept { return trust_; }
  [[nodiscard]] std::size_t pools() const noexcept { return members_.size(); }
  [[nodiscard]] const std::string& path(std::size_t pool) const& { return members_[pool]->path(); }
  const std::string& path(std::size_t pool) const&& = delete;
  [[nodiscard]] const Manifest& manifest(std::size_t pool) const& { return members_[pool]->manifest(); }
  const Manifest& manifest(std::size_t pool) const&& = delete;

  [[nodiscard]] std::int64_t documents() const noexcept { return first_document_.back(); }
  [[nodiscard]] std::int32_t features() const noexcept;
  [[nodiscard]] std::int64_t nonzeros() const noexcept { return nonzeros_; }

  /// The number of a pool's first document; for pools() it is documents(). Requires: pool <= pools().
  [[nodiscard]] std::int64_t first_document(std::size_t pool) const { return first_document_[pool]; }
  /// Requires: 0 <= document < documents() (here and below).
  [[nodiscard]] PoolPlace place_of(std::int64_t document) const;

  /// One document, as a matrix of one row.
  [[nodiscard]] CsrMatrix row(std::int64_t document) const;

  [[nodiscard]] bool has_words() const { return members_.front()->vocabulary().has_value(); }
  [[nodiscard]] std::optional<FeatureId> feature_of(std::string_view word) const { return members_.front()->feature_of(word); }
  /// Requires: has_words(), 0 <= feature < features() (here and below).
  [[nodiscard]] std::string_view word(FeatureId feature) const& { return (*members_.front()->vocabulary())[feature]; }
  std::string_view word(FeatureId feature) const&& = delete;

  /// How many documents hold the feature.
  [[nodiscard]] std::int64_t document_frequency(FeatureId feature) const;

  /// Whether any pool has ids.
  [[nodiscard]] bool has_ids() const;
  /// Nothing if its pool has no ids. With PoolAccess::read, checks a megabyte when it is first used.
  [[nodiscard]] std::optional<std::string> id(std::int64_t document) const;

  /// Which documents are one with another: of the same pool, or of any shard of a set. Those of pools that were
  /// given apart are not known.
  [[nodiscard]] SetCopies copies() const& noexcept { return copies_.view(); }
  SetCopies copies() const&& = delete;
  /// Whether a set among them was joined by a program that did not compare the texts of its shards.
  [[nodiscard]] bool has_uncompared_texts() const noexcept { return has_uncompared_texts_; }
  /// Whether there is one pool, which knows all of its copies itself.
  [[nodiscard]] bool is_one_pool() const noexcept { return members_.size() == 1 && member(0).copies().size() == copies().size(); }
  /// Of the one pool that has the same documents; nothing unless this is a set that says it.
  [[nodiscard]] const std::optional<std::string>& fingerprint() const noexcept { return fingerprint_; }

  /// To be called after the work and before its results are used. Throws CorruptFileError if a file of a pool has changed
  /// since it was opened.
  void check_unchanged() const;

  /// The matrix of a pool. Requires: PoolAccess::map.
  [[nodiscard]] PoolView view(std::size_t pool) const&;
  PoolView view(std::size_t pool) const&& = delete;

  /// Requires: PoolAccess::map, pool < pools().
  [[nodiscard]] const Pool& mapped(std::size_t pool) const&;
  const Pool& mapped(std::size_t pool) const&& = delete;

  /// One of the pools, to be scanned. Requires: pool < pools().
  [[nodiscard]] const PoolMember& member(std::size_t pool) const& { return *members_[pool]; }
  const PoolMember& member(std::size_t pool) const&& = delete;

 private:
  static void add_member(std::vector<std::unique_ptr<PoolMember>>& members, std::unique_ptr<PoolMember> member);

  PoolSet(std::vector<std::unique_ptr<PoolMember>> members, PoolAccess access, PoolTrust trust);

  void note_copies(std::size_t first_pool, std::size_t end, const CopiedSetRows& of_set);

  PoolAccess access_;
  PoolTrust trust_;
  std::vector<std::unique_ptr<PoolMember>> members_;
  std::vector<std::int64_t> first_document_;  // by pool, and the end
  std::int64_t nonzeros_ = 0;
  CopiedSetRows copies_;
  bool has_uncompared_texts_ = false;
  std::optional<std::string> fingerprint_;
};

/// The paths of all pools that these paths mean, in order: a set means its shards. Does not open them. Throws as read_set_file
/// does.
[[nodiscard]] std::vector<std::string> pools_behind(std::span<const std::string> paths);

/// Throws CorruptFileError unless a pool is the shard that the set at `set_path` names.
void check_shard(const std::string& set_path, const ShardRecord& shard, const std::string& pool_path, const Manifest& manifest,
                 std::uint64_t manifest_checksum);

/// Lifetime: the set must outlive it. Thread safety: one thread at a time.
class IdStream {
 public:
  explicit IdStream(const PoolSet& pools);
  ~IdStream();
  IdStream(const IdStream&) = delete;
  IdStream& operator=(const IdStream&) = delete;

  /// The next document's id, valid until the next call; nothing if its pool has no ids. Requires: called at most once for
  /// each document.
  [[nodiscard]] std::optional<std::string_view> next();

 private:
  class ReadIds;

  void enter_pool();

  const PoolSet& pools_;
  std::size_t pool_ = 0;
  std::int64_t row_ = 0;               // the next one
  std::unique_ptr<ReadIds> read_;      // of the pool, if its files are read
  std::optional<StringTable> mapped_;  // of the pool, if its files are mapped
};

}  // namespace inkling
