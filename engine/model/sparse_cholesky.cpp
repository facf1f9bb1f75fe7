// The only file that knows CHOLMOD. CHOLMOD's Modify module reports next to nothing: an out-of-range row, a
// duplicate, an unsorted column, a NaN and a lost definiteness all come back as success. So everything is
// checked here, before and after.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <cholmod.h>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/model/cholesky_factor.hpp"
#include "engine/model/factor_checks.hpp"
#include "engine/model/played_documents.hpp"

namespace inkling {
namespace {

/// CHOLMOD's settings and memory: never prints, simplicial L D L' only.
class Common {
 public:
  Common() {
    cholmod_start(&common_);
    common_.print = 0;
    common_.error_handler = nullptr;
    common_.supernodal = CHOLMOD_SIMPLICIAL;
    common_.final_ll = 0;
  }
  Common(const Common&) = delete;
  Common& operator=(const Common&) = delete;
  ~Common() { cholmod_finish(&common_); }

  [[nodiscard]] cholmod_common* get() noexcept { return &common_; }

  void order_by(int ordering) noexcept {
    common_.nmethods = 1;
    common_.method[0].ordering = ordering;
    common_.postorder = ordering == CHOLMOD_AMD ? 1 : 0;
  }

  void check(bool succeeded, const char* call) const {
    if (succeeded && common_.status == CHOLMOD_OK) return;
    if (common_.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
    throw NumericalError(std::string(call) + " failed with CHOLMOD status " + std::to_string(common_.status));
  }

 private:
  cholmod_common common_{};
};

/// A sparse matrix in CHOLMOD's form over our own arrays: rows sorted within each column.
class SparseColumns {
 public:
  explicit SparseColumns(std::size_t rows) : rows_(rows) {
    // CHOLMOD refuses a matrix without arrays, even one without entries.
    indices_.reserve(1);
    values_.reserve(1);
  }

  /// Adds a column of (row, value), sorting it first.
  void append(std::vector<std::pair<int, double>>& entries) {
    if (entries.size() > std::numeric_limits<int>::max() - indices_.size())
      throw NumericalError("more than 2^31 entries of played documents: CHOLMOD counts them in 32 bits");
    std::ranges::sort(entries, {}, &std::pair<int, double>::first);
    for (const auto& [row, value] : entries) {
      indices_.push_back(row);
      values_.push_back(value);
    }
    starts_.push_back(static_cast<int>(indices_.size()));
  }

  /// Replaces all columns by this one and returns the matrix.
  [[nodiscard]] cholmod_sparse view_of(std::vector<std::pair<int, double>>& entries) {
    starts_.assign(1, 0);
    indices_.clear();
    values_.clear();
    append(entries);
    return view();
  }

  /// Valid until the next change.
  [[nodiscard]] cholmod_sparse view() noexcept {
    cholmod_sparse matrix{};
    matrix.nrow = rows_;
    matrix.ncol = starts_.size() - 1;
    matrix.nzmax = indices_.size();
    matrix.p = starts_.data();
    matrix.i = indices_.data();
    matrix.x = values_.data();
    matrix.stype = 0;
    matrix.itype = CHOLMOD_INT;
    matrix.xtype = CHOLMOD_REAL;
    matrix.dtype = CHOLMOD_DOUBLE;
    matrix.sorted = 1;
    matrix.packed = 1;
    return matrix;
  }

 private:
  std::size_t rows_;
  std::vector<int> starts_ = {0};
  std::vector<int> indices_;
  std::vector<double> values_;
};

/// The factor as CHOLMOD's simplicial L D L': smallest while few words have occurred together.
///
/// Rows are ordered to keep L sparse at each rebuild; features born since then come last. Room for features
/// not yet born is held as rows of the identity. Positions are the caller's numbering of the relevant features; slots
/// are rows of L, ordered for little fill.
class SparseCholesky final : public CholeskyFactor {
 public:
  SparseCholesky() = default;
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;
  ~SparseCholesky() override { cholmod_free_factor(&factor_, common_.get()); }

  [[nodiscard]] std::int32_t size() const noexcept override { return static_cast<std::int32_t>(slot_of_.size()); }
  [[nodiscard]] bool has_room() const noexcept override { return slot_of_.size() < slots_; }
  [[nodiscard]] std::int64_t stored_entries() const noexcept override {
    std::int64_t stored = 0;
    for (std::size_t j = 0; j < slot_of_.size(); ++j) stored += counts()[j] - 1;
    return stored;
  }

  void rebuild(const PlayedRows& rows, std::span<const double> precisions, std::int32_t capacity) override {
    const auto size = static_cast<std::int32_t>(precisions.size());
    assert(size <= capacity);
    for (std::size_t t = 0; t < rows.size(); ++t) check_row(rows.row(t), size);
    slot_of_.resize(static_cast<std::size_t>(size));
    std::iota(slot_of_.begin(), slot_of_.end(), 0);
    slot_of_ = ordering(rows, size);
    slots_ = static_cast<std::size_t>(std::max(capacity, 1));  // CHOLMOD wants a matrix of at least one row
    workspace_.assign(slots_, 0.0);
    column_ = SparseColumns(slots_);
    factorise(rows, precisions);
  }

  void update(RestrictedRow x) override {
    check_row(x, size());
    if (x.empty()) return;
    entries_.clear();
    for (std::size_t n = 0; n < x.size(); ++n) entries_.emplace_back(slot(x.positions[n]), x.values[n]);
    change_by_entries(true);
  }

  void add_to_diagonal(std::int32_t position, double amount) override {
    assert(position >= 0 && position < size());
    if (!std::isfinite(amount)) throw_lost_definiteness(amount);
    entries_.assign(1, {static_cast<int>(slot(position)), std::sqrt(std::fabs(amount))});
    change_by_entries(amount > 0.0);
  }

  double append(std::span<const double> b, double c) override {
    assert(has_room() && b.size() == slot_of_.size());
    check_dense(b);
    check_pivot(c);
    const std::size_t added = slot_of_.size();
    entries_.clear();
    for (std::size_t a = 0; a < b.size(); ++a)
      if (b[a] != 0.0) entries_.emplace_back(slot_of_[a], b[a]);
    entries_.emplace_back(static_cast<int>(added), c);
    cholmod_sparse column = column_.view_of(entries_);
    common_.check(cholmod_rowadd(added, &column, factor_, common_.get()) != 0, "cholmod_rowadd");
    check_pivot(pivot(added));
    slot_of_.push_back(static_cast<std::int32_t>(added));
    return pivot(added);
  }

  void solve(RestrictedRow x, std::span<double> solution) const override {
    check_row(x, size());
    scatter(x);
    solve_scattered(solution);
  }

  void solve(std::span<const double> b, std::span<double> solution) const override {
    check_dense(b);
    assert(b.size() == slot_of_.size());
    std::ranges::fill(workspace_, 0.0);
    for (std::size_t a = 0; a < b.size(); ++a) workspace_[static_cast<std::size_t>(slot_of_[a])] = b[a];
    solve_scattered(solution);
  }

  void multiply(std::span<const double> x, std::span<double> product) const override {
    assert(x.size() == slot_of_.size());
    std::ranges::fill(workspace_, 0.0);
    for (std::size_t a = 0; a < x.size(); ++a) workspace_[static_cast<std::size_t>(slot_of_[a])] = x[a];
    for (std::size_t j = 0; j < slot_of_.size(); ++j) {
      double sum = workspace_[j];
      for_each_below(j, [&](std::size_t i, double entry) { sum += entry * workspace_[i]; });
      workspace_[j] = pivot(j) * sum;
    }
    for (std::size_t j = slot_of_.size(); j-- > 0;) {
      const double y = workspace_[j];
      for_each_below(j, [&](std::size_t i, double entry) { workspace_[i] += entry * y; });
    }
    gather(product);
  }

  void diagonal(std::span<double> entries) const override {
    std::ranges::fill(workspace_, 0.0);
    for (std::size_t j = 0; j < slot_of_.size(); ++j) {
      workspace_[j] += pivot(j);
      for_each_below(j, [&](std::size_t i, double entry) { workspace_[i] += entry * entry * pivot(j); });
    }
    gather(entries);
  }

  [[nodiscard]] double inverse_form(RestrictedRow x) const override {
    check_row(x, size());
    scatter(x);
    solve_lower();
    double form = 0.0;
    for (std::size_t j = 0; j < slot_of_.size(); ++j) form += workspace_[j] * workspace_[j] / pivot(j);
    return form;
  }

  void colour(std::span<const double> z, std::span<double> direction) const override {
    assert(z.size() == slot_of_.size() && direction.size() == slot_of_.size());
    std::ranges::fill(workspace_, 0.0);
    for (std::size_t a = 0; a < z.size(); ++a) {
      const auto slot = static_cast<std::size_t>(slot_of_[a]);
      workspace_[slot] = z[a] / std::sqrt(pivot(slot));
    }
    solve_upper();
    gather(direction);
  }

  [[nodiscard]] double log_det_ratio(std::span<const double> precisions) const override {
    assert(precisions.size() == slot_of_.size());
    CompensatedSum sum;
    for (std::size_t a = 0; a < precisions.size(); ++a) {
      const double own = pivot(static_cast<std::size_t>(slot_of_[a]));
      check_pivot_holds_ridge(own, precisions[a]);
      sum.add(natural_log(own / precisions[a]));
    }
    return sum.value();
  }

 private:
  [[nodiscard]] const int* starts() const noexcept { return static_cast<const int*>(factor_->p); }
  [[nodiscard]] const int* counts() const noexcept { return static_cast<const int*>(factor_->nz); }
  [[nodiscard]] const int* rows() const noexcept { return static_cast<const int*>(factor_->i); }
  [[nodiscard]] const double* values() const noexcept { return static_cast<const double*>(factor_->x); }
  /// The first entry of a column of L is its pivot in D.
  [[nodiscard]] double pivot(std::size_t slot) const noexcept { return values()[starts()[slot]]; }

  [[nodiscard]] std::size_t slot(std::int32_t position) const noexcept {
    return static_cast<std::size_t>(slot_of_[static_cast<std::size_t>(position)]);
  }

  SparseColumns as_columns(const PlayedRows& played, std::size_t height) const {
    SparseColumns columns(height);
    std::vector<std::pair<int, double>> one;
    for (std::size_t t = 0; t < played.size(); ++t) {
      const RestrictedRow x = played.row(t);
      one.clear();
      for (std::size_t n = 0; n < x.size(); ++n)
        one.emplace_back(slot_of_[static_cast<std::size_t>(x.positions[n])], x.values[n] * std::sqrt(played.weight(t)));
      columns.append(one);
    }
    return columns;
  }

  /// The row of L that each position takes for little fill. Requires: `slot_of_` is the identity.
  std::vector<std::int32_t> ordering(const PlayedRows& played, std::int32_t size) {
    if (size == 0) return {};
    SparseColumns columns = as_columns(played, static_cast<std::size_t>(size));
    cholmod_sparse matrix = columns.view();
    common_.order_by(CHOLMOD_AMD);
    cholmod_factor* analysis = cholmod_analyze(&matrix, common_.get());
    common_.check(analysis != nullptr, "cholmod_analyze");
    const int* position_at = static_cast<const int*>(analysis->Perm);
    std::vector<std::int32_t> slots_by_position(static_cast<std::size_t>(size));
    for (std::int32_t row = 0; row < size; ++row) slots_by_position[static_cast<std::size_t>(position_at[row])] = row;
    cholmod_free_factor(&analysis, common_.get());
    return slots_by_position;
  }

  /// CHOLMOD adds the least precision to every diagonal entry; the rest of a feature's precision is given as a column of its own.
  void factorise(const PlayedRows& played, std::span<const double> precisions) {
    const double least = precisions.empty() ? 1.0 : std::ranges::min(precisions);
    SparseColumns columns = as_columns(played, slots_);
    for (std::size_t a = 0; a < precisions.size(); ++a) {
      if (precisions[a] == least) continue;
      entries_.assign(1, {slot_of_[a], std::sqrt(precisions[a] - least)});
      columns.append(entries_);
    }
    cholmod_sparse matrix = columns.view();
    common_.order_by(CHOLMOD_NATURAL);
    cholmod_free_factor(&factor_, common_.get());
    factor_ = cholmod_analyze(&matrix, common_.get());
    common_.check(factor_ != nullptr, "cholmod_analyze");
    double beta[2] = {least, 0.0};
    common_.check(cholmod_factorize_p(&matrix, beta, nullptr, 0, factor_, common_.get()) != 0, "cholmod_factorize");
    // A spare row is a row of the identity, as cholmod_rowadd requires.
    for (std::size_t room = slot_of_.size(); room < slots_; ++room) static_cast<double*>(factor_->x)[starts()[room]] = 1.0;
    check_all_pivots();
  }

  void check_all_pivots() const {
    if (factor_->minor < factor_->n) throw_lost_definiteness(pivot(factor_->minor));
    for (std::size_t j = 0; j < slots_; ++j) check_pivot(pivot(j));
  }

  /// A rank-one update changes the columns on one path of the elimination tree: the parent of a column is the
  /// first row below its diagonal.
  void check_pivots_reached_from(std::size_t slot) const {
    for (std::size_t j = slot;; j = static_cast<std::size_t>(rows()[starts()[j] + 1])) {
      check_pivot(pivot(j));
      if (counts()[j] < 2) return;
    }
  }

  /// V += x x' if `adds`, else V -= x x', with x in the entries.
  void change_by_entries(bool adds) {
    cholmod_sparse one = column_.view_of(entries_);
    common_.check(cholmod_updown(adds ? 1 : 0, &one, factor_, common_.get()) != 0, "cholmod_updown");
    check_pivots_reached_from(static_cast<std::size_t>(entries_.front().first));
  }

  void scatter(RestrictedRow x) const {
    std::ranges::fill(workspace_, 0.0);
    for (std::size_t n = 0; n < x.size(); ++n) workspace_[slot(x.positions[n])] = x.values[n];
  }

  void gather(std::span<double> by_position) const {
    assert(by_position.size() == slot_of_.size());
    for (std::size_t a = 0; a < slot_of_.size(); ++a) by_position[a] = workspace_[static_cast<std::size_t>(slot_of_[a])];
  }

  /// visit(i, entry) for the entries of L below the diagonal of column j.
  template <typename Visit>
  void for_each_below(std::size_t j, const Visit& visit) const {
    const int first = starts()[j];
    for (int n = first + 1; n < first + counts()[j]; ++n) visit(static_cast<std::size_t>(rows()[n]), values()[n]);
  }

  void solve_lower() const {
    for (std::size_t j = 0; j < slot_of_.size(); ++j) {
      const double y = workspace_[j];
      if (y == 0.0) continue;
      const int first = starts()[j];
      for (int n = first + 1; n < first + counts()[j]; ++n) workspace_[static_cast<std::size_t>(rows()[n])] -= values()[n] * y;
    }
  }

  /// Four partial sums, because one chain of additions would wait for each before the next.
  void solve_upper() const {
    for (std::size_t j = slot_of_.size(); j-- > 0;) {
      const int* const row = rows() + starts()[j] + 1;
      const double* const value = values() + starts()[j] + 1;
      const int count = counts()[j] - 1;
      std::array<double, 4> sums = {};
      int n = 0;
      for (; n + 4 <= count; n += 4)
        for (int lane = 0; lane < 4; ++lane)
          sums[static_cast<std::size_t>(lane)] += value[n + lane] * workspace_[static_cast<std::size_t>(row[n + lane])];
      double sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
      for (; n < count; ++n) sum += value[n] * workspace_[static_cast<std::size_t>(row[n])];
      workspace_[j] -= sum;
    }
  }

  /// Solves for the right-hand side that lies in the workspace.
  void solve_scattered(std::span<double> solution) const {
    solve_lower();
    for (std::size_t j = 0; j < slot_of_.size(); ++j) workspace_[j] /= pivot(j);
    solve_upper();
    gather(solution);
  }

  Common common_;
  cholmod_factor* factor_ = nullptr;
  std::vector<std::int32_t> slot_of_;  // by position
  std::size_t slots_ = 0;              // those beyond the positions are rows of the identity
  std::vector<std::pair<int, double>> entries_;
  SparseColumns column_{0};
  mutable std::vector<double> workspace_;  // by slot
};

}  // namespace

std::unique_ptr<CholeskyFactor> make_sparse_cholesky() { return std::make_unique<SparseCholesky>(); }

}  // namespace inkling
