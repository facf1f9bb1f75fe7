#include "engine/model/kernel_factor.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <utility>

#include "engine/core/at_once.hpp"
#include "engine/core/compensated_sum.hpp"
#include "engine/model/dense_kernels.hpp"
#include "engine/model/factor_checks.hpp"

namespace inkling {
namespace {

/// Rows that a rank-one change works on together. Within a row each entry depends on the one before, so four independent rows
/// keep the processor busy.
constexpr std::size_t kRowsOfChange = 4;

}  // namespace

KernelFactor::KernelFactor(std::vector<double> lower, std::vector<double> pivots)
    : lower_(std::move(lower)), pivots_(std::move(pivots)) {
  assert(lower_.size() == (size() * size() - size()) / 2);
}

void KernelFactor::clear() noexcept {
  lower_.clear();
  pivots_.clear();
}

double KernelFactor::append(std::span<const double> lower, double corner) {
  assert(lower.size() == size());
  CompensatedSum pivot(corner);
  const std::size_t n = size();
  lower_.resize(lower_.size() + n);
  double* l = row(n);
  for (std::size_t j = 0; j < n; ++j) {
    l[j] = lower[j] / pivots_[j];
    pivot.add(-l[j] * lower[j]);
  }
  check_pivot(pivot.value());
  pivots_.push_back(pivot.value());
  return pivot.value();
}

/// Eliminating this row subtracted pivot * l l' from the rows after it, with l its column of L. This adds it back.
void KernelFactor::remove(std::size_t index) {
  assert(index < size());
  const std::size_t n = size();
  std::vector<double> given(n - 1, 0.0);
  for (std::size_t i = index + 1; i < n; ++i) given[i - 1] = row(i)[index];
  const double pivot = pivots_[index];
  for (std::size_t i = index + 1; i < n; ++i) {
    const double* const from = row(i);
    double* const to = row(i - 1);
    std::copy_n(from, index, to);
    std::copy_n(from + index + 1, i - index - 1, to + index);
  }
  pivots_.erase(pivots_.begin() + static_cast<std::ptrdiff_t>(index));
  lower_.resize(((n - 1) * (n - 1) - (n - 1)) / 2);
  add(pivot, given, index);
}

/// Method C1 of Gill, Golub, Murray and Saunders (1974), row by row: x[j] becomes p_j of its column,
/// `shares_` what the column gives to the entries below it.
void KernelFactor::add(double weight, std::span<double> x, std::size_t first) {
  assert(x.size() == size());
  const std::size_t n = size();
  shares_.resize(n);
  // Columns before `first` do not change, and give nothing to others.
  const auto finish_row = [&](std::size_t i, std::size_t from) {
    double* l = row(i);
    double entry = x[i];
    for (std::size_t j = from; j < i; ++j) {
      entry -= x[j] * l[j];
      l[j] += shares_[j] * entry;
    }
    x[i] = entry;
    const double pivot = pivots_[i];
    const double changed = pivot + weight * entry * entry;
    check_pivot(changed);
    shares_[i] = weight * entry / changed;
    weight *= pivot / changed;
    pivots_[i] = changed;
  };
  std::size_t i = first;
  for (; i + kRowsOfChange <= n; i += kRowsOfChange) {
    double* __restrict a = row(i);
    double* __restrict b = row(i + 1);
    double* __restrict c = row(i + 2);
    double* __restrict d = row(i + 3);
    double xa = x[i];
    double xb = x[i + 1];
    double xc = x[i + 2];
    double xd = x[i + 3];
    for (std::size_t j = first; j < i; ++j) {
      const double p = x[j];
      const double share = shares_[j];
      xa -= p * a[j];
      xb -= p * b[j];
      xc -= p * c[j];
      xd -= p * d[j];
      a[j] += share * xa;
      b[j] += share * xb;
      c[j] += share * xc;
      d[j] += share * xd;
    }
    x[i] = xa;
    x[i + 1] = xb;
    x[i + 2] = xc;
    x[i + 3] = xd;
    for (std::size_t r = i; r < i + kRowsOfChange; ++r) finish_row(r, i);
  }
  for (; i < n; ++i) finish_row(i, first);
}

/// First K = L D L' overwrites L, from the last row to the first, because each row of K needs the rows of L before it.
/// Then K is factored again, row by row.
void KernelFactor::add_to_diagonal(std::span<const double> change) {
  assert(change.size() == size());
  std::vector<double>& scaled = shares_;
  scaled.resize(size());
  for (std::size_t i = size(); i-- > 0;) {
    double* const l = row(i);
    for (std::size_t j = 0; j < i; ++j) scaled[j] = l[j] * pivots_[j];
    pivots_[i] += dot(scaled.data(), l, i) + change[i];
    for (std::size_t j = 0; j < i; ++j) l[j] = scaled[j] + dot(scaled.data(), row(j), j);
  }
  for (std::size_t i = 0; i < size(); ++i) {
    double* const l = row(i);
    for (std::size_t j = 1; j < i; ++j) l[j] -= dot(row(j), l, j);
    CompensatedSum pivot(pivots_[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const double solved = l[j];
      l[j] = solved / pivots_[j];
      pivot.add(-l[j] * solved);
    }
    check_pivot(pivot.value());
    pivots_[i] = pivot.value();
  }
}

void KernelFactor::solve_lower(std::span<double> b, std::size_t first) const noexcept {
  assert(b.size() == size());
  for (std::size_t i = first + 1; i < b.size(); ++i) b[i] -= dot(row(i) + first, b.data() + first, i - first);
}

void KernelFactor::continue_solving(std::span<double> b, std::size_t solved) const noexcept {
  for (std::size_t i = solved; i < b.size(); ++i) b[i] -= dot(row(i), b.data(), i);
}

void KernelFactor::solve_lower_together(std::span<std::vector<double>> sides) const {
  const auto solve_some = [&](std::size_t quarter) {
    const std::size_t first = quarter * sides.size() / 4;
    const auto some = sides.subspan(first, (quarter + 1) * sides.size() / 4 - first);
    for (std::size_t i = 1; i < size(); ++i)
      for (std::vector<double>& b : some) b[i] -= dot(row(i), b.data(), i);
  };
  at_once([&] { solve_some(0); }, [&] { solve_some(1); }, [&] { solve_some(2); }, [&] { solve_some(3); });
}

void KernelFactor::solve_upper(std::span<double> b) const noexcept {
  assert(b.size() == size());
  for (std::size_t i = b.size(); i-- > 1;) subtract_scaled(b.data(), b[i], row(i), i);
}

void KernelFactor::finish_solve(std::span<double> b) const noexcept {
  divide_by_pivots(b, pivots_, b);
  solve_upper(b);
}

void KernelFactor::quadratic_forms(std::span<double> sides, std::span<double, kSidesTogether> forms) const noexcept {
  assert(sides.size() == size() * kSidesTogether);
  std::ranges::fill(forms, 0.0);
  for (std::size_t i = 0; i < size(); ++i) {
    const double* const l = row(i);
    double* const entries = sides.data() + i * kSidesTogether;
    Pair first = pair_at(entries);
    Pair second = pair_at(entries + 2);
    Pair third = pair_at(entries + 4);
    Pair fourth = pair_at(entries + 6);
    const double* solved = sides.data();
    for (std::size_t j = 0; j < i; ++j, solved += kSidesTogether) {
      const Pair share = {l[j], l[j]};
      first -= share * pair_at(solved);
      second -= share * pair_at(solved + 2);
      third -= share * pair_at(solved + 4);
      fourth -= share * pair_at(solved + 6);
    }
    const std::array<Pair, kSidesTogether / 2> finished = {first, second, third, fourth};
    std::memcpy(entries, finished.data(), sizeof finished);
    for (std::size_t side = 0; side < kSidesTogether; ++side) forms[side] += entries[side] * entries[side] / pivots_[i];
  }
}

}  // namespace inkling
