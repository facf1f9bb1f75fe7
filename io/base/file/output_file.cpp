#include "io/base/file/output_file.hpp"

#include <cerrno>
#include <optional>
#include <span>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/base/file/partial_folder.hpp"
#include "io/base/system/interruption.hpp"

namespace inkling {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 16U;

}  // namespace

OutputFile::OutputFile(std::string path, Leftovers leftovers) : path_(std::move(path)), target_(resolved_path(path_)) {
  const std::optional<FileStatus> existing = status_at(target_.c_str());
  if (!existing || existing->is_file()) {
    if (leftovers == Leftovers::remove) remove_leftovers(std::span(&target_, 1));
    constexpr unsigned new_file = 0666;  // less the umask, as for any new file
    open_partial(existing ? existing->permissions : new_file);
    return;
  }
  file_ = File::open(target_, OpenAs::writer);
  if (!file_.is_open()) fail(errno);
}

OutputFile::~OutputFile() = default;

OutputFile::OutputFile(std::string path, File file) : path_(std::move(path)), file_(std::move(file)) {
  if (!file_.is_open()) fail(errno);
}

OutputFile OutputFile::standard_output() { return {"standard output", File::standard(StandardStream::output).duplicate()}; }

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
    if (const int error = file_.close(); error != 0) fail(error);
    return;
  }
  if (const int error = file_.sync(); error != 0) fail(error);
  // The lock on the open file ends with its descriptor, so it gets its name first. All of it is on the disk by now.
  if (const int error = rename_path(partial_->fresh().c_str(), target_.c_str()); error != 0) fail(error);
  static_cast<void>(file_.close());
  partial_.reset();
}

void OutputFile::open_partial(unsigned permissions) {
  partial_ = std::make_unique<PartialFolder>(target_, path_);
  file_ = File::open(partial_->fresh(), OpenAs::fresh, permissions);
  if (!file_.is_open()) fail(errno);
  partial_->lock_by(file_);
}

void OutputFile::flush() {
  const int error = file_.write_all(std::as_bytes(std::span(buffer_)));
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
  for (const std::string& path : paths) files.push_back(std::make_unique<OutputFile>(path, OutputFile::Leftovers::were_removed));
  return files;
}

void make_folder(const std::string& path) {
  if (const int error = make_folders(path); error != 0) throw SystemError(path, error, "cannot make the folder");
}

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.buffer_ = text;
  file.close();
}

}  // namespace inkling
