#include "io/search/score/score_output.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/csv_cell.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

// Version 1.0 of the format; numbers begin at a multiple of 64.
std::string npy_heading(std::int64_t records) {
  constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);
  constexpr std::size_t header_bytes = 256;
  constexpr std::size_t before_text = magic.size() + 2;
  std::string header(magic);
  header += static_cast<char>(header_bytes - before_text);
  header += '\0';
  header += fmt::format(
      "{{'descr': [('document', '<i8'), ('mean', '<f8'), ('width', '<f8'), ('ucb', '<f8'), ('played', "
      "'<i8')], 'fortran_order': False, 'shape': ({},), }}",
      records);
  assert(header.size() < header_bytes);
  header.resize(header_bytes - 1, ' ');
  return header + '\n';
}

void append_record(std::string& out, const ScoreLine& line) {
  const std::array<double, 3> score = {line.mean, line.width, line.ucb};
  const auto append = [&out](const void* from, std::size_t bytes) { out.append(static_cast<const char*>(from), bytes); };
  append(&line.document, sizeof line.document);
  append(score.data(), sizeof score);
  append(&line.played, sizeof line.played);
}

void write_words(JsonWriter& json, const std::vector<WordShare>& words) {
  json.key("words").begin_array();
  for (const WordShare& share : words) {
    json.begin_object().member("feature", share.feature);
    if (!share.word.empty()) json.member("word", share.word);
    json.member("value", share.value).member("weight", share.weight);
    json.member("contribution", share.contribution).member("uncertainty", share.uncertainty);
    json.member("width_share", share.width_share);
    if (share.said && share.said->reward) json.member("rated", *share.said->reward);
    if (share.said && !share.said->reward) json.member("marked", true);
    json.end_object();
  }
  json.end_array();
}

std::string shown_word(const WordShare& share) {
  return share.word.empty() ? fmt::format("feature {}", share.feature) : utf8_shortened(visible_text(share.word), 40);
}

std::string reason_of(std::span<const WordShare> words, bool for_terminal) {
  std::vector<HeldWord> held;
  held.reserve(words.size());
  for (const WordShare& share : words) {
    if (!share.said) continue;
    const bool has_name = !share.word.empty() && !for_terminal;
    held.push_back({has_name ? share.word : shown_word(share), opinion_of(*share.said)});
  }
  return reason_text(held);
}

void append_rest(std::string& out, std::span<const WordShare> words) {
  double contribution = 0.0;
  double width_share = 0.0;
  for (const WordShare& share : words) {
    contribution += share.contribution;
    width_share += share.width_share;
  }
  out += fmt::format("{:>13} {:>+11.5f} of {} other {}, {:.0f} % of the width²\n", "", contribution, words.size(),
                     words.size() == 1 ? "word" : "words", 100.0 * width_share);
}

constexpr std::size_t kEnoughToPrint = std::size_t{1} << 16U;

UserColumn user_column(bool shared, std::size_t users) { return shared && users > 1 ? UserColumn::present : UserColumn::absent; }

}  // namespace

std::string file_ending(ScoreFormat format) {
  return format == ScoreFormat::table ? ".txt" : fmt::format(".{}", name_of(format, kScoreFormatNames));
}

std::vector<WordShare> explain_score(std::span<const ScorePart> parts, const std::function<std::string(FeatureId)>& word_of,
                                     const SaidOfWords& said) {
  std::vector<WordShare> shares;
  double square = 0.0;
  for (const ScorePart& part : parts) {
    square += part.value * part.smoothed;
    const auto found = said.find(part.feature);
    shares.push_back({.feature = part.feature,
                      .word = word_of(part.feature),
                      .value = part.value,
                      .weight = part.weight,
                      .contribution = part.value * part.weight,
                      .uncertainty = std::sqrt(std::max(part.variance, 0.0)),
                      .width_share = part.value * part.smoothed,
                      .said = found == said.end() ? std::nullopt : std::optional(found->second)});
  }
  for (WordShare& share : shares) share.width_share = square > 0.0 ? share.width_share / square : 0.0;
  std::ranges::sort(shares, [](const WordShare& left, const WordShare& right) {
    return std::tuple(-sort_key(std::fabs(left.contribution)), left.feature) <
           std::tuple(-sort_key(std::fabs(right.contribution)), right.feature);
  });
  return shares;
}

std::string ScoreFormatter::heading(std::int64_t lines) const {
  switch (format_) {
    case ScoreFormat::jsonl: return {};
    case ScoreFormat::csv: return fmt::format("{}document,id,mean,width,ucb,played\n", names_user() ? "events," : "");
    case ScoreFormat::npy: return npy_heading(lines);
    case ScoreFormat::table: break;
  }
  return style_.bold(fmt::format("{:>13} {:>11} {:>11} {:>11}  {}", "document", "mean", "width", "ucb",
                                 names_user() ? "events, id" : "id")) +
         "\n";
}

void ScoreFormatter::append(std::string& out, const ScoreLine& line) const {
  switch (format_) {
    case ScoreFormat::jsonl: return append_json(out, line);
    case ScoreFormat::csv: return append_csv(out, line);
    case ScoreFormat::npy: return append_record(out, line);
    case ScoreFormat::table: break;
  }
  append_row(out, line);
}

void ScoreFormatter::append_json(std::string& out, const ScoreLine& line) const {
  JsonWriter json;
  json.begin_object();
  if (names_user()) json.member("events", line.user);
  json.member("document", line.document);
  if (line.id) json.member("id", *line.id);
  json.member("mean", line.mean).member("width", line.width).member("ucb", line.ucb);
  if (line.played > 0) json.member("played", line.played);
  if (line.words != nullptr) {
    if (const std::string reason = reason_of(*line.words, false); !reason.empty()) json.member("reason", reason);
    if (line.base_mean != 0.0) json.member("base", line.base_mean);
    write_words(json, *line.words);
  }
  out += json.end_object().take();
  out += '\n';
}

void ScoreFormatter::append_csv(std::string& out, const ScoreLine& line) const {
  if (names_user()) {
    append_csv_field(out, line.user);
    out += ',';
  }
  fmt::format_to(std::back_inserter(out), "{},", line.document);
  append_csv_field(out, line.id.value_or(""));
  fmt::format_to(std::back_inserter(out), ",{},{},{},{}\n", line.mean, line.width, line.ucb, line.played);
}

void ScoreFormatter::append_csv_field(std::string& out, std::string_view text) const {
  out += csv_cell(text_for_ == TextFor::program ? std::string(text) : visible_text(text));
}

void ScoreFormatter::append_row(std::string& out, const ScoreLine& line) const {
  std::string name(line.id.value_or(""));
  if (names_user()) name = fmt::format("{}{}{}", line.user, name.empty() ? "" : "  ", name);
  if (line.played > 0) name += fmt::format("{}(played {})", name.empty() ? "" : " ", line.played);
  out += style_.bold(fmt::format("{:>13} {:>11.5f} {:>11.5f} {:>11.5f}", line.document, line.mean, line.width, line.ucb));
  if (!name.empty()) out += "  " + visible_text(name);
  out += '\n';
  if (line.words == nullptr) return;
  const std::span<const WordShare> words(*line.words);
  if (const std::string reason = reason_of(words, true); !reason.empty()) out += fmt::format("{:>13} {}\n", "", reason);
  if (line.base_mean != 0.0)
    out += fmt::format("{:>13} {:>+11.5f} = what every document has, whatever its words\n", "", line.base_mean);
  const std::size_t shown = std::min(words.size(), kWordsShown);
  for (const WordShare& share : words.first(shown)) {
    out += fmt::format("{:>13} {:>+11.5f} = {:.5f} x ({:+.5f} ± {:.5f}), {:.0f} % of the width²  {}\n", "", share.contribution,
                       share.value, share.weight, share.uncertainty, 100.0 * share.width_share, shown_word(share));
  }
  if (shown < words.size()) append_rest(out, words.subspan(shown));
}

ScoreOutput::ScoreOutput(std::vector<std::string> users, ScoreOutputOptions options)
    : users_(std::move(users)),
      options_(std::move(options)),
      shared_(options_.files.size() < users_.size() || users_.size() == 1),
      formatter_(options_.format, user_column(shared_, users_.size()), options_.colour, options_.text_for),
      files_(open_outputs(options_.files)) {}

void ScoreOutput::begin(const std::vector<std::int64_t>& lines_of_users) {
  if (shared_) {
    const auto lines = std::accumulate(lines_of_users.begin(), lines_of_users.end(), std::int64_t{0});
    return write(0, formatter_.heading(lines));
  }
  for (std::size_t user = 0; user < users_.size(); ++user) write(user, formatter_.heading(lines_of_users[user]));
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
