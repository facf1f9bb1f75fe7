// A pool being written beside its final name, which it takes whole or not at all.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/output_file.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {

/// The folder NAME.partial-PID-N beside the final NAME, locked while its writer lives. A new staging removes
/// what killed writers of the same name left. publish() makes it the pool: an older pool of that name is
/// exchanged in one step and then removed. A target that exists and is not a pool and not an empty folder is
/// refused (SystemError, EEXIST). Every failure throws SystemError with the final path. Lifetime: destroyed
/// without publish(), or when that threw, it removes what it wrote and the old pool stays as it was. Thread
/// safety: files may be opened and filled from several threads, one thread a file.
class PoolStaging {
 public:
  explicit PoolStaging(const std::string& target, WriteCalls calls = WriteCalls::of_system());
  ~PoolStaging();
  PoolStaging(const PoolStaging&) = delete;
  PoolStaging& operator=(const PoolStaging&) = delete;

  /// As given, for messages.
  [[nodiscard]] const std::string& target() const { return target_; }
  /// Where the files are being written.
  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] const WriteCalls& calls() const { return calls_; }
  /// "TARGET/NAME", as messages name a file of the pool.
  [[nodiscard]] std::string path_of(std::string_view name) const;

  /// A new file of the pool, in a sub-folder that is made if it is not there, open for reading and writing.
  [[nodiscard]] Descriptor create_file(std::string_view name);

  /// Called by each StagedFile when it closes.
  void add_file(FileRecord record);

  /// Adds the records of all files, writes the manifest last, fsyncs folders, and renames.
  /// Requires: every staged file is closed; called once.
  void publish(Manifest manifest);

 private:
  /// Whether the target is a pool, rather than nothing or an empty folder. Throws SystemError where it is
  /// anything else.
  [[nodiscard]] bool replaces_pool() const;
  void create_folder();
  void remove_leftovers() const;
  void sync_folder(const std::string& folder) const;
  void write_manifest(const Manifest& manifest);
  void take_name();
  [[nodiscard]] int exchange(const std::string& one, const std::string& other) const;
  [[noreturn]] void fail(std::string_view name, int error, std::string_view what) const;

  std::string target_;
  std::string place_;  // the target with symbolic links followed and without a slash at its end
  std::string folder_;
  WriteCalls calls_;
  std::mutex adding_;
  std::vector<FileRecord> files_;
  Descriptor lock_;
};

}  // namespace inkling
