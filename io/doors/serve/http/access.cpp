#include "io/doors/serve/http/access.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/utf8.hpp"
#include "io/doors/serve/http/sha256.hpp"

namespace inkling {
namespace {

/// The most logins of one user, so that nobody's logins end those of others.
constexpr std::size_t kMostCookies = 100;
constexpr std::size_t kLongestToken = 1'000;

// A host without its port: "[::1]:80" is "[::1]".
std::string_view without_port(std::string_view host) {
  const std::size_t bracket = host.find(']');
  const std::size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  return host.substr(0, colon);
}

std::optional<std::string_view> cookie_in(const HttpRequest& request, std::string_view name) {
  std::string_view left = request.header("Cookie").value_or(std::string_view());
  while (!left.empty()) {
    std::string_view pair = left.substr(0, left.find(';'));
    left.remove_prefix(std::min(pair.size() + 1, left.size()));
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) return pair.substr(name.size() + 1);
  }
  return std::nullopt;
}

std::optional<std::string_view> bearer_in(const HttpRequest& request) {
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view value = request.header("Authorization").value_or(std::string_view());
  if (value.size() <= scheme.size() || !same_but_for_case(value.substr(0, scheme.size()), scheme)) return std::nullopt;
  return value.substr(scheme.size());
}

// A proxy that does not say which host was asked for looks as another site does.
Refusal refusal_of_origin(std::string_view origin, std::string_view host) {
  return {403,
          fmt::format("a page of {} asks, and the request was sent to {}. Where both are this server, the proxy between "
                      "them must pass on the Host that it got (nginx: proxy_set_header Host $host)",
                      quoted_text(origin), quoted_text(host)),
          "Origin", fmt::format("http://{}", host)};
}

}  // namespace

Access::Access(AccessSettings settings)
    : settings_(std::move(settings)), once_(settings_.users.empty() ? new_token() : std::string()) {}

void Access::check_place(const HttpRequest& request) const {
  const std::optional<std::string_view> host = request.header("Host");
  if (!host) throw HttpRefusal({400, "the request does not say its host", "Host", "this header once"});
  const auto is_it = [&](const std::string& known) { return same_but_for_case(known, without_port(*host)); };
  if (std::ranges::none_of(settings_.hosts, is_it)) {
    const std::string name = quoted_text(without_port(*host));
    throw HttpRefusal({403, fmt::format("unknown host {0}: start the server with --host {0}", name), "Host",
                       fmt::format("{}", fmt::join(settings_.hosts, ", "))});
  }
  if (request.count_of_header("Origin") > 0) {
    const std::string_view origin = request.header("Origin").value_or(std::string_view());
    const bool is_same =
        same_but_for_case(origin, fmt::format("http://{}", *host)) || same_but_for_case(origin, fmt::format("https://{}", *host));
    if (!is_same) throw HttpRefusal(refusal_of_origin(origin, *host));
  }
  const std::string_view site = request.header("Sec-Fetch-Site").value_or(std::string_view());
  const bool is_elsewhere = site == "cross-site" || site == "same-site";
  const std::string_view mode = request.header("Sec-Fetch-Mode").value_or(std::string_view());
  const bool opens_page = mode == "navigate" && request.method == "GET";
  if (is_elsewhere && !opens_page)
    throw HttpRefusal({403, "a page of another site asks", "Sec-Fetch-Site", "same-origin or none"});
}

// Compares hashes, never tokens, so the time that it takes tells nothing about a token.
std::optional<std::string> Access::user_of_own_token(std::string_view token) const {
  if (token.size() > kLongestToken) return std::nullopt;
  const std::string hash = sha256_text(token);
  for (const ServedUser& user : settings_.users)
    if (user.token_hash == hash) return user.name;
  return std::nullopt;
}

std::optional<std::string> Access::user_of_token(std::string_view token) const {
  if (auto user = user_of_own_token(token)) return user;
  if (token.size() > kLongestToken) return std::nullopt;
  const std::string hash = sha256_text(token);
  const std::scoped_lock lock(mutex_);
  const auto found = cookies_.find(hash);
  return found == cookies_.end() ? std::nullopt : std::optional(found->second.user);
}

std::string Access::user_of(const HttpRequest& request) const {
  std::optional<std::string> user;
  if (const auto bearer = bearer_in(request)) user = user_of_token(*bearer);
  if (const auto cookie = cookie_in(request, settings_.cookie_name); cookie && !user) user = user_of_token(*cookie);
  if (user) return *user;
  throw HttpRefusal({401, "authentication required: the token or cookie is missing or unknown", "Cookie or Authorization",
                     tells_users_apart() ? "a user's token: log in" : "a cookie: open the address that the program printed"});
}

// Where the user has as many logins as may be.
void Access::forget_oldest(const std::string& user) {
  std::size_t count = 0;
  auto oldest = cookies_.end();
  for (auto login = cookies_.begin(); login != cookies_.end(); ++login) {
    if (login->second.user != user) continue;
    ++count;
    if (oldest == cookies_.end() || login->second.number < oldest->second.number) oldest = login;
  }
  if (count >= kMostCookies) cookies_.erase(oldest);
}

bool Access::came_by_tls(const HttpRequest& request) const {
  const std::string_view scheme = request.header("X-Forwarded-Proto").value_or(std::string_view());
  return std::ranges::find(settings_.proxies, request.peer) != settings_.proxies.end() && same_but_for_case(scheme, "https");
}

std::optional<std::string> Access::cookie_for(std::string_view token, const HttpRequest& request) {
  std::string user = settings_.owner;
  if (tells_users_apart()) {
    const std::optional<std::string> known = user_of_own_token(token);
    if (!known) return std::nullopt;
    user = *known;
  }
  const bool is_once = !once_.empty() && sha256_text(token) == sha256_text(once_);
  const std::scoped_lock lock(mutex_);
  if (!tells_users_apart()) {
    if (!is_once || once_used_) return std::nullopt;
    once_used_ = true;
  }
  forget_oldest(user);
  const std::string cookie = new_token();
  cookies_.emplace(sha256_text(cookie), Login{user, ++logins_});
  constexpr int year = 31'536'000;
  return cookie_text(cookie, year, request);
}

std::string Access::cookie_text(std::string_view value, int seconds, const HttpRequest& request) const {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}", settings_.cookie_name, value, seconds,
                     came_by_tls(request) ? "; Secure" : "");
}

std::string Access::log_out(const HttpRequest& request) {
  const std::scoped_lock lock(mutex_);
  for (const std::optional<std::string_view> value : {cookie_in(request, settings_.cookie_name), bearer_in(request)})
    if (value) cookies_.erase(sha256_text(*value));
  return cookie_text("", 0, request);
}

bool Access::knows(std::string_view name) const noexcept {
  return std::ranges::find(settings_.users, name, &ServedUser::name) != settings_.users.end();
}

}  // namespace inkling
