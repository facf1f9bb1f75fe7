#include "bench/beyond/stop_rules.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "io/search/stopping/good_left.hpp"

namespace inkling::bench {
namespace {

std::int64_t found_by(const Finds& finds, std::int64_t read) {
  return std::ranges::upper_bound(finds.at, read) - finds.at.begin();
}

Stop stop_at(const ReadSearch& search, std::int64_t read) {
  read = std::min(read, search.documents);
  return {read, found_by(search.finds, read), read < search.documents};
}

double log_choose(std::int64_t all, std::int64_t some) {
  const auto log_factorial = [](std::int64_t n) {
    int sign = 0;  // std::lgamma would write it to a variable that all threads share
    return ::lgamma_r(static_cast<double>(n) + 1.0, &sign);
  };
  return log_factorial(all) - log_factorial(some) - log_factorial(all - some);
}

/// Upper bound on the probability that less than `recall` was found, if the documents from `first` on are a random sample.
double doubt_from(const ReadSearch& search, std::int64_t first, std::int64_t read, double recall) {
  const std::int64_t found = found_by(search.finds, read);
  const std::int64_t before = found_by(search.finds, first);
  const std::int64_t unread = search.documents - first;
  constexpr double rounding = 1e-9;
  const auto all = static_cast<std::int64_t>(std::floor(static_cast<double>(found) / recall + rounding)) + 1;
  const std::int64_t wanted = all - before;
  if (wanted > unread) return 0.0;  // impossible: more wanted than unread
  return hypergeometric_at_most(found - before, unread, wanted, read - first);
}

}  // namespace

double hypergeometric_at_most(std::int64_t most, std::int64_t all, std::int64_t wanted, std::int64_t drawn) {
  assert(wanted >= 0 && drawn >= 0 && wanted <= all && drawn <= all);
  const std::int64_t least = std::max<std::int64_t>(0, drawn - (all - wanted));
  most = std::min({most, wanted, drawn});
  if (most < least) return 0.0;
  // Starts at the likeliest number and goes term by term: other terms are products of ratios.
  const std::int64_t likeliest = std::clamp((drawn + 1) * (wanted + 1) / (all + 2), least, most);
  const double middle =
      std::exp(log_choose(wanted, likeliest) + log_choose(all - wanted, drawn - likeliest) - log_choose(all, drawn));
  const auto above = [&](std::int64_t n) {  // the term of n + 1 over that of n
    return static_cast<double>(wanted - n) * static_cast<double>(drawn - n) /
           (static_cast<double>(n + 1) * static_cast<double>(all - wanted - drawn + n + 1));
  };
  double sum = middle;
  constexpr double negligible = 1e-18;
  double term = middle;
  for (std::int64_t n = likeliest; n < most && term > negligible; ++n) sum += term *= above(n);
  term = middle;
  for (std::int64_t n = likeliest; n > least && term > negligible; --n) sum += term /= above(n - 1);
  return std::min(sum, 1.0);
}

Stop stop_without_good(const ReadSearch& search, std::int64_t in_a_row) {
  std::int64_t last = 0;
  for (const std::int64_t at : search.finds.at) {
    if (at - last > in_a_row) break;
    last = at;
  }
  return stop_at(search, last + in_a_row);
}

// A sample is best begun after a wanted document, so only these places are tried.
Stop stop_by_buscar(const ReadSearch& search, double recall, double confidence) {
  constexpr std::int64_t step = 10;
  for (std::int64_t read = step; read < search.documents; read += step) {
    for (std::int64_t found = found_by(search.finds, read); found >= 0; --found) {
      const std::int64_t first = found == 0 ? 0 : search.finds.at[static_cast<std::size_t>(found) - 1];
      if (first < read && doubt_from(search, first, read, recall) < 1.0 - confidence) return stop_at(search, read);
    }
  }
  return stop_at(search, search.documents);
}

Stop stop_by_guess(const ReadSearch& search, double recall) {
  std::int64_t read = 0;
  for (const double guess : search.finds.guesses) {
    read += search.guesses_every;
    const auto found = static_cast<double>(found_by(search.finds, read));
    if (guess >= 0.0 && found >= recall * (found + guess)) return stop_at(search, read);
  }
  return stop_at(search, search.documents);
}

Stop stop_by_bound(const ReadSearch& search, RandomStream& random) {
  constexpr std::int64_t in_a_row = 50;
  constexpr std::int64_t fiftieth = 50;
  constexpr std::int64_t per_missed = 19;
  Stop stop = stop_without_good(search, in_a_row);
  std::int64_t left = search.finds.there - stop.found;
  std::vector<RandomDraw> draws;
  std::int64_t next_look = 1;
  while (stop.read < search.documents) {
    const std::int64_t unread = search.documents - stop.read;
    const bool is_good = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(unread))) < left;
    draws.push_back({unread, unread, stop.found, is_good});
    ++stop.read;
    stop.found += is_good ? 1 : 0;
    left -= is_good ? 1 : 0;
    if (std::ssize(draws) < next_look) continue;
    next_look += std::max<std::int64_t>(1, std::ssize(draws) / fiftieth);
    if (good_left(draws, unread - 1, stop.found).at_most <= stop.found / per_missed) break;
  }
  stop.has_stopped = stop.read < search.documents;
  return stop;
}

}  // namespace inkling::bench
