#include "io/corpus/unpack/first_bytes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/base/file/output_file.hpp"
#include "io/corpus/unpack/archive_reader.hpp"
#include "io/corpus/unpack/entries.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

// The first names of a folder, in order.
std::set<std::string> first_names_in(const std::string& folder, bool& complete) {
  constexpr std::size_t most = 256;
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;
    if (names.size() == most && name > *names.rbegin()) {
      complete = false;
      continue;
    }
    names.insert(std::move(name));
    if (names.size() <= most) continue;
    names.erase(std::prev(names.end()));
    complete = false;
  }
  return names;
}

// Enters folders one after another, deepest first, but only so many of them, because links may lead in circles.
class FirstFilesWalk {
 public:
  FirstFilesWalk(std::size_t most, bool follow_links, FirstFiles& found)
      : most_(most), follow_links_(follow_links), found_(&found) {}

  void enter(const std::string& folder) {
    constexpr int most_folders = 500;
    if (++folders_ > most_folders) {
      found_->complete = false;
      return;
    }
    for (const std::string& name : first_names_in(folder, found_->complete)) {
      if (found_->paths.size() == most_) {
        found_->complete = false;
        return;
      }
      std::string path = joined_path(folder, name);
      struct stat status = {};
      const int failed = follow_links_ ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status);
      if (failed != 0) continue;
      if (S_ISDIR(status.st_mode))
        enter(path);
      else if (S_ISREG(status.st_mode))
        found_->paths.push_back(std::move(path));
    }
  }

 private:
  std::size_t most_;
  bool follow_links_;
  FirstFiles* found_;
  int folders_ = 0;
};

// Whether this is a pipe that can be opened several times.
bool is_pipe_of_process(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

constexpr std::size_t kPipeBytes = std::size_t{1} << 16U;  // what a pipe holds unless it was made larger

// A copy of what the pipe holds now.
std::string copied_from_pipe(int pipe) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return {};
  const Descriptor out(ends[0]);
  const Descriptor in(ends[1]);
  if (::tee(pipe, in.number(), kPipeBytes, SPLICE_F_NONBLOCK) <= 0) return {};
  std::string bytes(kPipeBytes, '\0');
  const ssize_t got = ::read(out.number(), bytes.data(), bytes.size());
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return bytes;
}

bool holds_line(const std::string& bytes) {
  return packing_of(bytes) == Packing::none && bytes.find('\n') != std::string::npos;
}

}  // namespace

FirstFiles first_files_in(const std::string& folder, std::size_t most, bool follow_links) {
  FirstFiles found;
  found.complete = true;
  FirstFilesWalk(most, follow_links, found).enter(folder);
  return found;
}

std::string first_bytes_of_pipe(const std::string& path, const std::function<void()>& waiting) {
  constexpr int most_tries_for_a_line = 20;
  constexpr int milliseconds_a_try = 50;
  if (!is_pipe_of_process(path)) return {};
  const Descriptor pipe(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!pipe.is_open()) return {};
  std::string bytes;
  for (int tries = 0; tries < most_tries_for_a_line;) {
    pollfd asked = {.fd = pipe.number(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&asked, 1, milliseconds_a_try);
    waiting();
    if (ready < 0 && errno != EINTR) break;
    if (ready <= 0) continue;
    bytes = copied_from_pipe(pipe.number());
    const bool ended = (static_cast<unsigned>(asked.revents) & POLLHUP) != 0;
    if (ended || bytes.size() >= kPipeBytes || holds_line(bytes)) break;
    ++tries;
    ::poll(nullptr, 0, milliseconds_a_try);
  }
  return bytes;
}

}  // namespace inkling
