// Who may ask: tokens, cookies, users, and requests that come from the right place.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/doors/serve/http/http_message.hpp"
#include "io/doors/serve/http/users_file.hpp"

namespace inkling {

struct AccessSettings {
  std::vector<std::string> hosts = {};  ///< that a request may be sent to, without a port
  std::string cookie_name = "inkling";  ///< cookies do not distinguish ports
  std::string owner = {};               ///< whoever runs the server: the one user, or the first of the file of users
  std::string users_file = {};          ///< if not empty, only users of this file are accepted
  /// Addresses, as `address_of_peer` writes them, of proxies whose X-Forwarded-Proto is believed.
  std::vector<std::string> proxies = {};
  /// The file that keeps logins, hashed, for the next start; empty: they end with the program.
  std::string logins_file = {};
};

/// Two ways into a new browser, each of which works once: the token of an address, and six digits to type.
struct WayIn {
  std::string token;
  std::string code;
};

/// Whose request it is, percent-encoded, and in an answer who asked: a browser that had to wait may send it when somebody else is signed in.
inline constexpr std::string_view kUserHeader = "Inkling-User";

/// A token that the program prints may be used once to get a cookie of the owner. Where there is a file of users, each has a token of
/// their own, too, and the owner lets others in and out. A login ends with a logout, with another token of its user, and after 100
/// later ones of its user.
/// Whoever has a cookie may also send its value as a bearer token, as users may send their own tokens.
/// Thread safety: any number of threads.
class Access {
 public:
  /// Throws as `read_users` does.
  explicit Access(AccessSettings settings);

  /// The token of the address that is printed.
  [[nodiscard]] std::string once() const;
  /// A new token in its place, and digits that are valid for five minutes and five tries.
  [[nodiscard]] WayIn new_way_in();
  /// Whether a browser is signed in, maybe since an earlier start.
  [[nodiscard]] bool has_logins() const;

  /// Throws HttpRefusal: 400 where the request has not one Host, 403 where it was sent to another host, which a page of
  /// another site may have had resolved to this one, or where a page of another site sent it.
  void check_place(const HttpRequest& request) const;

  /// Whose request it is: the one place that decides it, from which it reaches the search and its log. Throws HttpRefusal: 401
  /// where that is not known, 403 where the request names another person than the one who is signed in (`kUserHeader`).
  [[nodiscard]] std::string user_of(const HttpRequest& request) const;

  /// The value of a Set-Cookie for the owner of this token; nothing if the token is unknown or was used. Only the last 100 logins
  /// of a user are valid. If a known proxy says that the request came by TLS, the cookie is never sent without TLS.
  [[nodiscard]] std::optional<std::string> cookie_for(std::string_view token, const HttpRequest& request);
  /// The same for the token of an address: only the printed one, since a link of another site must not make anybody another user.
  [[nodiscard]] std::optional<std::string> cookie_for_printed(std::string_view token, const HttpRequest& request);

  /// Ends the login whose cookie this request has, at once: its value is no bearer token any more, either. Returns the value of
  /// a Set-Cookie that takes it out of the browser.
  [[nodiscard]] std::string log_out(const HttpRequest& request);

  /// Ends all logins of this user at once, copied cookies included. Returns as `log_out`.
  [[nodiscard]] std::string log_out_everywhere(const std::string& user, const HttpRequest& request);

  [[nodiscard]] const std::string& owner() const noexcept { return settings_.owner; }
  /// The names in the file of users; none where there is only one user.
  [[nodiscard]] std::vector<std::string> users() const;
  [[nodiscard]] bool knows(std::string_view name) const;

  /// These change the file of users, at once and for good. The token, which is kept nowhere, is what that user signs in with; an
  /// earlier one of theirs is void, and so are their logins. Throw HttpRefusal where the name is not that of a user to be, or of
  /// a user other than the owner, and SystemError.
  [[nodiscard]] std::string let_in(const std::string& name);
  [[nodiscard]] std::string new_token_of(const std::string& name);
  void let_out(const std::string& name);

  /// Whether each user sees only their own searches, and those that others share with them.
  [[nodiscard]] bool tells_users_apart() const noexcept { return !settings_.users_file.empty(); }

 private:
  [[nodiscard]] std::string cookie_text(std::string_view value, int seconds, const HttpRequest& request) const;
  [[nodiscard]] bool came_by_tls(const HttpRequest& request) const;
  /// The user of a token from the file of users, or of a value of a cookie.
  [[nodiscard]] std::optional<std::string> user_of_own_token(std::string_view token) const;
  [[nodiscard]] std::optional<std::string> user_of_token(std::string_view token) const;
  [[nodiscard]] std::optional<std::string> user_signed_in(const HttpRequest& request) const;

  [[nodiscard]] bool take_way_in(std::string_view token);
  [[nodiscard]] std::string new_cookie(const std::string& user, const HttpRequest& request);
  void check_other(const std::string& name) const;
  /// What `change` returns, after the file of users is read again. Requires: changing_ is held. Throws HttpRefusal (503).
  [[nodiscard]] std::string change_users(const std::function<std::string()>& change);
  /// Reads the file of users again, and ends logins of whoever is not in it as before.
  void read_users_again();
  /// What a login depends on: it ends where that changes.
  [[nodiscard]] std::string proof_of(const std::string& user) const;
  void read_logins();
  void keep_logins() const;

  AccessSettings settings_;
  std::mutex changing_;       // the file of users; before the next one
  mutable std::mutex mutex_;  // of all below
  std::vector<ServedUser> users_;
  std::string once_;
  bool once_used_ = false;
  std::string code_;
  std::chrono::steady_clock::time_point code_ends_ = {};
  int code_tries_ = 0;
  struct Login {
    std::string user;
    std::string proof;     // as it was then
    std::uint64_t number;  // of the later one, the larger
  };
  void forget_oldest(const std::string& user);

  std::map<std::string, Login, std::less<>> cookies_;  // by the hash of the cookie
  std::uint64_t logins_ = 0;
};

}  // namespace inkling
