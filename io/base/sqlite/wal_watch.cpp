#include "io/base/sqlite/wal_watch.hpp"

namespace inkling {

WalWatch::WalWatch(const std::string& path)
    : log_(resolved_path(path) + "-wal"),
      index_(resolved_path(path) + "-shm"),
      opened_log_(File::open(log_, OpenAs::unfollowed_reader)),
      index_identity_(identity_of(index_)),
      left_(extent()),
      left_index_bytes_(index_bytes()) {}

std::optional<std::string> WalWatch::moved() const {
  if (!opened_log_.is_open()) return std::nullopt;
  if (!opened_log_.is_at(log_)) return log_;
  if (identity_of(index_) != index_identity_) return index_;
  return std::nullopt;
}

bool WalWatch::is_as_left() const noexcept { return extent() == left_; }

void WalWatch::leave() noexcept {
  left_ = extent();
  left_index_bytes_ = index_bytes();
}

std::uint64_t WalWatch::index_bytes() const noexcept {
  const std::optional<FileStatus> found = status_at(index_.c_str());
  return found && index_identity_ == found->identity ? found->size : left_index_bytes_;
}

WalWatch::Extent WalWatch::extent() const noexcept {
  const std::optional<FileStatus> found = opened_log_.is_open() ? opened_log_.status() : std::nullopt;
  return found ? Extent{found->size, found->modified} : Extent();
}

}  // namespace inkling
