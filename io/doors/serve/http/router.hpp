// Which handler answers which method and path.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/doors/serve/http/http_message.hpp"
#include "io/doors/serve/http/request_target.hpp"

namespace inkling {

/// A request that found its route. Lifetime: lends the request.
struct RouteCall {
  const HttpRequest& request;
  const RequestTarget& target;
  std::map<std::string, std::string, std::less<>> parts = {};  ///< of the path, by the names in the pattern
  std::string user = {};                                       ///< who asks; empty on open routes
};

/// Who may ask.
enum class RouteAccess { open, users };

/// What a request carries: nothing that is looked at, a JSON object, JSON lines, or the bytes of a file.
enum class RouteBody { none, json, json_lines, file };

struct Route {
  std::string method;
  std::string pattern;  ///< "/api/v1/pools/{pool}"
  RouteAccess access = RouteAccess::users;
  RouteBody body = RouteBody::none;
  std::function<HttpResponse(const RouteCall&)> handler;
};

/// Thread safety: const after construction.
class Router {
 public:
  explicit Router(std::vector<Route> routes);

  struct Match {
    std::size_t route = 0;
    std::map<std::string, std::string, std::less<>> parts = {};
  };
  /// A segment that is written out goes before one with a name. HEAD is answered as GET. Throws HttpRefusal: 404 where no
  /// path fits, 405 where only the method does not.
  [[nodiscard]] Match find(std::string_view method, const RequestTarget& target) const;

  [[nodiscard]] const std::vector<Route>& routes() const noexcept { return routes_; }

 private:
  std::vector<Route> routes_;
  std::vector<std::vector<std::string>> segments_;  // of the patterns
};

}  // namespace inkling
