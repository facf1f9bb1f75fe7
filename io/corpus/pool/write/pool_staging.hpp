// A pool that is written beside its final name, and takes that name only when it is complete.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/partial_folder.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/write/file_staging.hpp"

namespace inkling {

/// What kind of folder a staging writes: a pool, or another folder of arrays and lines with a manifest.
struct StagedKind {
  std::string_view what = "a pool";  ///< as messages name it
  PartialContents contents;          ///< its files, the manifest among them, and their folders
  bool (*begins_manifest)(std::string_view text) = nullptr;
  /// Whether a folder that has the name already is replaced. If it stays, a later writer that brings the same bytes
  /// succeeds and changes nothing, and any other later writer is refused.
  enum class Existing { is_replaced, stays } existing = Existing::is_replaced;

  [[nodiscard]] static StagedKind pool();
};

/// Removes a pool. Its manifest goes last, because until then another pool may take its place. Allocates no memory.
void remove_pool(const std::string& path) noexcept;
/// Removes what writers of a pool left beside it, if it is not in use and nothing fails.
void remove_leftovers_of_pool(const std::string& path) noexcept;

/// A pool is written in a PartialFolder beside the final NAME. A new staging first removes what killed writers of the
/// same name left, and moves back an old pool that one of them had moved away. publish() gives the folder its name: an
/// older pool of that name is exchanged with it in one step and then removed. If the file system cannot exchange two
/// names, the old pool is in the partial folder while the new one takes its place. A target that exists and is not a pool
/// and not an empty folder is refused (SystemError, EEXIST). Every failure throws SystemError with the final path.
/// Lifetime: destroyed without publish(), or when that threw, it removes what it wrote and the old pool stays as it was.
/// Thread safety: files may be opened and filled from several threads, one thread a file.
class PoolStaging final : public FileStaging {
 public:
  explicit PoolStaging(const std::string& target, const StagedKind& kind = StagedKind::pool());

  /// The target as it was given, for messages.
  [[nodiscard]] const std::string& target() const { return target_; }
  /// Where the files are being written.
  [[nodiscard]] const std::string& folder() const { return folder_; }
  /// A name for a temporary file, which must be unlinked as soon as it is open; one at a time.
  [[nodiscard]] std::string scratch() const { return partial_->scratch(); }
  [[nodiscard]] std::string path_of(std::string_view name) const override;

  /// A new file of the pool, in a sub-folder that is made if it is not there, open for reading and writing.
  [[nodiscard]] File create_file(std::string_view name) override;

  void add_file(FileRecord record) override;

  /// Adds the records of all files, writes the manifest last, fsyncs folders, and takes the name. After that nothing
  /// throws. Requires: every staged file is closed; called once.
  void publish(Manifest manifest);
  /// The same with a manifest of another kind, whose text is made from the records of all files, ascending by name.
  void publish(const std::function<std::string(std::vector<FileRecord>)>& manifest_text);

  /// Whether a folder with the same bytes had the name already when this one was published. Requires: Existing::stays.
  [[nodiscard]] bool was_there() const { return was_there_; }

  /// How many bytes the published pool has, its manifest included.
  [[nodiscard]] std::uint64_t published_bytes() const { return published_bytes_; }
  /// The path of what is left of the old pool because the system refused to remove it; usually empty.
  [[nodiscard]] const std::string& unremoved() const { return unremoved_; }

 private:
  enum class Swap { moved, exchanged, set_aside, none };

  /// Whether the target is a pool or an empty folder; false if nothing is there. Throws SystemError for anything else.
  [[nodiscard]] bool replaces_something() const;
  [[nodiscard]] File open_folder(const std::string& folder) const;
  [[nodiscard]] static int sync_error_of(const File& folder) noexcept;
  void sync_folder(const std::string& folder) const;
  void write_manifest();
  void take_name();
  [[nodiscard]] Swap swap_in() const;
  [[nodiscard]] bool is_there_already() const;
  [[nodiscard]] int set_aside() const;
  void swap_back(Swap swap) const noexcept;
  [[noreturn]] void fail(std::string_view name, int error, std::string_view what) const;

  std::string target_;
  std::string place_;  // the target with symbolic links followed and without a slash at its end
  StagedKind kind_;
  std::string manifest_text_;
  bool was_there_ = false;
  std::optional<PartialFolder> partial_;
  std::string folder_;  // where the new pool is written
  std::string old_;     // where the old pool waits
  std::mutex adding_;
  std::vector<FileRecord> files_;
  std::uint64_t published_bytes_ = 0;
  std::string unremoved_;
};

}  // namespace inkling
