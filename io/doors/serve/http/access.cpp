#include "io/doors/serve/http/access.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/doors/serve/http/request_target.hpp"
#include "io/doors/serve/http/sha256.hpp"

namespace inkling {
namespace {

/// The most logins of one user, so that nobody's logins end those of others.
constexpr std::size_t kMostCookies = 100;
constexpr std::size_t kLongestToken = 1'000;
constexpr std::size_t kDigitsOfCode = 6;
constexpr int kTriesOfCode = 5;
constexpr std::chrono::minutes kLifeOfCode(5);
constexpr std::uintmax_t kLongestLogins = std::uintmax_t{1} << 24U;

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

Access::Access(AccessSettings settings) : settings_(std::move(settings)), once_(new_token()) {
  if (tells_users_apart()) {
    users_ = read_users(settings_.users_file);
    settings_.owner = users_.front().name;
  }
  read_logins();
}

std::string Access::once() const {
  const std::scoped_lock lock(mutex_);
  return once_;
}

bool Access::has_logins() const {
  const std::scoped_lock lock(mutex_);
  return !cookies_.empty();
}

WayIn Access::new_way_in() {
  constexpr std::uint64_t codes = 1'000'000;
  const std::uint64_t number = std::stoull(new_token().substr(0, 15), nullptr, 16);
  const std::scoped_lock lock(mutex_);
  once_ = new_token();
  once_used_ = false;
  code_ = fmt::format("{:06}", number % codes);
  code_ends_ = std::chrono::steady_clock::now() + kLifeOfCode;
  code_tries_ = kTriesOfCode;
  return {once_, code_};
}

// Compares hashes, as below. Requires: the mutex is held.
bool Access::take_way_in(std::string_view token) {
  if (!once_used_ && sha256_text(token) == sha256_text(once_)) {
    once_used_ = true;
    return true;
  }
  if (token.size() != kDigitsOfCode || code_tries_ == 0 || std::chrono::steady_clock::now() > code_ends_) return false;
  --code_tries_;
  if (sha256_text(token) != sha256_text(code_)) return false;
  code_tries_ = 0;
  return true;
}

// Requires: the mutex is held, or this object is being made.
std::string Access::proof_of(const std::string& user) const {
  if (!tells_users_apart()) return user == settings_.owner ? sha256_text(user) : std::string();
  const auto known = std::ranges::find(users_, user, &ServedUser::name);
  return known == users_.end() ? std::string() : sha256_text(known->token_hash);
}

// Lines "HASH PROOF NUMBER USER", which nobody but this program writes: a line that is something else is no login.
void Access::read_logins() {
  const std::optional<FileStatus> found = status_at(settings_.logins_file.c_str());
  if (!found || found->size > kLongestLogins) return;
  const std::string text = small_file(settings_.logins_file);
  for (std::string_view left = text; !left.empty();) {
    std::string_view row = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(row.size() + 1, left.size()));
    constexpr std::size_t digits = 64;
    if (row.size() < 2 * digits + 4 || row[digits] != ' ' || row[2 * digits + 1] != ' ') continue;
    const std::string hash(row.substr(0, digits));
    const std::string_view proof = row.substr(digits + 1, digits);
    row.remove_prefix(2 * digits + 2);
    const std::size_t space = std::min(row.find(' '), row.size() - 1);
    const std::string user(row.substr(space + 1));
    const std::optional<std::int64_t> number = parse_integer(row.substr(0, space));
    if (!number || *number < 0 || proof != proof_of(user)) continue;
    cookies_.emplace(hash, Login{user, std::string(proof), static_cast<std::uint64_t>(*number)});
    logins_ = std::max(logins_, static_cast<std::uint64_t>(*number));
  }
}

// Requires: the mutex is held. Throws SystemError.
void Access::keep_logins() const {
  if (settings_.logins_file.empty()) return;
  std::string text;
  for (const auto& [hash, login] : cookies_) text += fmt::format("{} {} {} {}\n", hash, login.proof, login.number, login.user);
  write_file(settings_.logins_file, text);
}

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
  const std::scoped_lock lock(mutex_);
  for (const ServedUser& user : users_)
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

std::optional<std::string> Access::user_signed_in(const HttpRequest& request) const {
  std::optional<std::string> user;
  if (const auto bearer = bearer_in(request)) user = user_of_token(*bearer);
  if (const auto cookie = cookie_in(request, settings_.cookie_name); cookie && !user) user = user_of_token(*cookie);
  return user;
}

std::string Access::user_of(const HttpRequest& request) const {
  std::optional<std::string> user = user_signed_in(request);
  if (!user) {
    throw HttpRefusal({401, "authentication required: the token or cookie is missing or unknown", "Cookie or Authorization",
                       tells_users_apart()
                           ? "a user's token: log in"
                           : "a cookie: press Enter where the program runs, and open the address that it prints"});
  }
  const std::optional<std::string_view> named = request.header(kUserHeader);
  if (!named || percent_decoded(*named) == *user) return *std::move(user);
  throw HttpRefusal({403, fmt::format("{} is signed in, and this request is that of another person", quoted_text(*user)),
                     std::string(kUserHeader), "the name of who is signed in"});
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
  if (const std::optional<std::string> user = user_of_own_token(token)) {
    const std::scoped_lock lock(mutex_);
    return new_cookie(*user, request);
  }
  return cookie_for_printed(token, request);
}

std::optional<std::string> Access::cookie_for_printed(std::string_view token, const HttpRequest& request) {
  const std::scoped_lock lock(mutex_);
  if (!take_way_in(token)) return std::nullopt;
  return new_cookie(settings_.owner, request);
}

// Requires: the mutex is held.
std::string Access::new_cookie(const std::string& user, const HttpRequest& request) {
  forget_oldest(user);
  const std::string cookie = new_token();
  cookies_.emplace(sha256_text(cookie), Login{user, proof_of(user), ++logins_});
  try {
    keep_logins();
  } catch (const std::exception&) {  // it lasts until the program ends
  }
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
  keep_logins();
  return cookie_text("", 0, request);
}

std::string Access::log_out_everywhere(const std::string& user, const HttpRequest& request) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(cookies_, [&](const auto& login) { return login.second.user == user; });
  keep_logins();
  return cookie_text("", 0, request);
}

std::vector<std::string> Access::users() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> names;
  names.reserve(users_.size());
  for (const ServedUser& user : users_) names.push_back(user.name);
  return names;
}

bool Access::knows(std::string_view name) const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::find(users_, name, &ServedUser::name) != users_.end();
}

void Access::read_users_again() {
  std::vector<ServedUser> users = read_users(settings_.users_file);
  const std::scoped_lock lock(mutex_);
  users_ = std::move(users);
  std::erase_if(cookies_, [&](const auto& login) { return login.second.proof != proof_of(login.second.user); });
  keep_logins();
}

// A file that somebody took away or wrote anew must not leave its owner out.
std::string Access::change_users(const std::function<std::string()>& change) {
  try {
    const std::vector<ServedUser> now = read_users(settings_.users_file);
    if (std::ranges::find(now, settings_.owner, &ServedUser::name) == now.end())
      throw FormatError(settings_.users_file, fmt::format("expected the user {}", quoted_text(settings_.owner)));
    std::string token = change();
    read_users_again();
    return token;
  } catch (const FormatError&) {
    throw HttpRefusal(503, "the file of users is not what it was when the server began: whoever runs it must look at it");
  }
}

std::string Access::let_in(const std::string& name) {
  constexpr std::size_t longest = 100;
  const bool has_address = name.find_first_not_of('.') != std::string::npos;
  if (!is_user_name(name) || name.size() > longest || !has_address)
    throw HttpRefusal({422, fmt::format("{} cannot be the name of a user", quoted_text(name)), "name",
                       "1 to 100 bytes of visible characters, without blanks, no # first, and not only dots"});
  const std::scoped_lock lock(changing_);
  if (knows(name)) throw HttpRefusal({409, fmt::format("{} is let in already", quoted_text(name)), "name", "another name"});
  return change_users([&] { return add_user(settings_.users_file, name); });
}

std::string Access::new_token_of(const std::string& name) {
  const std::scoped_lock lock(changing_);
  check_other(name);
  return change_users([&] { return renew_user(settings_.users_file, name); });
}

void Access::let_out(const std::string& name) {
  const std::scoped_lock lock(changing_);
  check_other(name);
  static_cast<void>(change_users([&] {
    remove_user(settings_.users_file, name);
    return std::string();
  }));
}

void Access::check_other(const std::string& name) const {
  if (!knows(name)) throw HttpRefusal({404, fmt::format("there is no user {}", quoted_text(name)), "user", "a user's name"});
  if (name == settings_.owner)
    throw HttpRefusal({409, fmt::format("{} is whose server this is", quoted_text(name)), "user", "another user"});
}

}  // namespace inkling
