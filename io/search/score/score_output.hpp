// Writes scored documents, and what their words add to the scores, as JSON, CSV, NumPy records or a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "engine/core/ids.hpp"
#include "engine/scoring/ranking.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/wording/style.hpp"
#include "io/search/events/reason.hpp"

namespace inkling {

enum class ScoreFormat { jsonl, csv, npy, table };
inline constexpr EnumName<ScoreFormat> kScoreFormatNames[] = {
    {ScoreFormat::jsonl, "jsonl"}, {ScoreFormat::csv, "csv"}, {ScoreFormat::npy, "npy"}, {ScoreFormat::table, "table"}};

/// The ending of file names for the format: ".csv"; ".txt" for tables.
[[nodiscard]] std::string file_ending(ScoreFormat format);

/// What one relevant word adds to the score of a document that holds it.
struct WordShare {
  FeatureId feature = 0;
  std::string word = {};              ///< empty where the pool has no words
  double value = 0.0;                 ///< x_j
  double weight = 0.0;                ///< theta_j
  double contribution = 0.0;          ///< x_j theta_j; with the base rate they sum to the mean
  double uncertainty = 0.0;           ///< sqrt((V^-1)_jj): the width of a document with x_j = 1 and no other word
  double width_share = 0.0;           ///< x_j (V^-1 x)_j / width^2; they sum to 1, and one may be below 0
  std::optional<SaidWord> said = {};  ///< by the user
};

/// What each of these words adds to the mean and to the squared width; the largest absolute contribution first. `word_of`
/// names a feature; its text is empty if the pool has no words.
[[nodiscard]] std::vector<WordShare> explain_score(std::span<const ScorePart> parts,
                                                   const std::function<std::string(FeatureId)>& word_of,
                                                   const SaidOfWords& said = {});

/// A document with its score. Lifetime: lends what it shows.
struct ScoreLine {
  std::string_view user = {};  ///< its file of events
  std::int64_t document = 0;
  std::optional<std::string_view> id = {};
  double mean = 0.0;
  double width = 0.0;
  double ucb = 0.0;
  std::int64_t played = 0;                        ///< how many events played it
  const std::vector<WordShare>* words = nullptr;  ///< null if they are not to be shown
  double base_mean = 0.0;                         ///< shown with the words, unless it is 0
};

/// How many words of a document a table shows.
inline constexpr std::size_t kWordsShown = 12;

/// Whether lines name their user.
enum class UserColumn { absent, present };

/// Who gets the text. Some characters of ids would act on a terminal, so it gets a visible form of them; a file gets the same
/// bytes. JSON and tables are the same for both.
enum class TextFor { program, terminal };

/// Numbers are the shortest texts that give the same number when read; tables round them.
///   jsonl  {"events":FILE,"document":ROW,"id":TEXT,"mean":M,"width":W,"ucb":U,"played":N,"reason":TEXT,"base":B,"words":[...]},
///          without a member that has no value: no id, no play, nothing said of its words, no base rate, no explanation wanted
///   csv    events,document,id,mean,width,ucb,played, under a header line
///   npy    a structured array of document, mean, width, ucb and played, each of 8 bytes
///   table  columns; below a document what was said of its words, the first kWordsShown of them, and the sum of the others
class ScoreFormatter {
 public:
  ScoreFormatter(ScoreFormat format, UserColumn users, Colour colour, TextFor text_for = TextFor::program)
      : format_(format), users_(users), style_(colour), text_for_(text_for) {}

  /// The text before the lines. `lines`: how many lines will follow.
  [[nodiscard]] std::string heading(std::int64_t lines) const;
  void append(std::string& out, const ScoreLine& line) const;

 private:
  [[nodiscard]] bool names_user() const { return users_ == UserColumn::present; }
  void append_json(std::string& out, const ScoreLine& line) const;
  void append_csv(std::string& out, const ScoreLine& line) const;
  void append_csv_field(std::string& out, std::string_view text) const;
  void append_row(std::string& out, const ScoreLine& line) const;

  ScoreFormat format_;
  UserColumn users_;
  Style style_;
  TextFor text_for_;
};

struct ScoreOutputOptions {
  ScoreFormat format = ScoreFormat::jsonl;
  bool explain = false;  ///< write the words that made each score
  Colour colour = Colour::off;
  TextFor text_for = TextFor::program;
  /// Empty: standard output; one file: all users share it; otherwise one file for each user.
  std::vector<std::string> files = {};
  std::function<void(std::string_view text)> print = {};  ///< writes to standard output
};

/// A file appears whole, in close(), or not at all; close() also prints the last text for standard output.
/// Thread safety: one thread at a time.
class ScoreOutput {
 public:
  /// Opens the files, so that a file that cannot be written is an error before the work begins. The name of a user is that of
  /// their file of events. Throws SystemError.
  ScoreOutput(std::vector<std::string> users, ScoreOutputOptions options);

  [[nodiscard]] const ScoreOutputOptions& options() const { return options_; }

  /// Must be called before the first line, with the number of lines of each user.
  void begin(const std::vector<std::int64_t>& lines_of_users);

  /// Appends the next line of a user. If users share a file, its lines are in the order of the calls.
  void append(std::size_t user, ScoreLine line);

  void close();

 private:
  void write(std::size_t file, std::string_view text);
  void print_waiting();

  std::vector<std::string> users_;
  ScoreOutputOptions options_;
  bool shared_;  // one file, or standard output, for all users
  ScoreFormatter formatter_;
  std::vector<std::unique_ptr<OutputFile>> files_;  // none for standard output
  std::string line_;
  std::string waiting_;  // for standard output
};

}  // namespace inkling
