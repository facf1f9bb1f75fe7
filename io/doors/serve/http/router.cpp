#include "io/doors/serve/http/router.hpp"

#include <optional>
#include <utility>

namespace inkling {
namespace {

bool is_named(std::string_view segment) { return segment.starts_with('{'); }

std::vector<std::string> segments_of_pattern(std::string_view pattern) {
  std::vector<std::string> segments;
  while (pattern.size() > 1) {
    pattern.remove_prefix(1);
    segments.emplace_back(pattern.substr(0, pattern.find('/')));
    pattern.remove_prefix(segments.back().size());
  }
  return segments;
}

// How many segments are written out; nothing where the path is another one.
std::optional<std::size_t> exactness(const std::vector<std::string>& pattern, const std::vector<std::string>& path) {
  if (pattern.size() != path.size()) return std::nullopt;
  std::size_t exact = 0;
  for (std::size_t n = 0; n < path.size(); ++n) {
    if (is_named(pattern[n])) continue;
    if (pattern[n] != path[n]) return std::nullopt;
    ++exact;
  }
  return exact;
}

}  // namespace

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)) {
  segments_.reserve(routes_.size());
  for (const Route& route : routes_) segments_.push_back(segments_of_pattern(route.pattern));
}

Router::Match Router::find(std::string_view method, const RequestTarget& target) const {
  if (method == "HEAD") method = "GET";
  std::optional<std::size_t> best;
  std::size_t best_exact = 0;
  std::string allowed;
  for (std::size_t n = 0; n < routes_.size(); ++n) {
    const std::optional<std::size_t> exact = exactness(segments_[n], target.segments);
    if (!exact) continue;
    allowed += (allowed.empty() ? "" : ", ") + routes_[n].method;
    if (routes_[n].method != method || (best && *exact <= best_exact)) continue;
    best = n;
    best_exact = *exact;
  }
  if (!best && allowed.empty()) throw HttpRefusal(404, "there is nothing at this address");
  if (!best) throw HttpRefusal({405, "this address does not allow the method", "the method", allowed});
  Match match = {.route = *best};
  for (std::size_t n = 0; n < target.segments.size(); ++n) {
    const std::string& name = segments_[*best][n];
    if (is_named(name)) match.parts.emplace(name.substr(1, name.size() - 2), target.segments[n]);
  }
  return match;
}

}  // namespace inkling
