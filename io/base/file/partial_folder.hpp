// The folder in which an output is written before it takes its name, and what killed programs left of such folders.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/base/system/folder.hpp"

namespace inkling {

/// The entries that a folder being written may have, so that nothing else is ever removed with it. Lifetime: lends names that are
/// literals.
struct PartialContents {
  std::span<const std::string_view> files = {};    ///< "by_feature/data.npy"
  std::span<const std::string_view> folders = {};  ///< "by_feature"
};

/// The folder PLACE.partial-PID-N beside PLACE, the final name of an output. It holds, and never anything else:
///
///   inkling-partial   a marker of fixed content, made first, which its writer keeps locked
///   new               the output: a file, or a folder with PartialContents
///   old               what was at PLACE, while two folders change places without help of the file system
///   scratch           a file whose name is taken away as soon as it is there
///
/// A folder is a leftover of a killed program only where its marker, or the first part of it that was written, is not
/// locked. An empty folder of such a name is removed, too, because its writer may have been killed before the marker was
/// there. All else is never touched.
/// Where the file system has no locks the marker says so, and what a killed program leaves is not removed.
/// Lifetime: the destructor removes it, also where there is no memory and no further file can be opened. Thread safety: one thread.
class PartialFolder {
 public:
  /// `target` is for messages. Throws SystemError where the folder cannot be made; nothing is left then.
  PartialFolder(std::string place, const std::string& target, PartialContents contents = {});
  ~PartialFolder();
  PartialFolder(const PartialFolder&) = delete;
  PartialFolder& operator=(const PartialFolder&) = delete;

  [[nodiscard]] std::string path() const { return path_; }
  [[nodiscard]] std::string fresh() const { return path_ + "/new"; }
  [[nodiscard]] std::string replaced() const { return path_ + "/old"; }
  [[nodiscard]] std::string scratch() const { return path_ + "/scratch"; }

  /// From now on, a lock on `file`, the open output `new`, shows that the writer lives, and the marker is closed: so a program
  /// with many outputs keeps only one file open for each.
  void lock_by(const File& file) noexcept;

  /// Removes the folder; false if a part of it stays. If there is an `old` and nothing has its place, it moves back there; it is
  /// never removed before a new output has the place.
  bool remove() noexcept;

 private:
  // Exists from before a folder is made until it is removed; meanwhile no signal ends the process at once.
  class Presence {
   public:
    Presence() noexcept;
    ~Presence();
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
  };

  [[nodiscard]] int try_to_make(const std::string& path);

  std::optional<Presence> presence_{std::in_place};
  std::string place_;
  std::string path_;  // empty once it is removed
  PartialContents contents_;
  File lock_;
};

/// Whether this process may end at once and leave no partial folder. If true, no thread makes one any more, so the caller must
/// end the process. For signal handlers: async-signal-safe.
[[nodiscard]] bool may_end_at_once() noexcept;

/// Removes the partial folders of this process, for a program that must end at once. Allocates no memory. It knows only some
/// folders; the next run removes the others.
void remove_partial_folders() noexcept;

/// Removes a file, or a folder with these contents. If the last file of `contents` is in no subfolder, it is removed after all
/// else, so that it is still there after an interrupted removal. False if something stays. Allocates no memory.
bool remove_output(std::string_view path, const PartialContents& contents) noexcept;

/// Removes what killed programs left of outputs with these final names. Moves an old version back if a killed program had moved
/// it away and not yet put the new one in its place. Never throws for what it cannot remove. Lists each folder once, so call it
/// once for many outputs.
void remove_leftovers(std::span<const std::string> places, PartialContents contents = {});

}  // namespace inkling
