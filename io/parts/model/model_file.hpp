// A model in a folder: what was learned from many users' events, and from which documents.
#pragma once

#include <cstdint>
#include <string>

#include "io/parts/folder/folder_staging.hpp"
#include "io/parts/model/model_arrays.hpp"
#include "io/search/events/events.hpp"
#include "io/search/score/score_pass.hpp"

namespace inkling {

/// The kind of folder that a model is.
[[nodiscard]] const FolderKind& model_kind();

/// What a model was made from.
struct ModelOrigin {
  std::uint64_t collection = 0;  ///< `collection_checksum` of the documents
  ModelShape shape;
  std::string policy;
  std::string options = "{}";  ///< how it learned: one JSON object, for people
  Replays replays = Replays::refused;
};

/// Writes the models and takes the folder's name.
[[nodiscard]] Published write_model(FolderStaging& staging, const ScoreUsers& users, const ModelOrigin& origin,
                                    const std::string& program_version);

struct KeptModel {
  ModelOrigin origin;
  std::uint64_t checksum = 0;  ///< at the end of its manifest
  ScoreUsers users;
};

/// Checks every checksum and all numbers. Throws SystemError, and CorruptFileError naming the file.
[[nodiscard]] KeptModel read_model(const std::string& path);

/// Renumbers the users' documents for a shard: its `rows` documents from `first_row` on are counted from 0.
[[nodiscard]] ScoreUsers users_of_shard(ScoreUsers users, std::int64_t first_row, std::int64_t rows);

}  // namespace inkling
