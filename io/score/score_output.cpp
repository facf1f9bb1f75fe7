#include "io/score/score_output.hpp"

#include <cerrno>
#include <filesystem>
#include <map>
#include <numeric>
#include <system_error>

#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t enough_to_print = std::size_t{1} << 16U;

std::string_view ending_of(ScoreFormat format) {
  switch (format) {
    case ScoreFormat::csv:
      return ".csv";
    case ScoreFormat::npy:
      return ".npy";
    case ScoreFormat::table:
      return ".txt";
    case ScoreFormat::jsonl:
      break;
  }
  return ".jsonl";
}

// "users/anna.jsonl" becomes "FOLDER/anna.csv".
std::vector<std::string> paths_in_folder(const ScoreOptions& options) {
  std::vector<std::string> paths;
  std::map<std::string, std::string> user_of;
  for (const std::string& events : options.event_files) {
    const std::string name = fs::path(events).stem().string() + std::string(ending_of(options.format));
    const auto [other, is_new] = user_of.insert({name, events});
    if (!is_new)
      throw UsageError::option(
          "out-dir", fmt::format("{} and {} would both be written to {}", other->second, events, name));
    paths.push_back((fs::path(*options.out_folder) / name).string());
  }
  return paths;
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw SystemError(path, error.value(), "cannot make the folder");
}

Colour colour_of(const ScoreOptions& options) {
  const bool to_terminal = options.out == "-" && !options.out_folder;
  return to_terminal ? terminal_facts(Stream::output).colour : Colour::off;
}

UserColumn user_column(const ScoreOptions& options) {
  const bool shared = options.event_files.size() > 1 && !options.out_folder;
  return shared ? UserColumn::present : UserColumn::absent;
}

}  // namespace

ScoreOutput::ScoreOutput(const ScoreOptions& options)
    : users_(options.event_files),
      shared_(!options.out_folder),
      formatter_(options.format, user_column(options), colour_of(options)) {
  if (!options.out_folder) {
    files_.push_back(options.out == "-" ? nullptr : std::make_unique<OutputFile>(options.out));
    return;
  }
  const std::vector<std::string> paths = paths_in_folder(options);
  make_folder(*options.out_folder);
  for (const std::string& path : paths) files_.push_back(std::make_unique<OutputFile>(path));
}

void ScoreOutput::begin(const std::vector<std::int64_t>& lines_of_users) {
  if (shared_) {
    const auto lines = std::accumulate(lines_of_users.begin(), lines_of_users.end(), std::int64_t{0});
    return write(0, formatter_.heading(lines));
  }
  for (std::size_t user = 0; user < users_.size(); ++user)
    write(user, formatter_.heading(lines_of_users[user]));
}

void ScoreOutput::append(std::size_t user, ScoreLine line) {
  line.user = users_[user];
  line_.clear();
  formatter_.append(line_, line);
  write(shared_ ? 0 : user, line_);
}

void ScoreOutput::close() {
  flush();
  for (const std::unique_ptr<OutputFile>& file : files_) {
    if (file) file->close();
  }
}

void ScoreOutput::write(std::size_t place, std::string_view text) {
  if (files_[place]) return files_[place]->append(text);
  waiting_ += text;
  if (waiting_.size() >= enough_to_print) flush();
}

void ScoreOutput::flush() {
  if (waiting_.empty()) return;
  fmt::print("{}", waiting_);
  waiting_.clear();
}

}  // namespace inkling
