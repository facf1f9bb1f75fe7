#include "io/score/score_output.hpp"

#include <numeric>
#include <utility>

namespace inkling {
namespace {

constexpr std::size_t kEnoughToPrint = std::size_t{1} << 16U;

UserColumn user_column(bool shared, std::size_t users) {
  return shared && users > 1 ? UserColumn::present : UserColumn::absent;
}

}  // namespace

ScoreOutput::ScoreOutput(std::vector<std::string> users, ScoreOutputOptions options)
    : users_(std::move(users)),
      options_(std::move(options)),
      shared_(options_.files.size() < users_.size() || users_.size() == 1),
      formatter_(options_.format, user_column(shared_, users_.size()), options_.colour) {
  for (const std::string& path : options_.files) files_.push_back(std::make_unique<OutputFile>(path));
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
  print_waiting();
  for (const std::unique_ptr<OutputFile>& file : files_) file->close();
}

void ScoreOutput::write(std::size_t file, std::string_view text) {
  if (!files_.empty()) return files_[file]->append(text);
  waiting_ += text;
  if (waiting_.size() >= kEnoughToPrint) print_waiting();
}

void ScoreOutput::print_waiting() {
  if (waiting_.empty()) return;
  options_.print(waiting_);
  waiting_.clear();
}

}  // namespace inkling
