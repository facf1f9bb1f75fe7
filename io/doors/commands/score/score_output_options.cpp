#include "io/doors/commands/score/score_output_options.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/file_identity.hpp"
#include "io/base/system/file.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/search/events/event_line.hpp"

namespace inkling {
namespace {

// "users/anna.jsonl" becomes "FOLDER/anna.csv".
std::vector<std::string> files_in_folder(const std::string& folder, const std::vector<std::string>& event_files,
                                         std::string_view ending) {
  std::vector<std::string> files;
  std::map<std::string, std::string> events_of;
  for (const std::string& events : event_files) {
    const std::string user = events == "-" ? "stdin" : std::filesystem::path(events).stem().string();
    const std::string name = user + std::string(ending);
    const auto [other, is_new] = events_of.insert({name, events});
    if (!is_new)
      throw UsageError::option("split", fmt::format("{} and {} would both be written to {}", other->second, events, name));
    files.push_back((std::filesystem::path(folder) / name).generic_string());
  }
  return files;
}

void check_format(const ParsedOptions& given, ScoreFormat format, std::size_t users) {
  const bool words_fit = format == ScoreFormat::jsonl || format == ScoreFormat::table;
  if (given.flag("explain") && !words_fit) throw UsageError::option("explain", "expected with --top, as jsonl or table");
  if (format != ScoreFormat::npy || given.flag("split")) return;
  if (users > 1)
    throw UsageError::option("format",
                             "npy holds the scores of one user: expected --split with npy and several "
                             "files of events");
  if (given.text("out") == "-" && terminal_facts(Stream::output).is_terminal)
    throw UsageError::option("format", "npy is not text: expected --out where output is a terminal");
}

// Whether an existing file holds events. False if it cannot be read: opening it for writing will give the reason.
bool holds_events(const std::string& path) {
  if (!identity_of(path)) return false;
  try {
    const File file = open_regular_file(path);
    std::string beginning(std::size_t{1} << 16U, '\0');
    beginning.resize(file.read_at(std::as_writable_bytes(std::span(beginning)), 0));
    return begins_like_events(beginning);
  } catch (const SystemError&) {
    return false;
  }
}

}  // namespace

OptionGroup score_output_options() {
  return {"What comes out",
          {{"top", Integer{1, kMostRanked}, "K", std::nullopt,
            "the K documents of highest ucb, best first, without those rated (default: 10)"},
           {"format", Choice{names_of(kScoreFormatNames)}, "FORMAT", "jsonl",
            "jsonl: one object a line; csv: with a header line; npy: a NumPy array of records with the fields "
            "document, mean, width, ucb, played; table: for people"},
           {"explain", Flag{}, "", std::nullopt,
            "add the words that made each score, each with value, weight, contribution, uncertainty and share "
            "of the squared width; with --top, as jsonl or table, which shows the first 12"},
           {"out", Path{}, "FILE", "-", "write there, whole or not at all; - is standard output"},
           {"split", Flag{}, "", std::nullopt,
            "write the scores of each --events NAME.jsonl to a file NAME.FORMAT in the folder --out"}}};
}

ScoreOutputOptions score_output_options_of(const ParsedOptions& given, const std::vector<std::string>& users) {
  if (given.flag("split") && given.text("out") == "-") throw UsageError::option("split", "expected with --out and a folder");
  ScoreOutputOptions output;
  output.format = given.choice("format", kScoreFormatNames);
  output.explain = given.flag("explain");
  check_format(given, output.format, users.size());
  if (given.flag("split")) {
    output.files = files_in_folder(given.text("out"), users, file_ending(output.format));
  } else if (given.text("out") != "-") {
    output.files = {given.text("out")};
  } else {
    const TerminalFacts terminal = terminal_facts(Stream::output);
    output.colour = terminal.colour;
    if (terminal.is_terminal) output.text_for = TextFor::terminal;
  }
  return output;
}

void check_score_outputs(const ScoreOutputOptions& output, bool in_folder, const std::vector<NamedFile>& inputs,
                         const std::vector<std::string>& pools) {
  const std::vector<NamedFile> outputs = files_called(in_folder ? "--out:" : "--out", output.files);
  refuse_overwriting(outputs, inputs, pools);
  for (const NamedFile& file : outputs) {
    if (!holds_events(file.path)) continue;
    throw UsageError(fmt::format("{} {} holds events: expected another place for the output, or remove that file first",
                                 file.role, file.path));
  }
}

}  // namespace inkling
