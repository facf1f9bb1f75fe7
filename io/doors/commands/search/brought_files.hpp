// What people bring by the page, and the pools made of it, beside the searches.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "io/doors/cli/command_line.hpp"
#include "io/doors/serve/api.hpp"

namespace inkling {

/// A file that somebody brings may be anything, so a process of its own reads it, with limits of memory and time: where that
/// crashes, the file is refused, and the server continues. Of a file that is refused nothing stays; what a server that was
/// killed left of one, `remove_leftovers` removes. Thread safety: any number of threads, of which one brings at a time.
class BroughtFiles {
 public:
  /// They are in FILE.files of this file of searches. Of a process that reads, `memory` bounds what is not a mapped file, but
  /// it has enough for a small file. `is_ending` says whether the server ends.
  BroughtFiles(const std::string& sessions_file, std::uint64_t memory, std::function<bool()> is_ending);

  /// Of earlier runs, by name.
  [[nodiscard]] std::vector<std::string> pools() const;

  /// The name under which this pool of `pools` is shown, and who brought it, where that was kept.
  [[nodiscard]] BroughtBy facts_of(const std::string& pool) const;
  void set_title(const std::string& pool, const std::string& title) const;

  /// Removes a pool of these with its files; whoever has it open keeps what they opened. It is none of these from then on; what is left,
  /// by a kill or where files in use stay, `remove_leftovers` removes. Throws SystemError.
  void remove(const std::string& pool);

  /// Requires: no other server has the file of searches.
  void remove_leftovers() const;

  /// The pool of these files, which are kept under their names, or those and a number. Throws HttpRefusal where its reader refuses it,
  /// crashes or takes too much, InterruptedError once the server ends, SystemError; then nothing is kept.
  [[nodiscard]] BroughtPool bring(std::span<const BroughtRecords> files, const ReadingOfFile& as, const std::string& user);

 private:
  class Coming;

  [[nodiscard]] std::vector<std::string> read(const std::string& path, std::span<const std::string> files, std::uint64_t bytes,
                                              const ReadingOfFile& as) const;
  [[nodiscard]] std::string note_of(std::string_view kind, const std::string& pool) const;
  [[nodiscard]] std::string noted(std::string_view kind, const std::string& pool) const;
  void note(std::string_view kind, const std::string& pool, const std::string& text) const;
  void remove_unless_read(const std::string& name) const noexcept;

  std::filesystem::path folder_;
  std::uint64_t memory_;
  std::function<bool()> is_ending_;
  std::timed_mutex one_at_a_time_;
};

/// What such a process runs: makes the pool of files, with so much memory.
[[nodiscard]] Command read_upload_command();

}  // namespace inkling
