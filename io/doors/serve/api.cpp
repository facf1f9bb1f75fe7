#include "io/doors/serve/api.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iterator>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/interruption.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/search/service/request_members.hpp"

namespace inkling {
namespace {

constexpr std::string_view kImportPath = "/api/v1/sessions/import";
constexpr std::string_view kRecordsPath = "/api/v1/pools?";

std::vector<std::string> names_of_routes(const std::vector<Route>& routes) {
  std::vector<std::string> names;
  names.reserve(routes.size() + 1);
  for (const Route& route : routes) names.push_back(route.method + " " + route.pattern);
  names.emplace_back("none");
  return names;
}

// Headers of every answer: no other page may include this server, and this page may load nothing from others.
void add_safety(HttpResponse& response) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(response.headers, [name](const HttpHeader& header) { return header.name == name; });
  };
  constexpr std::string_view rules =
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";
  response.headers.push_back({"Content-Security-Policy", std::string(rules)});
  response.headers.push_back({"X-Content-Type-Options", "nosniff"});
  response.headers.push_back({"Referrer-Policy", "no-referrer"});
  response.headers.push_back({"Cross-Origin-Resource-Policy", "same-origin"});
  response.headers.push_back({"Cross-Origin-Opener-Policy", "same-origin"});
  if (!has("Cache-Control")) response.headers.push_back({"Cache-Control", "no-store"});
}

// A header that is there twice is refused, because a proxy may have read one and this server the other.
void check_headers(const HttpRequest& request) {
  constexpr std::array<std::string_view, 8> once = {"Authorization",     "Cookie",       "Sec-Fetch-Site", "Sec-Fetch-Mode",
                                                    "X-Forwarded-Proto", "Content-Type", "If-Match",       kUserHeader};
  for (const std::string_view name : once)
    if (request.count_of_header(name) > 1)
      throw HttpRefusal({400, "the request has a header twice", std::string(name), "this header once"});
}

// The type of a body without what follows a semicolon.
std::string_view type_of_body(const HttpRequest& request) {
  std::string_view type = request.header("Content-Type").value_or(std::string_view());
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return type;
}

// A page of another site can send forms, but not these types without asking first.
void check_body(const HttpRequest& request, RouteBody wanted) {
  if (wanted == RouteBody::none) return;
  const std::string_view type = wanted == RouteBody::json         ? "application/json"
                                : wanted == RouteBody::json_lines ? "application/x-ndjson"
                                                                  : "application/octet-stream";
  if (same_but_for_case(type_of_body(request), type)) return;
  throw HttpRefusal({415, "the body is of another type", "Content-Type", std::string(type)});
}

// "column 2 of the body".
std::string column_of_body(const RequestError& error) {
  return error.where().substr(0, error.where().find(':')) + " of the body";
}

}  // namespace

Api::Api(ApiParts parts) : parts_(std::move(parts)), router_(all_routes()), metrics_(names_of_routes(router_.routes())) {}

std::vector<Route> Api::all_routes() {
  std::vector<Route> routes;
  for (auto& some :
       {page_routes(parts_), pool_routes(parts_), session_routes(parts_), search_routes(parts_), people_routes(parts_)})
    routes.insert(routes.end(), some.begin(), some.end());
  routes.push_back({"GET", "/metrics", RouteAccess::users, RouteBody::none, [this](const RouteCall& call) {
                      refuse_to_readers_apart(parts_, call.user);
                      std::string text = metrics_.text();
                      text += fmt::format("inkling_sessions_active {}\n", parts_.sessions.active());
                      if (parts_.more_metrics) text += parts_.more_metrics();
                      return HttpResponse{200, {{"Content-Type", "text/plain; version=0.0.4"}}, text};
                    }});
  return routes;
}

HttpResponse Api::answer(const HttpRequest& request) noexcept {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t kept_before = kept_by_this_thread;
  std::size_t route = router_.routes().size();
  HttpResponse response;
  try {
    try {
      response = answer_checked(request, route);
    } catch (...) {
      response = answer_of_failure(kept_by_this_thread != kept_before);
    }
    add_safety(response);
  } catch (...) {  // no memory is left even for the refusal
    response = {};
    response.status = 503;
  }
  metrics_.count(route, response.status, std::chrono::steady_clock::now() - start);
  return response;
}

HttpResponse Api::answer_checked(const HttpRequest& request, std::size_t& route) {
  check_headers(request);
  parts_.access.check_place(request);
  const RequestTarget target = parse_target(request.target);
  Router::Match match = router_.find(request.method, target);
  route = match.route;
  const Route& found = router_.routes()[route];
  RouteCall call = {request, target, std::move(match.parts)};
  if (found.access == RouteAccess::users) call.user = parts_.access.user_of(request);
  check_body(request, found.body);
  HttpResponse response = found.handler(call);
  if (!call.user.empty()) response.headers.push_back({std::string(kUserHeader), percent_encoded(call.user)});
  return response;
}

// Requires: within a catch.
HttpResponse Api::answer_of_failure(bool has_kept) {
  const char* const kept =
      has_kept ? "what was asked is kept, and only this answer is missing" : "nothing of this request was kept";
  try {
    throw;
  } catch (const HttpRefusal& refusal) {
    return response_of(refusal.refusal());
  } catch (const RequestError& error) {
    const std::string& where = error.member();
    return response_of({422, fmt::format("{}: found {}", where.empty() ? "the body" : where, error.found()),
                        where.empty() ? column_of_body(error) : where, std::string(without_expected(error.expectation()))});
  } catch (const CorruptFileError& error) {
    return response_of({500, error.what(), error.where(), std::string(without_expected(error.expectation()))});
  } catch (const FormatError& error) {
    return response_of({422, error.what(), error.where(), std::string(without_expected(error.expectation()))});
  } catch (const UsageError& error) {
    return response_of({422, error.what()});
  } catch (const NumericalError& error) {
    return response_of({422, error.what(), "the answer", "ratings that can be learned from together with the earlier ones"});
  } catch (const SystemError& error) {
    return response_of({503, fmt::format("{}; {}", error.what(), kept)});
  } catch (const InterruptedError&) {
    return response_of({503, fmt::format("the server ends; {}", kept)});
  } catch (const std::bad_alloc&) {
    return response_of({503, fmt::format("no memory is left; {}", kept)});
  } catch (const std::exception& error) {
    return response_of({500, error.what()});
  }
}

HttpAdmission Api::admission(const HttpRequest& request) const noexcept {
  HttpAdmission admitted = {.most_body_bytes = kMostBodyBytes};
  try {
    parts_.access.check_place(request);
    static_cast<void>(parts_.access.user_of(request));
    admitted.is_known = true;
    if (request.target.starts_with(kImportPath)) admitted.most_body_bytes = kMostImportBytes;
    if (request.target.starts_with(kRecordsPath) && parts_.bring_records) admitted.most_body_bytes = kMostRecordsBytes;
  } catch (...) {  // what is wrong with it, `answer` says
  }
  return admitted;
}

std::vector<const ServedPool*> pools_of(const ApiParts& parts, const std::string& user) {
  std::vector<const ServedPool*> pools = parts.pools.all();
  std::erase_if(pools, [&](const ServedPool* pool) {
    return !pool->owner().empty() && pool->owner() != user && !parts.sessions.sees_search_of(*pool, user);
  });
  return pools;
}

const ServedPool& pool_named(const ApiParts& parts, std::string_view name, const std::string& user) {
  std::string known;
  for (const ServedPool* const pool : pools_of(parts, user)) {
    if (pool->name() == name) return *pool;
    known += (known.empty() ? "" : ", ") + pool->name();
  }
  throw HttpRefusal({404, fmt::format("there is no pool {}", quoted_text(name)), "pool", known});
}

HttpResponse search_response(int status, std::string json, const ServedSearch& search) {
  HttpResponse response = json_response(status, std::move(json));
  response.headers.push_back({"ETag", fmt::format("\"{}\"", search.last())});
  return response;
}

bool wants_lines(const HttpRequest& request) {
  return request.header("Accept").value_or(std::string_view()).find("application/x-ndjson") != std::string_view::npos;
}

}  // namespace inkling
