#include "io/base/file/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/file/interruption.hpp"
#include "io/base/file/partial_folder.hpp"

namespace inkling {
namespace {

// `write_some(bytes)` until none are left.
template <typename WriteSome>
int write_repeatedly(std::span<const std::byte> bytes, const WriteSome& write_some) {
  while (!bytes.empty()) {
    const ssize_t written = write_some(bytes);
    if (written < 0 && errno == EINTR && !interrupted()) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

constexpr std::size_t kBufferSize = std::size_t{1} << 16U;

}  // namespace

WriteCalls WriteCalls::of_system() {
  return {.write = ::write,
          .pwrite = ::pwrite,
          .fsync = ::fsync,
          .rename = std::rename,
          .exchange = [](const char* one, const char* other) {
            return ::renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
          }};
}

int WriteCalls::write_all(int descriptor, std::span<const std::byte> bytes) const {
  return write_repeatedly(
      bytes, [&](std::span<const std::byte> left) { return write(descriptor, left.data(), left.size()); });
}

int WriteCalls::write_all_at(int descriptor, std::span<const std::byte> bytes, std::uint64_t position) const {
  const std::uint64_t end = position + bytes.size();
  return write_repeatedly(bytes, [&](std::span<const std::byte> left) {
    return pwrite(descriptor, left.data(), left.size(), static_cast<off_t>(end - left.size()));
  });
}

int WriteCalls::sync(int descriptor) const {
  while (fsync(descriptor) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

// An interrupted close has closed, too.
int Descriptor::close() noexcept {
  return is_open() && ::close(std::exchange(number_, -1)) != 0 && errno != EINTR ? errno : 0;
}

std::size_t read_at(int descriptor, std::span<std::byte> bytes, std::uint64_t position) noexcept {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::pread(descriptor, bytes.data() + filled, bytes.size() - filled,
                                static_cast<off_t>(position + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = 0;
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

std::string resolved_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

bool is_open_as(int descriptor, const std::string& path) noexcept {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

OutputFile::OutputFile(std::string path, WriteCalls calls, Leftovers leftovers)
    : path_(std::move(path)), target_(resolved_path(path_)), calls_(calls) {
  struct stat existing = {};
  const bool exists = ::stat(target_.c_str(), &existing) == 0;
  if (!exists || S_ISREG(existing.st_mode)) {
    if (leftovers == Leftovers::remove) remove_leftovers(std::span(&target_, 1));
    constexpr mode_t new_file = 0666;  // less the umask, as for any new file
    open_partial(exists ? existing.st_mode & 0777U : new_file);
    return;
  }
  descriptor_ = Descriptor(::open(target_.c_str(), O_WRONLY | O_CLOEXEC));
  if (!descriptor_.is_open()) fail(errno);
}

OutputFile::~OutputFile() = default;

OutputFile::OutputFile(std::string path, Descriptor descriptor, WriteCalls calls)
    : path_(std::move(path)), calls_(calls), descriptor_(std::move(descriptor)) {
  if (!descriptor_.is_open()) fail(errno);
}

OutputFile OutputFile::standard_output() {
  return {"standard output", Descriptor(::dup(STDOUT_FILENO)), WriteCalls::of_system()};
}

OutputFile OutputFile::at(const std::string& path) {
  if (path == "-") return standard_output();
  return OutputFile(path);
}

void OutputFile::append(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() < kBufferSize) return;
  throw_if_interrupted();
  flush();
}

void OutputFile::close() {
  flush();
  if (!partial_) {
    if (const int error = descriptor_.close(); error != 0) fail(error);
    return;
  }
  if (const int error = calls_.sync(descriptor_.number()); error != 0) fail(error);
  // The lock on the open file ends with its descriptor, so it gets its name first. All of it is on the disk by now.
  if (calls_.rename(partial_->fresh().c_str(), target_.c_str()) != 0) fail(errno);
  static_cast<void>(descriptor_.close());
  partial_.reset();
}

void OutputFile::open_partial(mode_t mode) {
  partial_ = std::make_unique<PartialFolder>(target_, path_);
  descriptor_ = Descriptor(::open(partial_->fresh().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!descriptor_.is_open()) fail(errno);
  partial_->lock_by(descriptor_.number());
}

void OutputFile::flush() {
  const int error = calls_.write_all(descriptor_.number(), std::as_bytes(std::span(buffer_)));
  if (error != 0) fail(error);
  buffer_.clear();
}

void OutputFile::fail(int error) const {
  throw_if_interrupted();
  throw SystemError(path_, error, "cannot write");
}

std::vector<std::unique_ptr<OutputFile>> open_outputs(const std::vector<std::string>& paths) {
  std::vector<std::string> targets;
  targets.reserve(paths.size());
  for (const std::string& path : paths) targets.push_back(resolved_path(path));
  remove_leftovers(targets);
  std::vector<std::unique_ptr<OutputFile>> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) {
    files.push_back(
        std::make_unique<OutputFile>(path, WriteCalls::of_system(), OutputFile::Leftovers::were_removed));
  }
  return files;
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw SystemError(path, error.value(), "cannot make the folder");
}

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.buffer_ = text;
  file.close();
}

}  // namespace inkling
