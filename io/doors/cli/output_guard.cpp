#include "io/doors/cli/output_guard.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "io/base/system/folder.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/doors/cli/usage_error.hpp"

namespace inkling {
namespace {

// Where a file is or would be, with links followed.
std::string true_place(const std::string& path) { return whole_path_of(path).value_or(path); }

bool is_pipe_or_device(const std::string& path) {
  if (path == "-") return true;
  const std::optional<FileStatus> found = status_at(path.c_str());
  return found && !found->is_file() && !found->is_folder();
}

std::string named(const std::string& role, const std::string& path) { return role + " " + path; }

[[noreturn]] void refuse(const std::string& output, const std::string& what) {
  throw UsageError(fmt::format("{} {}: expected another place for the output", output, what));
}

}  // namespace

void OutputGuard::reads(const std::string& role, const std::string& path) {
  const std::optional<FileIdentity> file = identity_of(path);
  if (!file || is_pipe_or_device(path)) return;
  if (is_folder_at(path)) {
    folders_.emplace_back(path, named(role, path));
    looked_at_.clear();
    return;
  }
  files_.emplace_back(*file, named(role, path));
  are_sorted_ = false;
}

void OutputGuard::writes(const std::string& role, const std::string& path) {
  if (is_pipe_or_device(path)) return;
  const std::string output = named(role, path);
  if (const std::optional<FileIdentity> file = identity_of(path)) {
    if (const std::string* const read = name_read_as(*file))
      refuse(output, fmt::format("is the same file as {}, which is read", *read));
  }
  if (const std::string* const folder = folder_around(path))
    refuse(output, fmt::format("lies within {}, which is read", *folder));
  const auto [other, is_new] = outputs_.insert({true_place(path), output});
  if (!is_new) refuse(output, fmt::format("is the same file as {}", other->second));
}

const std::string* OutputGuard::name_read_as(const FileIdentity& file) {
  const auto by_file = [](const auto& left, const auto& right) { return left.first < right.first; };
  if (!std::exchange(are_sorted_, true)) std::ranges::sort(files_, by_file);
  const auto found = std::ranges::lower_bound(files_, std::pair(file, std::string()), by_file);
  return found != files_.end() && found->first == file ? &found->second : nullptr;
}

const std::string* OutputGuard::folder_around(const std::string& path) {
  std::string parent = std::filesystem::path(true_place(path)).parent_path().generic_string();
  if (looked_at_.contains(parent)) return nullptr;
  for (const auto& [folder, name] : folders_)
    if (lies_within(parent, folder)) return &name;
  looked_at_.insert(std::move(parent));
  return nullptr;
}

void refuse_overlap(std::string_view option, const std::string& target, const std::vector<std::string>& sources) {
  for (const std::string& source : sources) {
    if (!identity_of(source)) continue;
    if (lies_within(target, source)) {
      throw UsageError::option(option, fmt::format("{} lies in the source {}, and the next build would read it; "
                                                   "expected a pool elsewhere",
                                                   in_quotes(target), in_quotes(source)));
    }
    if (lies_within(source, target)) {
      throw UsageError::option(option, fmt::format("the source {} lies in {}, which would be replaced; expected a pool "
                                                   "elsewhere",
                                                   in_quotes(source), in_quotes(target)));
    }
  }
}

}  // namespace inkling
