// A scored document as text: a JSON object, a line of CSV, a NumPy record or a row of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "engine/core/ids.hpp"
#include "io/cli/terminal.hpp"

namespace inkling {

enum class ScoreFormat { jsonl, csv, npy, table };
inline constexpr EnumName<ScoreFormat> kScoreFormatNames[] = {{ScoreFormat::jsonl, "jsonl"},
                                                              {ScoreFormat::csv, "csv"},
                                                              {ScoreFormat::npy, "npy"},
                                                              {ScoreFormat::table, "table"}};

/// The ending of file names for the format: ".csv"; ".txt" for tables.
[[nodiscard]] std::string file_ending(ScoreFormat format);

/// What one relevant word adds to the score of a document that holds it.
struct WordShare {
  FeatureId feature = 0;
  std::string word = {};      ///< empty where the pool has no words
  double value = 0.0;         ///< x_j
  double weight = 0.0;        ///< theta_j
  double contribution = 0.0;  ///< x_j theta_j; they sum to the mean
  double uncertainty = 0.0;   ///< sqrt((V^-1)_jj): the width of a document of this word alone, once
  double width_share = 0.0;   ///< x_j (V^-1 x)_j / width^2; they sum to 1, and one may be below 0
};

/// A document with its score. Lifetime: lends what it shows.
struct ScoreLine {
  std::string_view user = {};  ///< its file of events
  std::int64_t document = 0;
  std::optional<std::string_view> id = {};
  double mean = 0.0;
  double width = 0.0;
  double ucb = 0.0;
  std::int64_t played = 0;                        ///< by how many events
  const std::vector<WordShare>* words = nullptr;  ///< where they are wanted
};

/// How many words of a document a table shows.
inline constexpr std::size_t kWordsShown = 12;

/// Whether lines name their user.
enum class UserColumn { absent, present };

/// Numbers are the shortest that read back the same; tables round them.
///   jsonl  {"events":FILE,"document":ROW,"id":TEXT,"mean":M,"width":W,"ucb":U,"played":N,"words":[...]},
///          members are left out where there is no id, no play, or no explanation was asked for
///   csv    events,document,id,mean,width,ucb,played, under a header line
///   npy    a structured array of document, mean, width, ucb and played, each of 8 bytes
///   table  columns; below a document the first kWordsShown of its words, and the sum of the others
class ScoreFormatter {
 public:
  ScoreFormatter(ScoreFormat format, UserColumn users, Colour colour)
      : format_(format), users_(users), style_(colour) {}

  /// The text before this many lines.
  [[nodiscard]] std::string heading(std::int64_t lines) const;
  void append(std::string& out, const ScoreLine& line) const;

 private:
  [[nodiscard]] bool names_user() const { return users_ == UserColumn::present; }
  void append_json(std::string& out, const ScoreLine& line) const;
  void append_csv(std::string& out, const ScoreLine& line) const;
  void append_row(std::string& out, const ScoreLine& line) const;

  ScoreFormat format_;
  UserColumn users_;
  Style style_;
};

}  // namespace inkling
