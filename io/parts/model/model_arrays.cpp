#include "io/parts/model/model_arrays.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <variant>

#include <tsl/robin_map.h>

#include "engine/model/linear_model.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

template <typename Number>
void append_all(std::vector<Number>& to, std::span<const Number> from) {
  to.insert(to.end(), from.begin(), from.end());
}

template <typename Number>
void end_user(std::vector<std::int64_t>& offsets, const std::vector<Number>& numbers) {
  offsets.push_back(std::ssize(numbers));
}

/// The variance that most features have, if most share one.
double usual_variance(std::span<const double> variances) {
  double usual = 0.0;
  std::int64_t votes = 0;
  for (const double variance : variances) {
    if (votes == 0) usual = variance;
    votes += variance == usual ? 1 : -1;
  }
  return usual;
}

class ModelPacker {
 public:
  void add(const ScoreUsers& users, std::size_t user) {
    arrays_.users.append(users.logs[user].path);
    arrays_.radius.push_back(users.radii[user]);
    arrays_.base_mean.push_back(users.base_means[user]);
    const FrozenModel& model = users.models.frozen()[user];
    if (const auto* const dual = std::get_if<DualScan>(&model))
      add_dual(*dual);
    else
      add_primal(std::get<BatchScan>(model));
    end_user(arrays_.base_indptr, arrays_.base);
    end_user(arrays_.theta_indptr, arrays_.theta);
    end_user(arrays_.variance_indptr, arrays_.variance);
    end_user(arrays_.played_indptr, arrays_.played_rows);
    for (const PlayCount& play : users.plays[user]) {
      arrays_.plays_documents.push_back(play.document);
      arrays_.plays.push_back(play.plays);
    }
    end_user(arrays_.plays_indptr, arrays_.plays);
    add_said(users.said[user]);
  }

  [[nodiscard]] ModelArrays take() && { return std::move(arrays_); }

 private:
  void add_primal(const BatchScan& scan) {
    arrays_.form.push_back(kPrimalForm);
    arrays_.features_in_use.push_back(static_cast<std::int32_t>(scan.features().size()));
    arrays_.base_square.push_back(scan.base().square);
    arrays_.variance_default.push_back(0.0);
    append_all<double>(arrays_.base, scan.base().cross);
    append_all(arrays_.theta_indices, scan.features());
    append_all(arrays_.theta, scan.theta());
    append_all(arrays_.inverse, scan.inverse());
  }

  void add_dual(const DualScan& scan) {
    arrays_.form.push_back(kDualForm);
    arrays_.features_in_use.push_back(scan.features_in_use());
    arrays_.base_square.push_back(scan.base_square());
    append_all(arrays_.base, scan.base_kernel());
    append_all(arrays_.pivots, scan.factor().pivots());
    append_all(arrays_.lower, scan.factor().lower());
    const double usual = usual_variance(scan.variance());
    arrays_.variance_default.push_back(usual);
    const CsrMatrix played = scan.played_rows();
    // Usually theta follows from one weight for each row, which takes far less space; otherwise theta itself is kept.
    const bool by_rows = is_theta_of_rows(scan, played.view());
    for (std::size_t n = 0; n < scan.theta().size(); ++n) {
      const auto feature = static_cast<FeatureId>(n);
      if (!by_rows && std::bit_cast<std::uint64_t>(scan.theta()[n]) != 0) {
        arrays_.theta_indices.push_back(feature);
        arrays_.theta.push_back(scan.theta()[n]);
      }
      if (scan.variance()[n] != usual) {
        arrays_.variance_indices.push_back(feature);
        arrays_.variance.push_back(scan.variance()[n]);
      }
    }
    for (DocumentId row = 0; row < played.view().rows(); ++row) {
      arrays_.played_rows.push_back(number_of_row(played.view().row(row)));
      arrays_.weights.push_back(by_rows ? scan.document_weights()[static_cast<std::size_t>(row)] : 0.0);
    }
  }

  [[nodiscard]] static bool is_theta_of_rows(const DualScan& scan, CsrView played) {
    if (!std::cmp_equal(scan.document_weights().size(), played.rows())) return false;
    const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
    return std::ranges::equal(weights_of_rows(scan.document_weights(), played, scan.variance()), scan.theta(), {}, bits, bits);
  }

  /// Users who played one document share its row.
  std::int64_t number_of_row(SparseRow row) {
    const std::uint64_t key =
        std::rotl(checksum_of(std::as_bytes(row.features.unchecked())), 1) ^ checksum_of(std::as_bytes(row.values));
    std::vector<std::int64_t>& alike = rows_[key];
    for (const std::int64_t number : alike)
      if (is_row(number, row)) return number;
    const auto number = std::ssize(arrays_.rows_indptr) - 1;
    append_all(arrays_.rows_indices, row.features.unchecked());
    append_all(arrays_.rows_data, row.values);
    end_user(arrays_.rows_indptr, arrays_.rows_indices);
    alike.push_back(number);
    return number;
  }

  [[nodiscard]] bool is_row(std::int64_t number, SparseRow row) const {
    const auto at = static_cast<std::size_t>(number);
    const auto begin = static_cast<std::size_t>(arrays_.rows_indptr[at]);
    const auto count = static_cast<std::size_t>(arrays_.rows_indptr[at + 1]) - begin;
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    return std::ranges::equal(std::span(arrays_.rows_indices).subspan(begin, count), row.features) &&
           std::ranges::equal(std::span(arrays_.rows_data).subspan(begin, count), row.values, {}, bits, bits);
  }

  void add_said(const SaidOfWords& said) {
    std::vector<FeatureId> features;
    features.reserve(said.size());
    for (const auto& [feature, word] : said) features.push_back(feature);
    std::ranges::sort(features);
    for (const FeatureId feature : features) {
      const SaidWord& word = said.at(feature);
      arrays_.said_features.push_back(feature);
      arrays_.said_opinions.push_back(static_cast<std::int32_t>(opinion_of(word)));
      arrays_.said_rewards.push_back(word.reward.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    end_user(arrays_.said_indptr, arrays_.said_features);
  }

  ModelArrays arrays_;
  tsl::robin_map<std::uint64_t, std::vector<std::int64_t>> rows_;  // by a checksum of them
};

}  // namespace

ModelArrays model_arrays_of(const ScoreUsers& users) {
  ModelPacker packer;
  for (std::size_t user = 0; user < users.count(); ++user) packer.add(users, user);
  return std::move(packer).take();
}

}  // namespace inkling
