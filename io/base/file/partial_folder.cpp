#include "io/base/file/partial_folder.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartialMark = ".partial-";
constexpr std::string_view kMarkerName = "inkling-partial";
constexpr std::string_view kLockedMarker =
    "Inkling writes here. Once no program holds a lock on this file, the next one removes this folder.\n";
constexpr std::string_view kUnlockedMarker =
    "Inkling writes here, where files have no locks. Once it no longer runs, remove this folder.\n";

// Those of this process that are being written; a null pointer is a free place.
std::array<std::atomic<PartialFolder*>, 64> live_folders{};

// How many there are, also while they are made and removed; below 0 where the process ends at once.
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

  std::array<char, PATH_MAX> bytes_{};
  std::size_t used_ = 0;
  bool is_whole_ = true;
};

// Also true if an error keeps us from knowing.
bool stands_there(const char* path) noexcept {
  struct stat found = {};
  return ::lstat(path, &found) == 0 || errno != ENOENT;
}

}  // namespace

bool remove_output(std::string_view path, const PartialContents& contents) noexcept {
  const PathOnStack whole(path);
  if (::unlink(whole.c_str()) == 0 || errno == ENOENT) return true;
  if (errno != EISDIR && errno != EPERM) return false;
  bool others_are_gone = true;
  const auto note = [&](int result) {
    others_are_gone = others_are_gone && (result == 0 || errno == ENOENT);
  };
  const bool has_last = !contents.files.empty() && contents.files.back().find('/') == std::string_view::npos;
  const std::size_t others = contents.files.size() - (has_last ? 1 : 0);
  for (const std::string_view file : contents.files.first(others))
    note(::unlink(PathOnStack(path, file).c_str()));
  for (const std::string_view folder : contents.folders) note(::rmdir(PathOnStack(path, folder).c_str()));
  if (!others_are_gone) return false;
  for (const std::string_view last : contents.files.subspan(others))
    ::unlink(PathOnStack(path, last).c_str());
  return ::rmdir(whole.c_str()) == 0;
}

namespace {

// The marker goes last, so that what is left of a removal that was cut short is still a leftover.
bool remove_partial(std::string_view path, std::string_view place, const PartialContents& contents) noexcept {
  const PathOnStack old(path, "old");
  const PathOnStack fresh(path, "new");
  if (stands_there(old.c_str())) {
    if (!stands_there(PathOnStack(place).c_str())) {
      if (std::rename(old.c_str(), PathOnStack(place).c_str()) != 0) return false;
    } else if (stands_there(fresh.c_str()) || !remove_output(old.view(), contents)) {
      return false;
    }
  }
  if (!remove_output(fresh.view(), contents) || !remove_output(PathOnStack(path, "scratch").view(), {}))
    return false;
  ::unlink(PathOnStack(path, kMarkerName).c_str());
  return ::rmdir(PathOnStack(path).c_str()) == 0;
}

// The name of the output that "OUTPUT.partial-1234-0" is part of, or nothing.
std::string_view output_of(std::string_view name) {
  const std::size_t mark = name.rfind(kPartialMark);
  if (mark == std::string_view::npos) return {};
  const std::string_view numbers = name.substr(mark + kPartialMark.size());
  const std::size_t dash = numbers.find('-');
  const auto is_number = [](std::string_view text) {
    return !text.empty() &&
           std::ranges::all_of(text, [](char digit) { return digit >= '0' && digit <= '9'; });
  };
  if (dash == std::string_view::npos || !is_number(numbers.substr(0, dash)) ||
      !is_number(numbers.substr(dash + 1)))
    return {};
  return name.substr(0, mark);
}

template <typename Look>
bool every_entry(const std::string& folder, const Look& look) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (!look(entry->path().filename().string())) return false;
  return !error;
}

// Whether a folder that was written holds nothing but its contents; `prefix` is its name within the output.
bool holds_only(const std::string& folder, const PartialContents& contents, const std::string& prefix = {}) {
  return every_entry(folder, [&](const std::string& entry) {
    const std::string name = prefix + entry;
    if (std::ranges::find(contents.folders, name) != contents.folders.end())
      return holds_only(folder + "/" + entry, contents, name + "/");
    return std::ranges::find(contents.files, name) != contents.files.end();
  });
}

bool is_folder(const std::string& path) {
  struct stat found = {};
  return ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

// Locks a regular file; not open where another program holds the lock, or where this is not such a file.
Descriptor locked_file(const std::string& path, int access) {
  Descriptor file(::open(path.c_str(), access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found = {};
  const bool locked = file.is_open() && ::fstat(file.number(), &found) == 0 && S_ISREG(found.st_mode) &&
                      ::flock(file.number(), LOCK_EX | LOCK_NB) == 0;
  return locked ? std::move(file) : Descriptor();
}

// A writer that was killed may have written the first part of the marker only.
bool is_marker(int descriptor) {
  std::array<std::byte, 2 * kLockedMarker.size()> bytes{};
  const std::size_t size = read_at(descriptor, bytes, 0);
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
  // Its writer was killed before the marker was there. This removes empty folders only.
  if (::rmdir(path.c_str()) == 0) return;
  const Descriptor marker = locked_file(path + "/" + std::string(kMarkerName), O_RDWR);
  if (!marker.is_open() || !is_marker(marker.number())) return;
  const std::string fresh = path + "/new";
  const Descriptor file = locked_file(fresh, O_RDONLY);
  if (!file.is_open() && stands_there(fresh.c_str()) && !is_folder(fresh)) return;
  const bool is_ours =
      every_entry(path, [&](const std::string& entry) { return is_known_in_partial(path, entry, contents); });
  if (is_ours) remove_partial(path, place, contents);
}

std::string folder_of(const std::string& place) {
  const fs::path parent = fs::path(place).parent_path();
  return parent.empty() ? "." : parent.string();
}

using Names = std::set<std::string, std::less<>>;

std::vector<std::string> partial_names_in(const std::string& folder, const Names& outputs) {
  std::vector<std::string> found;
  every_entry(folder, [&](const std::string& entry) {
    const std::string_view output = output_of(entry);
    if (!output.empty() && outputs.contains(output)) found.push_back(entry);
    return true;
  });
  return found;
}

// 0 or errno.
int lock_error_of(int descriptor) {
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

bool says_no_locks_here(int error) {
  return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL;
}

}  // namespace

PartialFolder::Presence::Presence() noexcept {
  if (folders_present.fetch_add(1) >= 0) return;
  for (;;) ::pause();  // another thread is ending the process
}

PartialFolder::Presence::~Presence() { --folders_present; }

PartialFolder::PartialFolder(std::string place, const std::string& target, PartialContents contents)
    : place_(std::move(place)), contents_(contents) {
  constexpr int most_attempts = 1000;
  int error = EEXIST;
  for (int attempt = 0; attempt < most_attempts && (error == EEXIST || error == EAGAIN); ++attempt) {
    std::string path = fmt::format("{}{}{}-{}", place_, kPartialMark, ::getpid(), attempt);
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
  const bool removed = remove_partial(path_, place_, contents_);
  path_.clear();
  presence_.reset();
  return removed;
}

void PartialFolder::lock_by(int descriptor) noexcept {
  if (lock_.is_open() && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) static_cast<void>(lock_.close());
}

// 0 or errno; EAGAIN where another program took the new folder for a leftover before it was locked.
int PartialFolder::try_to_make(const std::string& path) {
  const std::string marker = path + "/" + std::string(kMarkerName);  // takes memory, so it comes first
  if (::mkdir(path.c_str(), 0777) != 0) return errno;
  Descriptor lock(::open(marker.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  const auto give_up = [&](int error) {
    ::unlink(marker.c_str());
    ::rmdir(path.c_str());
    return error;
  };
  if (!lock.is_open()) return give_up(errno == ENOENT ? EAGAIN : errno);
  const int lock_error = lock_error_of(lock.number());
  if (lock_error == EWOULDBLOCK) return EAGAIN;
  if (lock_error != 0 && !says_no_locks_here(lock_error)) return give_up(lock_error);
  const std::string_view text = lock_error == 0 ? kLockedMarker : kUnlockedMarker;
  const int error = WriteCalls::of_system().write_all(lock.number(), std::as_bytes(std::span(text)));
  if (error != 0) return give_up(error);
  if (!is_open_as(lock.number(), marker)) return EAGAIN;
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
  for (const std::string& place : places)
    outputs_of[folder_of(place)].insert(fs::path(place).filename().string());
  for (const auto& [folder, outputs] : outputs_of) {
    for (const std::string& entry : partial_names_in(folder, outputs)) {
      const fs::path place = fs::path(folder) / output_of(entry);
      remove_if_leftover((fs::path(folder) / entry).string(), place.string(), contents);
    }
  }
}

}  // namespace inkling
