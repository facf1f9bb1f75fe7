#include "bench/studies/folder_lock.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <span>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/utf8.hpp"

namespace inkling::bench {
namespace {

/// "process 1234 on ada": a folder may be shared by several machines.
std::string this_process() {
  std::array<char, HOST_NAME_MAX + 1> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) return fmt::format("process {}", ::getpid());
  return fmt::format("process {} on {}", ::getpid(), host.data());
}

std::string beginning_of(int file) {
  constexpr std::size_t most_bytes = HOST_NAME_MAX + std::size_t{64};
  std::array<std::byte, most_bytes> bytes{};
  const std::size_t length = read_at(file, bytes, 0);
  return {reinterpret_cast<const char*>(bytes.data()), length};
}

/// What the process that holds the lock wrote there.
std::string holder_of(int file) {
  const std::string text = beginning_of(file);
  return text.starts_with("process ") ? visible_text(text.substr(0, text.find('\n'))) : "another process";
}

/// Only messages need it, so a failure is no error. A file of that name with other content is not ours, and stays.
void write_holder(int file) {
  const std::string line = this_process() + "\n";
  const std::string before = beginning_of(file);
  if (!before.empty() && !before.starts_with("process ")) return;
  if (::ftruncate(file, 0) != 0) return;
  static_cast<void>(WriteCalls::of_system().write_all_at(file, std::as_bytes(std::span(line)), 0));
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) {
  const std::string path = fmt::format("{}/{}", folder, file_name);
  constexpr mode_t mode = 0666;
  file_ = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, mode));
  if (!file_.is_open()) throw SystemError(path, errno, "cannot open the lock of this folder");
  held_ = ::flock(file_.number(), LOCK_EX | LOCK_NB) == 0;
  if (!held_ && errno == EWOULDBLOCK)
    throw SystemError(folder, EBUSY,
                      fmt::format("{} is writing there; wait until it has ended, or name another folder",
                                  holder_of(file_.number())));
  if (held_) write_holder(file_.number());
}

}  // namespace inkling::bench
