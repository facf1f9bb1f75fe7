// The frozen models of many users as flat arrays, each with offsets by user, and the users made from them again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/parts/folder/array_folder.hpp"
#include "io/search/score/score_pass.hpp"

namespace inkling {

/// FORMAT.md describes each array in one line. `*_indptr` are offsets by user, one more than users.
struct ModelArrays {
  PackedStrings users;
  std::vector<std::int32_t> form;  ///< kPrimalForm or kDualForm
  std::vector<std::int32_t> features_in_use;
  std::vector<double> radius;
  std::vector<double> base_mean;
  std::vector<double> base_square;
  std::vector<std::int64_t> base_indptr = {0};
  std::vector<double> base;
  std::vector<std::int64_t> theta_indptr = {0};
  std::vector<std::int32_t> theta_indices;
  std::vector<double> theta;
  std::vector<double> inverse;
  std::vector<double> variance_default;
  std::vector<std::int64_t> variance_indptr = {0};
  std::vector<std::int32_t> variance_indices;
  std::vector<double> variance;
  std::vector<std::int64_t> played_indptr = {0};
  std::vector<std::int64_t> played_rows;
  std::vector<double> weights;  ///< by played row
  std::vector<double> pivots;
  std::vector<double> lower;
  std::vector<std::int64_t> rows_indptr = {0};  ///< by row that any user played, each once
  std::vector<std::int32_t> rows_indices;
  std::vector<float> rows_data;
  std::vector<std::int64_t> plays_indptr = {0};
  std::vector<std::int64_t> plays_documents;
  std::vector<std::int64_t> plays;
  std::vector<std::int64_t> said_indptr = {0};
  std::vector<std::int32_t> said_features;
  std::vector<std::int32_t> said_opinions;
  std::vector<double> said_rewards;  ///< NaN if the word itself was not rated
};

inline constexpr std::int32_t kPrimalForm = 0;
inline constexpr std::int32_t kDualForm = 1;

/// visit("NAME.npy", array) for each array but the users' names.
template <typename Arrays, typename Visit>
void visit_model_arrays(Arrays&& arrays, const Visit& visit) {
  visit("base.npy", arrays.base);
  visit("base_indptr.npy", arrays.base_indptr);
  visit("base_mean.npy", arrays.base_mean);
  visit("base_square.npy", arrays.base_square);
  visit("features_in_use.npy", arrays.features_in_use);
  visit("form.npy", arrays.form);
  visit("inverse.npy", arrays.inverse);
  visit("lower.npy", arrays.lower);
  visit("pivots.npy", arrays.pivots);
  visit("played_indptr.npy", arrays.played_indptr);
  visit("played_rows.npy", arrays.played_rows);
  visit("plays.npy", arrays.plays);
  visit("plays_documents.npy", arrays.plays_documents);
  visit("plays_indptr.npy", arrays.plays_indptr);
  visit("radius.npy", arrays.radius);
  visit("rows_data.npy", arrays.rows_data);
  visit("rows_indices.npy", arrays.rows_indices);
  visit("rows_indptr.npy", arrays.rows_indptr);
  visit("said_features.npy", arrays.said_features);
  visit("said_indptr.npy", arrays.said_indptr);
  visit("said_opinions.npy", arrays.said_opinions);
  visit("said_rewards.npy", arrays.said_rewards);
  visit("theta.npy", arrays.theta);
  visit("theta_indices.npy", arrays.theta_indices);
  visit("theta_indptr.npy", arrays.theta_indptr);
  visit("weights.npy", arrays.weights);
  visit("variance.npy", arrays.variance);
  visit("variance_default.npy", arrays.variance_default);
  visit("variance_indices.npy", arrays.variance_indices);
  visit("variance_indptr.npy", arrays.variance_indptr);
}

[[nodiscard]] ModelArrays model_arrays_of(const ScoreUsers& users);

/// The numbers of documents and features of a model.
struct ModelShape {
  std::int64_t documents = 0;
  std::int32_t features = 0;
  std::int64_t features_in_use = 0;  ///< by any user
};

/// Users that score with the same bits as those from which the arrays were made; their logs have names and no events. Throws
/// CorruptFileError naming "WHERE/NAME.npy" if the arrays do not fit one another or hold impossible values.
[[nodiscard]] ScoreUsers users_of(const ModelArrays& arrays, const ModelShape& shape, const std::string& where);

}  // namespace inkling
