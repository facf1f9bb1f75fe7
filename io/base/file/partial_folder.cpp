#include "io/base/file/partial_folder.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/system/process.hpp"
#include "io/base/system/signals.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartialMark = ".partial-";
constexpr std::string_view kMarkerName = "inkling-partial";
constexpr std::string_view kLockedMarker =
    "Inkling writes here. Once no program holds a lock on this file, the next one removes this folder.\n";
constexpr std::string_view kUnlockedMarker =
    "Inkling writes here, where files have no locks. Once it no longer runs, remove this folder.\n";

// The folders that this process is writing; a null pointer is a free slot.
std::array<std::atomic<PartialFolder*>, 64> live_folders{};

// How many folders there are, including those being made or removed; negative once the process is ending at once.
std::atomic<int> folders_present{0};
static_assert(std::atomic<int>::is_always_lock_free);  // a signal handler looks at it
constexpr int kEnding = -1'000'000;

void enter_live(PartialFolder* folder) noexcept {
  for (std::atomic<PartialFolder*>& place : live_folders) {
    PartialFolder* none = nullptr;
    if (place.compare_exchange_strong(none, folder)) return;
  }
}

void leave_live(PartialFolder* folder) noexcept {
  for (std::atomic<PartialFolder*>& place : live_folders) {
    PartialFolder* same = folder;
    if (place.compare_exchange_strong(same, nullptr)) return;
  }
}

// A path put together without memory of the heap, because folders are removed where there is none left.
class PathOnStack {
 public:
  explicit PathOnStack(std::string_view folder, std::string_view name = {}) {
    append(folder);
    if (!name.empty()) append("/");
    append(name);
  }

  [[nodiscard]] const char* c_str() const { return is_whole_ ? bytes_.data() : ""; }
  [[nodiscard]] std::string_view view() const { return c_str(); }

 private:
  void append(std::string_view part) {
    is_whole_ = is_whole_ && used_ + part.size() < bytes_.size();
    if (!is_whole_) return;
    std::ranges::copy(part, bytes_.data() + used_);
    used_ += part.size();
  }

  std::array<char, kMostPathBytes> bytes_{};
  std::size_t used_ = 0;
  bool is_whole_ = true;
};

// Also true if an error hides whether it is there.
bool is_there(const char* path) noexcept { return link_status_at(path) || errno != ENOENT; }

}  // namespace

bool remove_output(std::string_view path, const PartialContents& contents) noexcept {
  const PathOnStack whole(path);
  const int error = remove_file(whole.c_str());
  if (error == 0 || error == ENOENT) return true;
  if (error != EISDIR && error != EPERM) return false;
  bool others_are_gone = true;
  const auto note = [&](int failure) { others_are_gone = others_are_gone && (failure == 0 || failure == ENOENT); };
  const bool has_last = !contents.files.empty() && contents.files.back().find('/') == std::string_view::npos;
  const std::size_t others = contents.files.size() - (has_last ? 1 : 0);
  for (const std::string_view file : contents.files.first(others)) note(remove_file(PathOnStack(path, file).c_str()));
  for (const std::string_view folder : contents.folders) note(remove_empty_folder(PathOnStack(path, folder).c_str()));
  if (!others_are_gone) return false;
  for (const std::string_view last : contents.files.subspan(others))
    static_cast<void>(remove_file(PathOnStack(path, last).c_str()));
  return remove_empty_folder(whole.c_str()) == 0;
}

namespace {

// Removes the marker last: so if the removal is interrupted, the rest is still recognized as a leftover. The marker is closed before its
// folder is removed: there are systems on which an open file keeps its name.
bool remove_partial(std::string_view path, std::string_view place, const PartialContents& contents, File& marker) noexcept {
  const PathOnStack old(path, "old");
  const PathOnStack fresh(path, "new");
  if (is_there(old.c_str())) {
    if (!is_there(PathOnStack(place).c_str())) {
      if (rename_path(old.c_str(), PathOnStack(place).c_str()) != 0) return false;
    } else if (is_there(fresh.c_str()) || !remove_output(old.view(), contents)) {
      return false;
    }
  }
  if (!remove_output(fresh.view(), contents) || !remove_output(PathOnStack(path, "scratch").view(), {})) return false;
  static_cast<void>(remove_file(PathOnStack(path, kMarkerName).c_str()));
  static_cast<void>(marker.close());
  return remove_empty_folder(PathOnStack(path).c_str()) == 0;
}

// The name of the output that "OUTPUT.partial-1234-0" is part of, or nothing.
std::string_view output_of(std::string_view name) {
  const std::size_t mark = name.rfind(kPartialMark);
  if (mark == std::string_view::npos) return {};
  const std::string_view numbers = name.substr(mark + kPartialMark.size());
  const std::size_t dash = numbers.find('-');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char digit) { return digit >= '0' && digit <= '9'; });
  };
  if (dash == std::string_view::npos || !is_number(numbers.substr(0, dash)) || !is_number(numbers.substr(dash + 1))) return {};
  return name.substr(0, mark);
}

// Whether a folder of an output holds no other entries than `contents`; `prefix`: its path within the output, with a slash.
bool holds_only(const std::string& folder, const PartialContents& contents, const std::string& prefix = {}) {
  return each_name_in(folder, [&](const std::string& entry) {
    const std::string name = prefix + entry;
    if (std::ranges::find(contents.folders, name) != contents.folders.end())
      return holds_only(folder + "/" + entry, contents, name + "/");
    return std::ranges::find(contents.files, name) != contents.files.end();
  });
}

bool is_folder(const std::string& path) {
  const std::optional<FileStatus> found = link_status_at(path.c_str());
  return found && found->is_folder();
}

// Locks a regular file. The result is not open if another program holds the lock, or if it is no regular file.
File locked_file(const std::string& path, OpenAs how) {
  File file = File::open(path, how);
  const std::optional<FileStatus> found = file.is_open() ? file.status() : std::nullopt;
  return found && found->is_file() && file.try_lock() == 0 ? std::move(file) : File();
}

// A writer that was killed may have written the first part of the marker only.
bool is_marker(const File& file) {
  std::array<std::byte, 2 * kLockedMarker.size()> bytes{};
  const std::size_t size = file.read_at(bytes, 0);
  return kLockedMarker.starts_with(std::string_view(reinterpret_cast<const char*>(bytes.data()), size));
}

bool is_known_in_partial(const std::string& path, const std::string& entry, const PartialContents& contents) {
  if (entry == kMarkerName || entry == "scratch") return true;
  if (entry != "new" && entry != "old") return false;
  const std::string inner = path + "/" + entry;
  return !is_folder(inner) || holds_only(inner, contents);
}

void remove_if_leftover(const std::string& path, const std::string& place, const PartialContents& contents) {
  if (!is_folder(path)) return;
  // Its writer may have been killed before it made the marker. This removes only empty folders.
  if (remove_empty_folder(path.c_str()) == 0) return;
  File marker = locked_file(path + "/" + std::string(kMarkerName), OpenAs::unfollowed_editor);
  if (!marker.is_open() || !is_marker(marker)) return;
  const std::string fresh = path + "/new";
  File file = locked_file(fresh, OpenAs::unfollowed_reader);
  if (!file.is_open() && is_there(fresh.c_str()) && !is_folder(fresh)) return;
  const bool is_ours = each_name_in(path, [&](const std::string& entry) { return is_known_in_partial(path, entry, contents); });
  static_cast<void>(file.close());
  if (is_ours) remove_partial(path, place, contents, marker);
}

using Names = std::set<std::string, std::less<>>;

std::vector<std::string> partial_names_in(const std::string& folder, const Names& outputs) {
  std::vector<std::string> found;
  each_name_in(folder, [&](const std::string& entry) {
    const std::string_view output = output_of(entry);
    if (!output.empty() && outputs.contains(output)) found.push_back(entry);
    return true;
  });
  return found;
}

}  // namespace

PartialFolder::Presence::Presence() noexcept {
  if (folders_present.fetch_add(1) >= 0) return;
  wait_for_end();  // another thread is ending the process
}

PartialFolder::Presence::~Presence() { --folders_present; }

PartialFolder::PartialFolder(std::string place, const std::string& target, PartialContents contents)
    : place_(std::move(place)), contents_(contents) {
  constexpr int most_attempts = 1000;
  int error = EEXIST;
  for (int attempt = 0; attempt < most_attempts && (error == EEXIST || error == EAGAIN); ++attempt) {
    std::string path = fmt::format("{}{}{}-{}", place_, kPartialMark, process_number(), attempt);
    error = try_to_make(path);
    if (error != 0) continue;
    path_ = std::move(path);
    enter_live(this);
    return;
  }
  throw SystemError(target, error, "cannot make a folder beside it");
}

PartialFolder::~PartialFolder() { remove(); }

bool PartialFolder::remove() noexcept {
  if (path_.empty()) return true;
  leave_live(this);
  const bool removed = remove_partial(path_, place_, contents_, lock_);
  path_.clear();
  presence_.reset();
  return removed;
}

void PartialFolder::lock_by(const File& file) noexcept {
  if (lock_.is_open() && file.try_lock() == 0) static_cast<void>(lock_.close());
}

// Returns 0 or errno; EAGAIN if another program took the new folder for a leftover before it was locked.
int PartialFolder::try_to_make(const std::string& path) {
  const std::string marker = path + "/" + std::string(kMarkerName);  // allocates, so it comes before the folder is made
  if (const int error = make_folder_at(path.c_str()); error != 0) return error;
  File lock = File::open(marker, OpenAs::fresh);
  const auto give_up = [&](int error) {
    static_cast<void>(remove_file(marker.c_str()));
    static_cast<void>(lock.close());  // as in remove_partial
    static_cast<void>(remove_empty_folder(path.c_str()));
    return error;
  };
  if (!lock.is_open()) return give_up(errno == ENOENT ? EAGAIN : errno);
  const int lock_error = lock.try_lock();
  if (lock_error == EWOULDBLOCK) return EAGAIN;
  if (lock_error != 0 && !says_no_locks(lock_error)) return give_up(lock_error);
  const std::string_view text = lock_error == 0 ? kLockedMarker : kUnlockedMarker;
  if (const int error = lock.write_all(std::as_bytes(std::span(text))); error != 0) return give_up(error);
  if (!lock.is_at(marker)) return EAGAIN;
  if (lock_error == 0) lock_ = std::move(lock);
  return 0;
}

bool may_end_at_once() noexcept {
  int none = 0;
  return folders_present.compare_exchange_strong(none, kEnding);
}

void remove_partial_folders() noexcept {
  for (std::atomic<PartialFolder*>& place : live_folders)
    if (PartialFolder* const folder = place.load()) folder->remove();
}

void remove_leftovers(std::span<const std::string> places, PartialContents contents) {
  std::map<std::string, Names> outputs_of;
  for (const std::string& place : places) outputs_of[folder_around(place)].insert(fs::path(place).filename().string());
  for (const auto& [folder, outputs] : outputs_of) {
    for (const std::string& entry : partial_names_in(folder, outputs)) {
      const fs::path place = fs::path(folder) / output_of(entry);
      remove_if_leftover((fs::path(folder) / entry).generic_string(), place.generic_string(), contents);
    }
  }
}

}  // namespace inkling
