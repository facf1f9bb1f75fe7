#include "io/base/sqlite/writer_lock.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/system/process.hpp"

namespace inkling {
namespace {

// " (process 4711)", or empty if the holder has not written its number: it does so only after it has the lock.
std::string holder_of(const File& file) {
  constexpr int most_looks = 50;
  for (int look = 0; look < most_looks; ++look) {
    std::array<std::byte, 20> bytes{};
    const std::size_t size = file.read_at(bytes, 0);
    const std::string_view digits(reinterpret_cast<const char*>(bytes.data()), size);
    if (const std::optional<std::int64_t> process = parse_integer(digits)) return fmt::format(" (process {})", *process);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return {};
}

// Only messages need the number, so failures are ignored.
void write_holder(const File& file) {
  const std::string digits = std::to_string(process_number());
  if (file.resize(0) == 0) static_cast<void>(file.write_all_at(std::as_bytes(std::span(digits)), 0));
}

}  // namespace

WriterLock::WriterLock(const std::string& path) : name_(resolved_path(path) + "-lock") {
  while (!take(path)) file_ = File();
  write_holder(file_);
}

WriterLock::~WriterLock() {
  // Removes the file before unlocking it: otherwise this could remove the file of the next holder.
  if (file_.is_open() && is_in_place()) static_cast<void>(remove_file(name_.c_str()));
}

bool WriterLock::take(const std::string& path) {
  constexpr unsigned own_file = 0600;  // who can open it can lock it
  file_ = File::open(name_, OpenAs::lock, own_file);
  if (!file_.is_open()) throw SystemError(path, errno, "cannot make the lock file " + name_);
  if (file_.try_lock() == EWOULDBLOCK) {
    throw FormatError(path, fmt::format("expected no other program that writes to this file, found one{}: end "
                                        "it first, or use another file",
                                        holder_of(file_)));
  }
  return is_in_place();
}

}  // namespace inkling
