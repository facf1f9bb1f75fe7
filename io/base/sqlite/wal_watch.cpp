#include "io/base/sqlite/wal_watch.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace inkling {

WalWatch::WalWatch(const std::string& path)
    : log_(resolved_path(path) + "-wal"),
      index_(resolved_path(path) + "-shm"),
      opened_log_(::open(log_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)),
      index_identity_(identity_of(index_)),
      left_(extent()),
      left_index_bytes_(index_bytes()) {}

std::optional<std::string> WalWatch::moved() const {
  if (!opened_log_.is_open()) return std::nullopt;
  if (!is_open_as(opened_log_.number(), log_)) return log_;
  if (identity_of(index_) != index_identity_) return index_;
  return std::nullopt;
}

bool WalWatch::is_as_left() const noexcept { return extent() == left_; }

void WalWatch::leave() noexcept {
  left_ = extent();
  left_index_bytes_ = index_bytes();
}

std::int64_t WalWatch::index_bytes() const noexcept {
  struct stat found = {};
  const bool is_there = ::stat(index_.c_str(), &found) == 0;
  const bool is_same = is_there && index_identity_ == FileIdentity{found.st_dev, found.st_ino};
  return is_same ? found.st_size : left_index_bytes_;
}

WalWatch::Extent WalWatch::extent() const noexcept {
  struct stat found = {};
  if (!opened_log_.is_open() || ::fstat(opened_log_.number(), &found) != 0) return {};
  return {found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

}  // namespace inkling
