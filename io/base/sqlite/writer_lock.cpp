#include "io/base/sqlite/writer_lock.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/file/strict_number.hpp"

namespace inkling {
namespace {

// 0 or errno.
int lock_now(int descriptor) {
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

// " (process 4711)", where the holder could write its number. It does so once it has the lock, which may be just now.
std::string holder_of(int descriptor) {
  constexpr int most_looks = 50;
  for (int look = 0; look < most_looks; ++look) {
    std::array<std::byte, 20> bytes{};
    const std::size_t size = read_at(descriptor, bytes, 0);
    const std::string_view digits(reinterpret_cast<const char*>(bytes.data()), size);
    if (const std::optional<std::int64_t> process = parse_integer(digits))
      return fmt::format(" (process {})", *process);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return {};
}

// Only messages need it, so it does not matter where it cannot be written.
void write_holder(int descriptor) {
  const std::string digits = std::to_string(::getpid());
  if (::ftruncate(descriptor, 0) != 0) return;
  static_cast<void>(WriteCalls::of_system().write_all_at(descriptor, std::as_bytes(std::span(digits)), 0));
}

}  // namespace

WriterLock::WriterLock(const std::string& path) : name_(resolved_path(path) + "-lock") {
  while (!take(path)) file_ = Descriptor();
  write_holder(file_.number());
}

WriterLock::~WriterLock() {
  // While it is locked, so that nobody removes the file of another holder.
  if (file_.is_open() && is_in_place()) ::unlink(name_.c_str());
}

bool WriterLock::take(const std::string& path) {
  constexpr mode_t new_file = 0600;  // who can open it can lock it
  file_ = Descriptor(::open(name_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, new_file));
  if (!file_.is_open()) {
    throw SystemError(path, errno, "cannot make the lock file " + name_);
  }
  if (lock_now(file_.number()) == EWOULDBLOCK) {
    throw FormatError(path,
                      fmt::format("expected no other program that writes to this file, found one{}: end "
                                  "it first, or use another file",
                                  holder_of(file_.number())));
  }
  return is_open_as(file_.number(), name_);
}

}  // namespace inkling
