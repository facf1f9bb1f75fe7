#include "io/corpus/unpack/first_bytes.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "io/base/system/folder.hpp"
#include "io/base/system/waiting.hpp"
#include "io/corpus/unpack/archive_reader.hpp"
#include "io/corpus/unpack/entries.hpp"

namespace inkling {
namespace {

// The first names of a folder, in order.
std::set<std::string> first_names_in(const std::string& folder, bool& complete) {
  constexpr std::size_t most = 256;
  std::set<std::string> names;
  each_name_in(folder, [&](const std::string& name) {
    if (name.starts_with('.')) return true;
    names.insert(name);
    if (names.size() <= most) return true;
    names.erase(std::prev(names.end()));
    complete = false;
    return true;
  });
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
      const auto status = follow_links_ ? status_at(path.c_str()) : link_status_at(path.c_str());
      if (!status) continue;
      if (status->is_folder())
        enter(path);
      else if (status->is_file())
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
std::string copied_from_pipe(const File& pipe) {
  std::string bytes(kPipeBytes, '\0');
  const std::ptrdiff_t got = pipe.peek_pipe(std::as_writable_bytes(std::span(bytes)));
  bytes.resize(static_cast<std::size_t>(std::max<std::ptrdiff_t>(got, 0)));
  return bytes;
}

bool holds_line(const std::string& bytes) { return packing_of(bytes) == Packing::none && bytes.find('\n') != std::string::npos; }

}  // namespace

FirstFiles first_files_in(const std::string& folder, std::size_t most, bool follow_links) {
  FirstFiles found;
  found.complete = true;
  FirstFilesWalk(most, follow_links, found).enter(folder);
  return found;
}

std::string first_bytes_of_pipe(const std::string& path, const std::function<void()>& waiting) {
  constexpr int most_tries_for_a_line = 20;
  constexpr std::chrono::milliseconds of_a_try(50);
  if (!is_pipe_of_process(path)) return {};
  const File pipe = File::open(path, OpenAs::prompt_reader);
  if (!pipe.is_open()) return {};
  std::string bytes;
  for (int tries = 0; tries < most_tries_for_a_line;) {
    const Waited waited = wait_for_input(pipe, nullptr, static_cast<int>(of_a_try.count()));
    waiting();
    if (waited.is_impossible) break;
    if (!waited.has_input) continue;
    bytes = copied_from_pipe(pipe);
    if (waited.is_at_end || bytes.size() >= kPipeBytes || holds_line(bytes)) break;
    ++tries;
    std::this_thread::sleep_for(of_a_try);
  }
  return bytes;
}

}  // namespace inkling
