// Answers requests: authenticates the user, finds the route, and turns every failure into an answer.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/doors/serve/http/access.hpp"
#include "io/doors/serve/http/http_message.hpp"
#include "io/doors/serve/http/metrics.hpp"
#include "io/doors/serve/http/router.hpp"
#include "io/doors/serve/served_pool.hpp"
#include "io/doors/serve/session_table.hpp"

namespace inkling {

/// How a file of records is read: in which encoding, or auto; and which column or field holds its text, where the names of its
/// fields do not say so.
struct ReadingOfFile {
  std::string encoding = "auto";
  std::string text_field = {};
};

/// The pool of a file that somebody brought, and what is to be said of its records.
struct BroughtPool {
  std::string path;
  std::vector<std::string> remarks = {};
};

/// A file that a person uploads. Lifetime: lends the bytes.
struct BroughtRecords {
  std::string name;
  std::string_view bytes;
};

/// What the handlers share. Lifetime: lends all.
struct ApiParts {
  Access& access;
  SessionTable& sessions;
  ServedPools& pools;
  std::string version;
  std::string default_policy;  ///< of new searches
  /// More lines for /metrics; may be empty.
  std::function<std::string()> more_metrics = {};
  /// Keeps the files of records that this person uploads, and returns the one pool made of them. If they hold no records, throws
  /// and leaves nothing. Not set if uploads are not allowed.
  std::function<BroughtPool(std::span<const BroughtRecords> files, const ReadingOfFile& as, const std::string& user)>
      bring_records = {};
  /// Removes the pool that was brought and is at this path, with its files; keeps another title for it. Set where `bring_records` is.
  std::function<void(const std::string& path)> remove_records = {};
  std::function<void(const std::string& path, const std::string& title)> title_records = {};
};

/// The largest body of most requests, of an import, and of a file of records.
inline constexpr std::uint64_t kMostBodyBytes = std::uint64_t{64} << 10U;
inline constexpr std::uint64_t kMostImportBytes = std::uint64_t{64} << 20U;
inline constexpr std::uint64_t kMostRecordsBytes = std::uint64_t{256} << 20U;

/// Thread safety: any number of threads.
class Api {
 public:
  explicit Api(ApiParts parts);

  /// Every failure is an answer, too.
  [[nodiscard]] HttpResponse answer(const HttpRequest& request) noexcept;

  /// Judged by the request's header; an unauthenticated request gets a small body.
  [[nodiscard]] HttpAdmission admission(const HttpRequest& request) const noexcept;

  [[nodiscard]] const std::vector<Route>& routes() const noexcept { return router_.routes(); }

 private:
  [[nodiscard]] std::vector<Route> all_routes();
  [[nodiscard]] HttpResponse answer_checked(const HttpRequest& request, std::size_t& route);
  [[nodiscard]] static HttpResponse answer_of_failure(bool has_kept);

  ApiParts parts_;
  Router router_;
  RouteMetrics metrics_;  // one for each route, and one for requests without a route
};

/// The routes of each part of the interface. Lifetime: lend `parts`.
[[nodiscard]] std::vector<Route> page_routes(ApiParts& parts);
[[nodiscard]] std::vector<Route> pool_routes(ApiParts& parts);
[[nodiscard]] std::vector<Route> session_routes(ApiParts& parts);
[[nodiscard]] std::vector<Route> search_routes(ApiParts& parts);
[[nodiscard]] std::vector<Route> people_routes(ApiParts& parts);

/// The pools that this user may search: those of whoever runs the server, their own, and those of searches that they are in.
[[nodiscard]] std::vector<const ServedPool*> pools_of(const ApiParts& parts, const std::string& user);
/// The one of these of this name. Throws HttpRefusal (404).
[[nodiscard]] const ServedPool& pool_named(const ApiParts& parts, std::string_view name, const std::string& user);

/// The response with the number of the search's last event as its ETag.
[[nodiscard]] HttpResponse search_response(int status, std::string json, const ServedSearch& search);

/// Closes the searches of two people who do not see each other once both have rated all documents of their set: then neither may
/// answer any more, and they are compared. Requires: this user is one of the pair; no search of it is leased by this thread.
void close_when_read(const ApiParts& parts, std::string_view pair, const std::string& user);

/// Throws HttpRefusal (403) as long as this user is one of two people who do not see each other: what all do together, less what
/// they do themselves, would show them the other one's progress. Requires: no search of it is leased by this thread.
void refuse_to_readers_apart(const ApiParts& parts, const std::string& user);

/// Whether the asker wants JSON lines.
[[nodiscard]] bool wants_lines(const HttpRequest& request);

}  // namespace inkling
