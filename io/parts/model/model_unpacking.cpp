// Makes users that score from the arrays of a model. Detects everything that could be wrong with the arrays.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/model/model_options.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/parts/model/model_arrays.hpp"

namespace inkling {
namespace {

// The numbers of one user in a flat array.
template <typename Number>
std::span<const Number> of_user(const std::vector<Number>& numbers, const std::vector<std::int64_t>& offsets, std::size_t user) {
  const auto begin = static_cast<std::size_t>(offsets[user]);
  return std::span(numbers).subspan(begin, static_cast<std::size_t>(offsets[user + 1]) - begin);
}

bool all_finite(std::span<const double> numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

std::vector<double> copied(std::span<const double> numbers) { return {numbers.begin(), numbers.end()}; }

class ModelUnpacker {
 public:
  ModelUnpacker(const ModelArrays& arrays, const ModelShape& shape, const std::string& where)
      : arrays_(arrays), shape_(shape), where_(where), rows_(shape.features) {
    check_sizes();
    check_numbers();
    rows_ = checked_rows();
  }

  [[nodiscard]] ScoreUsers users() {
    std::vector<EventLog> logs;
    std::vector<std::vector<PlayCount>> plays;
    std::vector<SaidOfWords> said;
    std::vector<FrozenModel> models;
    for (std::size_t user = 0; user < arrays_.users.size(); ++user) {
      logs.push_back({.path = std::string(arrays_.users[user]), .events = {}});
      plays.push_back(plays_of_user(user));
      said.push_back(said_by(user));
      if (arrays_.form[user] == kDualForm)
        models.emplace_back(dual(user));
      else
        models.emplace_back(primal(user));
    }
    check(next_inverse_ == arrays_.inverse.size(), "inverse.npy", "as many numbers as the models have");
    check(next_lower_ == arrays_.lower.size(), "lower.npy", "as many numbers as the models have");
    return {std::move(logs),        std::move(plays),
            std::move(said),        arrays_.radius,
            arrays_.base_mean,      JointScan(std::move(models)),
            shape_.features_in_use, {}};
  }

 private:
  void check(bool holds, std::string_view name, std::string_view expectation) const {
    if (!holds) throw CorruptFileError(pool_file_path(where_, name), "expected {}", expectation);
  }

  void check_sizes() const {
    const std::size_t users = arrays_.users.size();
    check(users > 0, "users_indptr.npy", "at least one user");
    const auto by_user = [&](std::string_view name, std::size_t size) {
      check(size == users, name, fmt::format("{} numbers, one a user", users));
    };
    by_user("form.npy", arrays_.form.size());
    by_user("features_in_use.npy", arrays_.features_in_use.size());
    by_user("radius.npy", arrays_.radius.size());
    by_user("base_mean.npy", arrays_.base_mean.size());
    by_user("base_square.npy", arrays_.base_square.size());
    by_user("variance_default.npy", arrays_.variance_default.size());
    const auto cut = [&](std::string_view name, const std::vector<std::int64_t>& offsets, std::size_t size) {
      check(offsets.size() == users + 1, name, fmt::format("{} offsets", users + 1));
      check_offsets(pool_file_path(where_, name), offsets, size);
    };
    cut("base_indptr.npy", arrays_.base_indptr, arrays_.base.size());
    cut("theta_indptr.npy", arrays_.theta_indptr, arrays_.theta.size());
    cut("variance_indptr.npy", arrays_.variance_indptr, arrays_.variance.size());
    cut("played_indptr.npy", arrays_.played_indptr, arrays_.played_rows.size());
    cut("plays_indptr.npy", arrays_.plays_indptr, arrays_.plays.size());
    cut("said_indptr.npy", arrays_.said_indptr, arrays_.said_features.size());
    const auto pair = [&](std::string_view name, std::size_t size, std::size_t other) {
      check(size == other, name, fmt::format("{} numbers", other));
    };
    pair("theta_indices.npy", arrays_.theta_indices.size(), arrays_.theta.size());
    pair("variance_indices.npy", arrays_.variance_indices.size(), arrays_.variance.size());
    pair("pivots.npy", arrays_.pivots.size(), arrays_.played_rows.size());
    pair("weights.npy", arrays_.weights.size(), arrays_.played_rows.size());
    pair("plays_documents.npy", arrays_.plays_documents.size(), arrays_.plays.size());
    pair("said_opinions.npy", arrays_.said_opinions.size(), arrays_.said_features.size());
    pair("said_rewards.npy", arrays_.said_rewards.size(), arrays_.said_features.size());
  }

  void check_numbers() const {
    const auto finite = [&](std::string_view name, const std::vector<double>& numbers) {
      check(all_finite(numbers), name, "finite numbers");
    };
    finite("base.npy", arrays_.base);
    finite("base_mean.npy", arrays_.base_mean);
    finite("base_square.npy", arrays_.base_square);
    finite("inverse.npy", arrays_.inverse);
    finite("lower.npy", arrays_.lower);
    finite("theta.npy", arrays_.theta);
    finite("weights.npy", arrays_.weights);
    const auto above = [&](std::string_view name, const std::vector<double>& numbers, bool or_zero) {
      finite(name, numbers);
      const bool holds = std::ranges::all_of(numbers, [&](double n) { return n > 0.0 || (or_zero && n == 0.0); });
      check(holds, name, or_zero ? "numbers of 0 or more" : "numbers above 0");
    };
    above("pivots.npy", arrays_.pivots, false);
    above("radius.npy", arrays_.radius, true);
    above("variance.npy", arrays_.variance, true);
    above("variance_default.npy", arrays_.variance_default, true);
    for (const std::int32_t form : arrays_.form) check(form == kPrimalForm || form == kDualForm, "form.npy", "0 or 1");
    for (const std::int32_t count : arrays_.features_in_use)
      check(count >= 0 && count <= shape_.features, "features_in_use.npy", "no more than there are features");
  }

  [[nodiscard]] CsrMatrix checked_rows() const {
    try {
      return {shape_.features, arrays_.rows_indptr, arrays_.rows_indices, arrays_.rows_data};
    } catch (const FormatError& error) {
      throw CorruptFileError(pool_file_path(where_, "rows_indptr.npy"), "expected rows of documents: {}", error.what());
    }
  }

  /// Throws unless features ascend within the pool's.
  void check_features(std::span<const FeatureId> features, std::string_view name) const {
    const bool ascend = std::ranges::adjacent_find(features, std::greater_equal<>()) == features.end();
    const bool fit = features.empty() || (features.front() >= 0 && features.back() < shape_.features);
    check(ascend && fit, name, fmt::format("features of each user that ascend below {}", shape_.features));
  }

  [[nodiscard]] std::vector<PlayCount> plays_of_user(std::size_t user) const {
    const auto documents = of_user(arrays_.plays_documents, arrays_.plays_indptr, user);
    const auto plays = of_user(arrays_.plays, arrays_.plays_indptr, user);
    std::vector<PlayCount> counts;
    counts.reserve(plays.size());
    for (std::size_t n = 0; n < plays.size(); ++n) {
      const bool ascends = n == 0 ? documents[n] >= 0 : documents[n] > documents[n - 1];
      check(ascends && documents[n] < shape_.documents, "plays_documents.npy",
            fmt::format("documents of each user that ascend below {}", shape_.documents));
      check(plays[n] > 0, "plays.npy", "numbers above 0");
      counts.push_back({documents[n], plays[n]});
    }
    return counts;
  }

  [[nodiscard]] SaidOfWords said_by(std::size_t user) const {
    const auto features = of_user(arrays_.said_features, arrays_.said_indptr, user);
    const auto opinions = of_user(arrays_.said_opinions, arrays_.said_indptr, user);
    const auto rewards = of_user(arrays_.said_rewards, arrays_.said_indptr, user);
    check_features(features, "said_features.npy");
    SaidOfWords said;
    for (std::size_t n = 0; n < features.size(); ++n) {
      check(opinions[n] >= 0 && opinions[n] <= static_cast<std::int32_t>(WordOpinion::unwanted), "said_opinions.npy",
            "numbers from 0 to 2");
      check(!std::isinf(rewards[n]), "said_rewards.npy", "finite numbers, or NaN");
      SaidWord word = {.feature = features[n]};
      if (!std::isnan(rewards[n])) word.reward = rewards[n];
      said.emplace(features[n], word);
    }
    return said;
  }

  [[nodiscard]] BatchScan primal(std::size_t user) {
    const auto features = of_user(arrays_.theta_indices, arrays_.theta_indptr, user);
    const auto theta = of_user(arrays_.theta, arrays_.theta_indptr, user);
    const auto cross = of_user(arrays_.base, arrays_.base_indptr, user);
    check_features(features, "theta_indices.npy");
    const std::size_t m = features.size();
    check(m <= static_cast<std::size_t>(kLargestGram), "theta_indptr.npy", "a smaller model");
    check(cross.empty() || cross.size() == m, "base_indptr.npy", "a number for each feature, or none");
    check(arrays_.base_square[user] == 0.0 || cross.size() == m, "base_indptr.npy",
          "a number for each feature where base_square.npy is not 0");
    check(of_user(arrays_.played_rows, arrays_.played_indptr, user).empty(), "played_indptr.npy", "no rows where form.npy is 0");
    check(arrays_.inverse.size() - next_inverse_ >= m * m, "inverse.npy", "as many numbers as the models have");
    const auto inverse = std::span(arrays_.inverse).subspan(std::exchange(next_inverse_, next_inverse_ + m * m), m * m);
    return {
        features, theta, inverse, {.mean = arrays_.base_mean[user], .square = arrays_.base_square[user], .cross = copied(cross)}};
  }

  [[nodiscard]] DualScan dual(std::size_t user) {
    const auto pivots = of_user(arrays_.pivots, arrays_.played_indptr, user);
    const auto base_kernel = of_user(arrays_.base, arrays_.base_indptr, user);
    const std::size_t n = pivots.size();
    check(n <= static_cast<std::size_t>(kLargestGram), "played_indptr.npy", "a smaller model");
    check(base_kernel.empty() || base_kernel.size() == n, "base_indptr.npy", "a number for each row, or none");
    const std::size_t below = n * (n - std::min<std::size_t>(n, 1)) / 2;
    check(arrays_.lower.size() - next_lower_ >= below, "lower.npy", "as many numbers as the models have");
    const auto lower = std::span(arrays_.lower).subspan(std::exchange(next_lower_, next_lower_ + below), below);
    CsrMatrix played(shape_.features);
    for (const std::int64_t row : of_user(arrays_.played_rows, arrays_.played_indptr, user)) {
      check(row >= 0 && row < rows_.view().rows(), "played_rows.npy", "rows of rows_indptr.npy");
      played.append_row(rows_.view().row(static_cast<DocumentId>(row)));
    }
    DualScanParts parts = {.features_in_use = arrays_.features_in_use[user],
                           .theta = {},
                           .variance = dense_variance(user),
                           .played = std::move(played),
                           .factor = KernelFactor(copied(lower), copied(pivots)),
                           .base_mean = arrays_.base_mean[user],
                           .base_square = arrays_.base_square[user],
                           .base_kernel = copied(base_kernel),
                           .document_weights = copied(of_user(arrays_.weights, arrays_.played_indptr, user))};
    parts.theta = theta_of(user, parts);
    return DualScan(std::move(parts));
  }

  /// Computed from the rows' weights, unless theta itself is kept.
  [[nodiscard]] std::vector<double> theta_of(std::size_t user, const DualScanParts& parts) const {
    const auto features = of_user(arrays_.theta_indices, arrays_.theta_indptr, user);
    check_features(features, "theta_indices.npy");
    if (!features.empty()) return dense(features, of_user(arrays_.theta, arrays_.theta_indptr, user), 0.0);
    std::vector<double> theta = weights_of_rows(parts.document_weights, parts.played.view(), parts.variance);
    check(all_finite(theta), "weights.npy", "weights that make finite ones of words");
    return theta;
  }

  [[nodiscard]] std::vector<double> dense_variance(std::size_t user) const {
    const auto features = of_user(arrays_.variance_indices, arrays_.variance_indptr, user);
    check_features(features, "variance_indices.npy");
    return dense(features, of_user(arrays_.variance, arrays_.variance_indptr, user), arrays_.variance_default[user]);
  }

  [[nodiscard]] std::vector<double> dense(std::span<const FeatureId> features, std::span<const double> values,
                                          double otherwise) const {
    std::vector<double> numbers(static_cast<std::size_t>(shape_.features), otherwise);
    for (std::size_t n = 0; n < features.size(); ++n) numbers[static_cast<std::size_t>(features[n])] = values[n];
    return numbers;
  }

  const ModelArrays& arrays_;
  const ModelShape& shape_;
  const std::string& where_;
  CsrMatrix rows_;
  std::size_t next_inverse_ = 0;
  std::size_t next_lower_ = 0;
};

}  // namespace

ScoreUsers users_of(const ModelArrays& arrays, const ModelShape& shape, const std::string& where) {
  return ModelUnpacker(arrays, shape, where).users();
}

}  // namespace inkling
