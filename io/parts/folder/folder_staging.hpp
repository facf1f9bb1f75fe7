// A folder of arrays that is written beside its final name, and gets this name only when it is complete.
#pragma once

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/partial_folder.hpp"
#include "io/corpus/pool/write/file_staging.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "io/parts/folder/array_folder.hpp"
#include "io/parts/folder/folder_kind.hpp"

namespace inkling {

/// The result of publishing: the folder has the name now, or another writer's folder with the same bytes had it before.
enum class Published { now, before };

/// Removes what killed writers of this folder left beside it; for callers that find the folder complete and do not write it.
void remove_leftovers_of(const FolderKind& kind, const std::string& target);

/// A folder is never replaced: if two processes write the same one, the first gets the name, and the second finds it taken.
/// Leftovers of killed writers of the same name are removed first. Every failure throws SystemError with the final path.
/// Lifetime: destroyed without publish(), it removes what it wrote. Thread safety: that of FileStaging.
class FolderStaging final : public FileStaging {
 public:
  /// Throws SystemError (EEXIST) if something other than a folder of this kind has the name. Lifetime: lends the kind.
  FolderStaging(const FolderKind& kind, const std::string& target);

  [[nodiscard]] std::string path_of(std::string_view name) const override;
  [[nodiscard]] File create_file(std::string_view name) override;
  void add_file(FileRecord record) override;

  template <typename Number>
  void write(std::string_view name, const std::vector<Number>& numbers) {
    StagedArray<Number> array(*this, std::string(name));
    array.append(std::span(numbers));
    array.close();
  }
  void write(std::string_view table, const PackedStrings& strings);

  /// Adds the records of all files, writes the manifest last, fsyncs and takes the name. Throws SystemError (EEXIST) if a folder
  /// with other bytes has it. Requires: every file is closed; called once.
  [[nodiscard]] Published publish(FolderManifest manifest);

 private:
  void check_target() const;
  void write_manifest(const std::string& text);
  void sync_folder(const std::string& folder) const;
  /// Whether the folder with the final name is complete and has this manifest.
  [[nodiscard]] bool is_there(const std::string& text) const;
  [[noreturn]] void fail(std::string_view name, int error, std::string_view what) const;

  const FolderKind& kind_;
  std::string target_;
  std::string place_;
  std::optional<PartialFolder> partial_;
  std::mutex adding_;
  std::vector<FileRecord> files_;
};

}  // namespace inkling
