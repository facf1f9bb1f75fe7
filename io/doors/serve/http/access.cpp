#include "io/doors/serve/http/access.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/doors/serve/http/sha256.hpp"

namespace inkling {
namespace {

/// Of one user, so that nobody's logins end those of others.
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
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
      return pair.substr(name.size() + 1);
  }
  return std::nullopt;
}

std::optional<std::string_view> bearer_in(const HttpRequest& request) {
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view value = request.header("Authorization").value_or(std::string_view());
  if (value.size() <= scheme.size() || !same_but_for_case(value.substr(0, scheme.size()), scheme))
    return std::nullopt;
  return value.substr(scheme.size());
}

bool is_hash(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string whole_file(const std::string& path) {
  FileStream stream(path);
  std::string text;
  constexpr std::size_t step = 65'536;
  std::size_t read = step;
  while (read == step) {
    const std::size_t before = text.size();
    text.resize(before + step);
    read = stream.read(std::span(text).subspan(before));
    text.resize(before + read);
  }
  return text;
}

}  // namespace

std::string new_token() {
  std::random_device device;
  std::string token;
  for (int n = 0; n < 8; ++n) token += fmt::format("{:08x}", device());
  return token;
}

std::vector<ServedUser> read_users(const std::string& path) {
  const std::string text = whole_file(path);
  std::vector<ServedUser> users;
  std::string_view left = text;
  for (int line = 1; !left.empty(); ++line) {
    std::string_view row = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(row.size() + 1, left.size()));
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (row.empty() || row.starts_with('#')) continue;
    const std::string place = fmt::format("{}:{}", path, line);
    const std::size_t space = row.find(' ');
    if (space == 0 || space == std::string_view::npos || !is_hash(row.substr(space + 1))) {
      throw FormatError(
          place,
          "expected a name, a space, and the 64 small hexadecimal digits that sha256sum prints of "
          "the user's token");
    }
    const std::string name(row.substr(0, space));
    if (visible_text(name) != name) throw FormatError(place, "expected a name of visible characters");
    if (std::ranges::find(users, name, &ServedUser::name) != users.end())
      throw FormatError(place, fmt::format("expected the user {} once", quoted_text(name)));
    users.push_back({name, std::string(row.substr(space + 1))});
  }
  if (users.empty()) throw FormatError(path, "expected at least one user");
  return users;
}

Access::Access(AccessSettings settings)
    : settings_(std::move(settings)), once_(settings_.users.empty() ? new_token() : std::string()) {}

void Access::check_place(const HttpRequest& request) const {
  const std::optional<std::string_view> host = request.header("Host");
  if (!host) throw HttpRefusal({400, "the request does not say its host", "Host", "this header once"});
  const auto is_it = [&](const std::string& known) { return same_but_for_case(known, without_port(*host)); };
  if (std::ranges::none_of(settings_.hosts, is_it)) {
    throw HttpRefusal({403, fmt::format("this server is not known as {}", quoted_text(*host)), "Host",
                       fmt::format("{}; name others by --host", fmt::join(settings_.hosts, ", "))});
  }
  if (request.count_of_header("Origin") > 0) {
    const std::string_view origin = request.header("Origin").value_or(std::string_view());
    const bool is_same = same_but_for_case(origin, fmt::format("http://{}", *host)) ||
                         same_but_for_case(origin, fmt::format("https://{}", *host));
    if (!is_same)
      throw HttpRefusal({403, "a page of another site asks", "Origin", fmt::format("http://{}", *host)});
  }
  const std::string_view site = request.header("Sec-Fetch-Site").value_or(std::string_view());
  const bool is_elsewhere = site == "cross-site" || site == "same-site";
  const std::string_view mode = request.header("Sec-Fetch-Mode").value_or(std::string_view());
  const bool opens_page = mode == "navigate" && request.method == "GET";
  if (is_elsewhere && !opens_page)
    throw HttpRefusal({403, "a page of another site asks", "Sec-Fetch-Site", "same-origin or none"});
}

// Hashes are compared and found, never tokens: how long that takes says nothing of them.
std::optional<std::string> Access::user_of_token(std::string_view token) const {
  if (token.size() > kLongestToken) return std::nullopt;
  const std::string hash = sha256_text(token);
  for (const ServedUser& user : settings_.users)
    if (user.token_hash == hash) return user.name;
  const std::scoped_lock lock(mutex_);
  const auto found = cookies_.find(hash);
  return found == cookies_.end() ? std::nullopt : std::optional(found->second.user);
}

std::string Access::user_of(const HttpRequest& request) const {
  std::optional<std::string> user;
  if (const auto bearer = bearer_in(request)) user = user_of_token(*bearer);
  if (const auto cookie = cookie_in(request, settings_.cookie_name); cookie && !user)
    user = user_of_token(*cookie);
  if (user) return *user;
  throw HttpRefusal({401, "authentication required: the token or cookie is missing or unknown",
                     "Cookie or Authorization",
                     tells_users_apart() ? "a user's token: log in"
                                         : "a cookie: open the address that the program printed"});
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

std::optional<std::string> Access::cookie_for(std::string_view token) {
  std::string user = settings_.owner;
  if (tells_users_apart()) {
    const std::optional<std::string> known = user_of_token(token);
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
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000", settings_.cookie_name,
                     cookie);
}

}  // namespace inkling
