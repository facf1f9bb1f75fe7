// The best documents of one shard for every user of a model, in a folder: a part of the result of scoring the whole set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/parts/folder/folder_staging.hpp"
#include "io/search/score/score_pass.hpp"

namespace inkling {

/// The kind of folder that a part is.
[[nodiscard]] const FolderKind& score_part_kind();

/// What a part was made from. Two parts of equal origin are equal to the last bit.
struct PartOrigin {
  std::uint64_t collection = 0;  ///< of all documents of the set
  std::uint64_t model = 0;       ///< the checksum at the end of the model's manifest
  std::int64_t shards = 1;       ///< of the set
  std::int64_t shard = 0;        ///< which of them, from 0
  std::int64_t first_row = 0;    ///< its first document among those of the set
  std::int64_t rows = 0;
  std::int64_t top = 0;  ///< documents of each user, or all of the shard if it has fewer
  bool has_ids = false;
  bool explains = false;  ///< whether the words that made each score are included

  bool operator==(const PartOrigin&) const = default;
};

/// The lines of all users, one after the other, each user's best first; documents are numbered in the set.
struct ShardScores {
  std::string path;
  PartOrigin origin;
  std::string program_version;
  PackedStrings users;
  std::vector<double> base_mean;           ///< by user
  std::vector<std::int64_t> indptr = {0};  ///< by user: where the lines begin, and the end
  std::vector<std::int64_t> documents;     ///< by line, and so on
  std::vector<double> mean;
  std::vector<double> width;
  std::vector<double> ucb;
  std::vector<std::int64_t> played;
  PackedStrings ids;                             ///< none where documents have none
  std::vector<std::int64_t> words_indptr = {0};  ///< by line: where its words begin, and the end
  std::vector<std::int32_t> words_features;      ///< by word of a line, and so on
  PackedStrings words;
  std::vector<double> words_value;
  std::vector<double> words_weight;
  std::vector<double> words_contribution;
  std::vector<double> words_uncertainty;
  std::vector<double> words_width_share;
  std::vector<std::int32_t> words_opinions;  ///< what the user said about it; -1 for nothing
  std::vector<double> words_rewards;         ///< NaN without a rating of its own

  [[nodiscard]] std::size_t lines() const { return documents.size(); }
  /// Lifetime: lends the part; `word_shares` are those of `words_of`, or none.
  [[nodiscard]] ScoreLine line(std::size_t line, std::size_t user, const std::vector<WordShare>* word_shares) const;
  [[nodiscard]] std::vector<WordShare> words_of(std::size_t line) const;
};

/// Takes the rankings of one shard, and leaves them empty. Requires: `pools` is that shard, and the users are those of
/// `users_of_shard`.
[[nodiscard]] ShardScores score_part_of(const PoolSet& pools, const ScoreUsers& users, RankingPass& pass,
                                        const PartOrigin& origin);

[[nodiscard]] Published write_score_part(FolderStaging& staging, const ShardScores& part, const std::string& program_version);

/// Whether a complete part of this origin, written by this version, is there already. Throws SystemError; false where it is damaged.
[[nodiscard]] bool is_score_part_of(const std::string& path, const PartOrigin& origin, const std::string& program_version);

/// Checks every checksum and all numbers. Throws SystemError, and CorruptFileError naming the file.
[[nodiscard]] ShardScores read_score_part(const std::string& path);

}  // namespace inkling
