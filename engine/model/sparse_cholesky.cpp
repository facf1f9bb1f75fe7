// The only file that knows CHOLMOD. CHOLMOD's Modify module reports next to nothing: an out-of-range row, a
// duplicate, an unsorted column, a NaN and a lost definiteness all come back as success. So everything is
// checked here, before and after.
#include "engine/model/sparse_cholesky.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <cholmod.h>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/model/factor_checks.hpp"

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
  Common(Common&&) = delete;
  Common& operator=(Common&&) = delete;
  ~Common() { cholmod_finish(&common_); }

  [[nodiscard]] cholmod_common* get() noexcept { return &common_; }

  void order_by_minimum_degree() noexcept { order_by(CHOLMOD_AMD); }
  void keep_the_order() noexcept { order_by(CHOLMOD_NATURAL); }

  void check(bool succeeded, const char* call) const {
    if (succeeded && common_.status == CHOLMOD_OK) return;
    throw NumericalError(std::string(call) + " failed with CHOLMOD status " + std::to_string(common_.status));
  }

 private:
  void order_by(int ordering) noexcept {
    common_.nmethods = 1;
    common_.method[0].ordering = ordering;
    common_.postorder = ordering == CHOLMOD_AMD ? 1 : 0;
  }

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

  void clear() {
    starts_.assign(1, 0);
    indices_.clear();
    values_.clear();
  }

  /// Adds a column of (row, value), sorting it first.
  void append(std::vector<std::pair<int, double>>& entries) {
    if (entries.size() > std::numeric_limits<int>::max() - indices_.size()) {
      throw NumericalError("more than 2^31 entries of played documents: CHOLMOD counts them in 32 bits");
    }
    std::ranges::sort(entries, {}, &std::pair<int, double>::first);
    for (const auto& [row, value] : entries) {
      indices_.push_back(row);
      values_.push_back(value);
    }
    starts_.push_back(static_cast<int>(indices_.size()));
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

}  // namespace

/// Positions are the caller's numbering of the relevant features; slots are rows of L, ordered for little
/// fill.
struct SparseCholesky::State {
  Common common;
  cholmod_factor* factor = nullptr;
  std::vector<std::int32_t> slot_of;  // by position
  std::size_t slots = 0;
  std::size_t used_slots = 0;  // slots from here on are rows of the identity
  std::vector<std::pair<int, double>> entries;
  SparseColumns column{0};
  mutable std::vector<double> workspace;  // by slot

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  State(State&&) = delete;
  State& operator=(State&&) = delete;
  ~State() { cholmod_free_factor(&factor, common.get()); }

  [[nodiscard]] const int* starts() const noexcept { return static_cast<const int*>(factor->p); }
  [[nodiscard]] const int* counts() const noexcept { return static_cast<const int*>(factor->nz); }
  [[nodiscard]] const int* rows() const noexcept { return static_cast<const int*>(factor->i); }
  [[nodiscard]] const double* values() const noexcept { return static_cast<const double*>(factor->x); }
  /// The first entry of a column of L is its pivot in D.
  [[nodiscard]] double pivot(std::size_t slot) const noexcept { return values()[starts()[slot]]; }

  [[nodiscard]] std::size_t slot(std::int32_t position) const noexcept {
    return static_cast<std::size_t>(slot_of[static_cast<std::size_t>(position)]);
  }

  void factorise(const PlayedRows& played, std::span<const double> precisions);
  [[nodiscard]] std::vector<std::int32_t> ordering(const PlayedRows& played, std::int32_t size);
  [[nodiscard]] SparseColumns as_columns(const PlayedRows& played, std::size_t height) const;
  void change_by_entries(bool adds);
  void check_all_pivots() const;
  void check_pivots_reached_from(std::size_t slot) const;

  void scatter(RestrictedRow x) const;
  void gather(std::span<double> by_position) const;
  void solve_lower() const;
  void solve_upper() const;
  void solve_scattered(std::span<double> solution) const;
};

SparseCholesky::SparseCholesky() : state_(std::make_unique<State>()) {}
SparseCholesky::~SparseCholesky() = default;

std::int32_t SparseCholesky::size() const noexcept {
  return static_cast<std::int32_t>(state_->slot_of.size());
}

bool SparseCholesky::has_room() const noexcept { return state_->used_slots < state_->slots; }

std::int64_t SparseCholesky::stored_entries() const noexcept {
  std::int64_t entries = 0;
  for (std::size_t j = 0; j < state_->used_slots; ++j) entries += state_->counts()[j] - 1;
  return entries;
}

SparseColumns SparseCholesky::State::as_columns(const PlayedRows& played, std::size_t height) const {
  SparseColumns columns(height);
  std::vector<std::pair<int, double>> one;
  for (std::size_t t = 0; t < played.size(); ++t) {
    const RestrictedRow x = played.row(t);
    one.clear();
    for (std::size_t n = 0; n < x.size(); ++n) {
      one.emplace_back(slot_of[static_cast<std::size_t>(x.positions[n])],
                       x.values[n] * std::sqrt(played.weight(t)));
    }
    columns.append(one);
  }
  return columns;
}

/// The row of L that each position takes for little fill. Requires: slot_of is the identity.
std::vector<std::int32_t> SparseCholesky::State::ordering(const PlayedRows& played, std::int32_t size) {
  if (size == 0) return {};
  SparseColumns columns = as_columns(played, static_cast<std::size_t>(size));
  cholmod_sparse matrix = columns.view();
  common.order_by_minimum_degree();
  cholmod_factor* analysis = cholmod_analyze(&matrix, common.get());
  common.check(analysis != nullptr, "cholmod_analyze");
  const int* position_at = static_cast<const int*>(analysis->Perm);
  std::vector<std::int32_t> slots_by_position(static_cast<std::size_t>(size));
  for (std::int32_t row = 0; row < size; ++row)
    slots_by_position[static_cast<std::size_t>(position_at[row])] = row;
  cholmod_free_factor(&analysis, common.get());
  return slots_by_position;
}

/// The least precision is added to every diagonal entry by CHOLMOD; what a feature has beyond it comes as a
/// column of its own.
void SparseCholesky::State::factorise(const PlayedRows& played, std::span<const double> precisions) {
  const double least = precisions.empty() ? 1.0 : std::ranges::min(precisions);
  SparseColumns columns = as_columns(played, slots);
  for (std::size_t a = 0; a < precisions.size(); ++a) {
    if (precisions[a] == least) continue;
    entries.assign(1, {slot_of[a], std::sqrt(precisions[a] - least)});
    columns.append(entries);
  }
  cholmod_sparse matrix = columns.view();
  common.keep_the_order();
  cholmod_free_factor(&factor, common.get());
  factor = cholmod_analyze(&matrix, common.get());
  common.check(factor != nullptr, "cholmod_analyze");
  double beta[2] = {least, 0.0};
  common.check(cholmod_factorize_p(&matrix, beta, nullptr, 0, factor, common.get()) != 0,
               "cholmod_factorize");
  // A row of room is a row of the identity, as cholmod_rowadd requires.
  for (std::size_t room = used_slots; room < slots; ++room)
    static_cast<double*>(factor->x)[starts()[room]] = 1.0;
  check_all_pivots();
}

void SparseCholesky::State::check_all_pivots() const {
  if (factor->minor < factor->n) throw_lost_definiteness(pivot(factor->minor));
  for (std::size_t j = 0; j < slots; ++j) check_pivot(pivot(j));
}

/// A rank-one update changes the columns on one path of the elimination tree: the parent of a column is the
/// first row below its diagonal.
void SparseCholesky::State::check_pivots_reached_from(std::size_t slot) const {
  for (std::size_t j = slot;; j = static_cast<std::size_t>(rows()[starts()[j] + 1])) {
    check_pivot(pivot(j));
    if (counts()[j] < 2) return;
  }
}

void SparseCholesky::rebuild(const PlayedRows& rows, std::span<const double> precisions,
                             std::int32_t capacity) {
  const auto size = static_cast<std::int32_t>(precisions.size());
  assert(size <= capacity);
  for (std::size_t t = 0; t < rows.size(); ++t) check_row(rows.row(t), size);
  State& s = *state_;
  s.slot_of.resize(static_cast<std::size_t>(size));
  std::iota(s.slot_of.begin(), s.slot_of.end(), 0);
  s.slot_of = s.ordering(rows, size);
  s.used_slots = static_cast<std::size_t>(size);
  s.slots = static_cast<std::size_t>(std::max(capacity, 1));  // CHOLMOD wants a matrix of at least one row
  s.workspace.assign(s.slots, 0.0);
  s.column = SparseColumns(s.slots);
  s.factorise(rows, precisions);
}

/// V += x x', or -= where `adds` is false, with x in the entries.
void SparseCholesky::State::change_by_entries(bool adds) {
  column.clear();
  column.append(entries);
  cholmod_sparse one = column.view();
  common.check(cholmod_updown(adds ? 1 : 0, &one, factor, common.get()) != 0, "cholmod_updown");
  check_pivots_reached_from(static_cast<std::size_t>(entries.front().first));
}

void SparseCholesky::update(RestrictedRow x) {
  check_row(x, size());
  if (x.empty()) return;
  State& s = *state_;
  s.entries.clear();
  for (std::size_t n = 0; n < x.size(); ++n) s.entries.emplace_back(s.slot(x.positions[n]), x.values[n]);
  s.change_by_entries(true);
}

void SparseCholesky::add_to_diagonal(std::int32_t position, double amount) {
  assert(position >= 0 && position < size());
  if (!std::isfinite(amount)) throw_lost_definiteness(amount);
  state_->entries.assign(1, {static_cast<int>(state_->slot(position)), std::sqrt(std::fabs(amount))});
  state_->change_by_entries(amount > 0.0);
}

double SparseCholesky::append(std::span<const double> b, double c) {
  assert(has_room() && b.size() == state_->slot_of.size());
  check_dense(b);
  check_pivot(c);
  State& s = *state_;
  const std::size_t added = s.used_slots;
  s.entries.clear();
  for (std::size_t a = 0; a < b.size(); ++a) {
    if (b[a] != 0.0) s.entries.emplace_back(s.slot_of[a], b[a]);
  }
  s.entries.emplace_back(static_cast<int>(added), c);
  s.column.clear();
  s.column.append(s.entries);
  cholmod_sparse column = s.column.view();
  s.common.check(cholmod_rowadd(added, &column, s.factor, s.common.get()) != 0, "cholmod_rowadd");
  check_pivot(s.pivot(added));
  s.slot_of.push_back(static_cast<std::int32_t>(added));
  ++s.used_slots;
  return s.pivot(added);
}

void SparseCholesky::remove(std::int32_t position) {
  assert(position >= 0 && position < size());
  State& s = *state_;
  s.common.check(cholmod_rowdel(s.slot(position), nullptr, s.factor, s.common.get()) != 0, "cholmod_rowdel");
  s.check_all_pivots();
  s.slot_of.erase(s.slot_of.begin() + position);
}

void SparseCholesky::State::scatter(RestrictedRow x) const {
  std::ranges::fill(workspace, 0.0);
  for (std::size_t n = 0; n < x.size(); ++n) workspace[slot(x.positions[n])] = x.values[n];
}

void SparseCholesky::State::gather(std::span<double> by_position) const {
  assert(by_position.size() == slot_of.size());
  for (std::size_t a = 0; a < slot_of.size(); ++a)
    by_position[a] = workspace[static_cast<std::size_t>(slot_of[a])];
}

void SparseCholesky::State::solve_lower() const {
  for (std::size_t j = 0; j < used_slots; ++j) {
    const double y = workspace[j];
    if (y == 0.0) continue;
    const int first = starts()[j];
    for (int n = first + 1; n < first + counts()[j]; ++n)
      workspace[static_cast<std::size_t>(rows()[n])] -= values()[n] * y;
  }
}

/// Four partial sums, because one chain of additions would wait for each before the next.
void SparseCholesky::State::solve_upper() const {
  for (std::size_t j = used_slots; j-- > 0;) {
    const int* const row = rows() + starts()[j] + 1;
    const double* const value = values() + starts()[j] + 1;
    const int count = counts()[j] - 1;
    std::array<double, 4> sums = {};
    int n = 0;
    for (; n + 4 <= count; n += 4) {
      for (int lane = 0; lane < 4; ++lane) {
        sums[static_cast<std::size_t>(lane)] +=
            value[n + lane] * workspace[static_cast<std::size_t>(row[n + lane])];
      }
    }
    double sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    for (; n < count; ++n) sum += value[n] * workspace[static_cast<std::size_t>(row[n])];
    workspace[j] -= sum;
  }
}

/// Solves for the right-hand side that lies in the workspace.
void SparseCholesky::State::solve_scattered(std::span<double> solution) const {
  solve_lower();
  for (std::size_t j = 0; j < used_slots; ++j) workspace[j] /= pivot(j);
  solve_upper();
  gather(solution);
}

void SparseCholesky::solve(RestrictedRow x, std::span<double> solution) const {
  check_row(x, size());
  state_->scatter(x);
  state_->solve_scattered(solution);
}

void SparseCholesky::solve(std::span<const double> b, std::span<double> solution) const {
  check_dense(b);
  assert(b.size() == state_->slot_of.size());
  std::ranges::fill(state_->workspace, 0.0);
  for (std::size_t a = 0; a < b.size(); ++a)
    state_->workspace[static_cast<std::size_t>(state_->slot_of[a])] = b[a];
  state_->solve_scattered(solution);
}

double SparseCholesky::inverse_form(RestrictedRow x) const {
  check_row(x, size());
  state_->scatter(x);
  state_->solve_lower();
  double form = 0.0;
  for (std::size_t j = 0; j < state_->used_slots; ++j) {
    form += state_->workspace[j] * state_->workspace[j] / state_->pivot(j);
  }
  return form;
}

void SparseCholesky::colour(std::span<const double> z, std::span<double> direction) const {
  assert(z.size() == state_->slot_of.size() && direction.size() == state_->slot_of.size());
  std::ranges::fill(state_->workspace, 0.0);
  for (std::size_t a = 0; a < z.size(); ++a) {
    const auto slot = static_cast<std::size_t>(state_->slot_of[a]);
    state_->workspace[slot] = z[a] / std::sqrt(state_->pivot(slot));
  }
  state_->solve_upper();
  state_->gather(direction);
}

double SparseCholesky::log_det_ratio(std::span<const double> precisions) const {
  assert(precisions.size() == state_->slot_of.size());
  CompensatedSum sum;
  for (std::size_t a = 0; a < precisions.size(); ++a) {
    const double pivot = state_->pivot(static_cast<std::size_t>(state_->slot_of[a]));
    check_pivot_holds_ridge(pivot, precisions[a]);
    sum.add(natural_log(pivot / precisions[a]));
  }
  return sum.value();
}

}  // namespace inkling
