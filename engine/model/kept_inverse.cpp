#include "engine/model/kept_inverse.hpp"

#include <algorithm>
#include <cassert>

namespace inkling {
namespace {

constexpr std::size_t kSmallestStride = 16;

/// to += weight * from. Written so that the compiler may take several entries at once.
void add_multiple(std::span<double> to, double weight, std::span<const double> from) {
  double* __restrict target = to.data();
  const double* __restrict source = from.data();
  for (std::size_t b = 0; b < to.size(); ++b) target[b] += weight * source[b];
}

}  // namespace

void KeptInverse::reserve(std::size_t size) {
  if (size <= stride_) return;
  const std::size_t stride = std::max(kSmallestStride, 2 * size);
  std::vector<double> entries(stride * stride, 0.0);
  for (std::size_t a = 0; a < size_; ++a) std::ranges::copy(row(a), entries.begin() + static_cast<std::ptrdiff_t>(a * stride));
  entries_ = std::move(entries);
  stride_ = stride;
}

void KeptInverse::append() {
  reserve(size_ + 1);
  for (std::size_t a = 0; a < size_; ++a) entries_[a * stride_ + size_] = 0.0;
  ++size_;
  std::fill_n(entries_.begin() + static_cast<std::ptrdiff_t>((size_ - 1) * stride_), size_, 0.0);
}

void KeptInverse::add(std::span<const double> v, double gain) {
  assert(v.size() == size_);
  for (std::size_t a = 0; a < size_; ++a) {
    if (v[a] == 0.0) continue;
    add_multiple(std::span(entries_).subspan(a * stride_, size_), gain * v[a], v);
  }
}

void KeptInverse::assign(std::int32_t size, std::span<const double> entries) {
  size_ = 0;
  reserve(static_cast<std::size_t>(size));
  size_ = static_cast<std::size_t>(size);
  assert(entries.size() == size_ * size_);
  for (std::size_t a = 0; a < size_; ++a)
    std::ranges::copy(entries.subspan(a * size_, size_), entries_.begin() + static_cast<std::ptrdiff_t>(a * stride_));
}

double KeptInverse::form(RestrictedRow x) const noexcept {
  return quadratic_form(
      x.size(), [&](std::size_t n) { return x.positions[n]; }, [&](std::size_t n) { return x.values[n]; },
      [&](std::size_t a) { return row(a).data(); }, [](std::size_t /*a*/, double /*value*/) {});
}

void KeptInverse::multiply(RestrictedRow x, std::span<double> product) const {
  assert(product.size() == size_);
  std::ranges::fill(product, 0.0);
  for (std::size_t n = 0; n < x.size(); ++n) add_multiple(product, x.values[n], row(static_cast<std::size_t>(x.positions[n])));
}

}  // namespace inkling
