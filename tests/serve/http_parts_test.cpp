// Addresses, routes, hashes, and which requests are allowed.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "io/base/file/output_file.hpp"
#include "io/doors/serve/http/access.hpp"
#include "io/doors/serve/http/http_server.hpp"
#include "io/doors/serve/http/metrics.hpp"
#include "io/doors/serve/http/request_target.hpp"
#include "io/doors/serve/http/router.hpp"
#include "io/doors/serve/http/sha256.hpp"
#include "tests/serve/served_garden.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

int status_of_refusal(const auto& work) {
  try {
    work();
  } catch (const HttpRefusal& refusal) {
    return refusal.refusal().status;
  }
  return 0;
}

std::string percent_written(std::string_view text) {
  std::string written;
  for (const char c : text) written += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return written;
}

TEST_CASE("an address is cut into its parts") {
  const RequestTarget target = parse_target("/a/b%20c%2F?x=1&y=a+b%2B&z");
  CHECK(target.segments == std::vector<std::string>{"a", "b c/"});
  CHECK(target.text("x") == "1");
  CHECK(target.text("y") == "a b+");
  CHECK(target.text("z") == "");
  CHECK_FALSE(target.text("w"));
  CHECK(target.number("x", 0, 9, 5) == 1);
  CHECK(target.number("w", 0, 9, 5) == 5);
  CHECK(status_of_refusal([&] { static_cast<void>(target.number("y", 0, 9, 5)); }) == 422);
  CHECK(status_of_refusal([&] { static_cast<void>(target.number("x", 2, 9, 5)); }) == 422);
  CHECK(parse_target("/").segments.empty());
}

TEST_CASE("an address that could lead elsewhere is refused") {
  for (const char* const bad :
       {"",     "a",    "//",   "/a//b", "/a/",     "/.",         "/..",    "/a/../b", "/%2e%2e", "/%",        "/%4",
        "/%zz", "/%00", "/%0a", "/%ff",  "/%c0%ae", "/a?x=1&x=2", "/a?%zz", "/\x7f",   "*",       "http://a/b"}) {
    CAPTURE(bad);
    CHECK(status_of_refusal([&] { static_cast<void>(parse_target(bad)); }) == 400);
  }
}

TEST_CASE("percent encoding reads back the same for thousands of random texts") {
  RandomStream random(7, 0, RandomRole::reward);
  const std::vector<std::string_view> letters = {"a", "/", " ", "%", "+", "&", "=", "?", "é", "😀", ";", ".", "-", "#"};
  for (int round = 0; round < 3'000; ++round) {
    std::string text;
    for (std::uint64_t n = random.below(6) + 1; n > 0; --n) text += letters[random.below(letters.size())];
    if (text == "." || text == "..") continue;
    CAPTURE(text);
    const RequestTarget target = parse_target("/x/" + percent_written(text) + "?q=" + percent_written(text));
    CHECK(target.segments == std::vector<std::string>{"x", text});
    CHECK(target.text("q") == text);
  }
}

TEST_CASE("a route is found by method and path and a fixed segment comes before a named one") {
  const auto nothing = [](const RouteCall&) { return HttpResponse(); };
  const Router router({{"GET", "/", RouteAccess::open, RouteBody::none, nothing},
                       {"GET", "/a/{x}", RouteAccess::open, RouteBody::none, nothing},
                       {"POST", "/a/{x}", RouteAccess::open, RouteBody::none, nothing},
                       {"GET", "/a/b", RouteAccess::open, RouteBody::none, nothing}});
  CHECK(router.find("GET", parse_target("/")).route == 0);
  CHECK(router.find("GET", parse_target("/a/c")).route == 1);
  CHECK(router.find("GET", parse_target("/a/c")).parts.at("x") == "c");
  CHECK(router.find("POST", parse_target("/a/b")).route == 2);
  CHECK(router.find("HEAD", parse_target("/a/b")).route == 3);
  CHECK(status_of_refusal([&] { static_cast<void>(router.find("GET", parse_target("/b"))); }) == 404);
  CHECK(status_of_refusal([&] { static_cast<void>(router.find("GET", parse_target("/a/b/c"))); }) == 404);
  CHECK(status_of_refusal([&] { static_cast<void>(router.find("DELETE", parse_target("/a/b"))); }) == 405);
}

TEST_CASE("SHA-256 gives the digests of its standard") {
  CHECK(sha256_text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_text(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

HttpRequest request_with(std::vector<HttpHeader> headers, std::string method = "GET") {
  return {std::move(method), "/", std::move(headers), {}};
}

TEST_CASE("a request must name one known host and not come from a page of another site") {
  const Access access({.hosts = {"localhost", "[::1]"}, .owner = "ada"});
  const auto status = [&](std::vector<HttpHeader> headers, const char* method = "POST") {
    return status_of_refusal([&] { access.check_place(request_with(std::move(headers), method)); });
  };
  CHECK(status({{"host", "LOCALHOST:80"}}) == 0);
  CHECK(status({{"Host", "[::1]:80"}}) == 0);
  CHECK(status({{"Host", "[::1]"}, {"Origin", "http://[::1]"}}) == 0);
  CHECK(status({{"Host", "localhost:1"}, {"Origin", "https://localhost:1"}, {"Sec-Fetch-Site", "same-origin"}}) == 0);
  CHECK(status({}) == 400);
  CHECK(status({{"Host", "localhost"}, {"Host", "localhost"}}) == 400);
  for (const char* const host : {"", "evil", "localhost.evil", "evil:localhost", "127.0.0.1", "[::1].evil", "localhost@evil"}) {
    CAPTURE(host);
    CHECK(status({{"Host", host}}) == 403);
  }
  CHECK(status({{"Host", "localhost"}, {"Origin", "null"}}) == 403);
  CHECK(status({{"Host", "localhost"}, {"Origin", "http://localhost:1"}}) == 403);
  CHECK(status({{"Host", "localhost"}, {"Origin", "http://localhost"}, {"Origin", "http://localhost"}}) == 403);
  CHECK(status({{"Host", "localhost"}, {"Sec-Fetch-Site", "cross-site"}}) == 403);
  CHECK(status({{"Host", "localhost"}, {"Sec-Fetch-Site", "same-site"}}, "GET") == 403);
  CHECK(status({{"Host", "localhost"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}}, "GET") == 0);
  CHECK(status({{"Host", "localhost"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}}) == 403);
}

TEST_CASE("a printed token gives one cookie and the value of the cookie is a bearer token") {
  Access access({.hosts = {"localhost"}, .cookie_name = "c", .owner = "ada"});
  CHECK(access.once().size() == 64);
  CHECK_FALSE(access.cookie_for("x", {}));
  const std::optional<std::string> set = access.cookie_for(access.once(), {});
  REQUIRE(set);
  CHECK_FALSE(access.cookie_for(access.once(), {}));
  const std::string cookie = set->substr(0, set->find(';'));
  CHECK(set->find("HttpOnly") != std::string::npos);
  CHECK(access.user_of(request_with({{"Cookie", "a=b; " + cookie + "; d=e"}})) == "ada");
  CHECK(access.user_of(request_with({{"Authorization", "bearer " + cookie.substr(2)}})) == "ada");
  for (const char* const wrong : {"", "c=", "c=x", "cc=x"})
    CHECK(status_of_refusal([&] { static_cast<void>(access.user_of(request_with({{"Cookie", wrong}}))); }) == 401);
  CHECK(status_of_refusal([&] { static_cast<void>(access.user_of(request_with({{"Cookie", "d" + cookie}}))); }) == 401);
  CHECK(status_of_refusal([&] { static_cast<void>(access.user_of(request_with({}))); }) == 401);
}

std::string login_of(Access& access, const std::string& token) {
  const std::string set = access.cookie_for(token, {}).value();
  return set.substr(0, set.find(';'));
}

TEST_CASE_FIXTURE(test::InFolder, "logins survive a restart until they end or their user gets another token") {
  const auto user_after_restart = [&](const AccessSettings& settings, const std::string& cookie) -> std::string {
    try {
      return Access(settings).user_of(request_with({{"Cookie", cookie}}));
    } catch (const HttpRefusal&) {
      return "nobody";
    }
  };
  const std::string file = folder.file("logins");
  const AccessSettings alone = {.hosts = {"localhost"}, .owner = "ada", .logins_file = file};
  std::string cookie;
  {
    Access access(alone);
    CHECK_FALSE(access.has_logins());
    cookie = login_of(access, access.once());
  }
  CHECK(Access(alone).has_logins());
  CHECK(small_file(file).find(cookie.substr(cookie.find('=') + 1)) == std::string::npos);  // hashed
  CHECK(user_after_restart(alone, cookie) == "ada");
  AccessSettings other = alone;
  other.owner = "eve";
  CHECK(user_after_restart(other, cookie) == "nobody");
  const std::string list = folder.file("users");
  test::file_of_users(list, {{"bob", "b"}, {"eve", "e"}});
  const AccessSettings users = {.hosts = {"localhost"}, .users_file = list, .logins_file = file};
  CHECK(user_after_restart(users, cookie) == "nobody");
  std::string of_bob, of_eve;
  {
    Access access(users);
    of_bob = login_of(access, "b");
    of_eve = login_of(access, "e");
  }
  CHECK(user_after_restart(users, of_eve) == "eve");
  test::file_of_users(list, {{"bob", "another"}, {"eve", "e"}});
  CHECK(user_after_restart(users, of_bob) == "nobody");
  CHECK(user_after_restart(users, of_eve) == "eve");
  static_cast<void>(Access(users).log_out(request_with({{"Cookie", of_eve}})));
  CHECK(user_after_restart(users, of_eve) == "nobody");
  for (const char* const damaged : {"", "x", "\n\n", "0 0 0 ada\n"}) {
    write_file(file, damaged + std::string(200, 'a') + " 1 ada\n");
    CHECK(user_after_restart(alone, "inkling=" + std::string(64, 'a')) == "nobody");
  }
}

TEST_CASE("another address and its digits work once, and digits for five tries") {
  Access access({.hosts = {"localhost"}, .owner = "ada"});
  const std::string first = access.once();
  const WayIn way = access.new_way_in();
  CHECK_FALSE(access.cookie_for(first, {}));
  CHECK(way.code.size() == 6);
  CHECK(access.cookie_for(way.code, {}));
  CHECK_FALSE(access.cookie_for(way.code, {}));
  CHECK(access.cookie_for(way.token, {}));
  CHECK_FALSE(access.cookie_for(way.token, {}));
  const WayIn guessed = access.new_way_in();
  for (int n = 0; n < 5; ++n) CHECK_FALSE(access.cookie_for(guessed.code == "000000" ? "000001" : "000000", {}));
  CHECK_FALSE(access.cookie_for(guessed.code, {}));
  CHECK(access.cookie_for(guessed.token, {}));
  CHECK_FALSE(access.cookie_for("", {}));
}

TEST_CASE("what is percent-encoded is the same when it is decoded, and holds nothing that a header may not") {
  for (const std::string name : {"ada", "", "cl\u00e9o", "a/b%2F&=+ c", "\u5b57~.-_!*'()", "\"\\"}) {
    const std::string encoded = percent_encoded(name);
    CHECK(percent_decoded(encoded) == name);
    CHECK(std::ranges::all_of(encoded, [](char one) { return one > ' ' && one < '\x7F'; }));
  }
  CHECK(percent_encoded("a b\u00e9") == "a%20b%C3%A9");
}

TEST_CASE_FIXTURE(test::InFolder, "users are known by their tokens, and the first of them by the printed one, too") {
  Access access({.hosts = {"localhost"}, .users_file = test::file_of_users(folder.file("users"), {{"bob", "b"}, {"eve", "e"}})});
  CHECK_FALSE(access.cookie_for_printed("b", {}));
  CHECK_FALSE(access.cookie_for_printed("e", {}));
  const std::string printed = access.cookie_for_printed(access.once(), {}).value();
  CHECK(access.user_of(request_with({{"Cookie", printed.substr(0, printed.find(';'))}})) == "bob");
  CHECK(access.user_of(request_with({{"Authorization", "Bearer e"}})) == "eve");
  CHECK_FALSE(access.cookie_for("", {}));
  CHECK_FALSE(access.cookie_for(sha256_text("b"), {}));
  const std::string cookie = access.cookie_for("b", {}).value();
  const std::string value = cookie.substr(cookie.find('=') + 1, cookie.find(';') - cookie.find('=') - 1);
  CHECK(access.user_of(request_with({{"Authorization", "Bearer " + value}})) == "bob");
  CHECK_FALSE(access.cookie_for(value, {}));  // a copied cookie makes no second one
  CHECK(access.user_of(request_with({{"Cookie", cookie.substr(0, cookie.find(';'))}})) == "bob");
}

TEST_CASE_FIXTURE(test::InFolder, "users come and go while others are signed in") {
  const std::string list = test::file_of_users(folder.file("users"), {{"bob", "b"}, {"eve", "e"}});
  Access access({.hosts = {"localhost"}, .users_file = list, .logins_file = folder.file("logins")});
  const auto user_of = [&](const std::string& cookie) -> std::string {
    try {
      return access.user_of(request_with({{"Cookie", cookie}}));
    } catch (const HttpRefusal&) {
      return "nobody";
    }
  };
  const std::string of_bob = login_of(access, "b");
  const std::string of_eve = login_of(access, "e");
  const std::string token = access.let_in("dan");
  const std::string of_dan = login_of(access, token);
  CHECK(user_of(of_dan) == "dan");
  CHECK(access.users() == std::vector<std::string>{"bob", "eve", "dan"});
  for (const char* const wrong : {"dan", "", "a b", "#x", "a\nb"})
    CHECK(status_of_refusal([&] { static_cast<void>(access.let_in(wrong)); }) >= 409);
  const std::string other = access.new_token_of("dan");
  CHECK(user_of(of_dan) == "nobody");
  CHECK_FALSE(access.cookie_for(token, {}));
  CHECK(user_of(login_of(access, other)) == "dan");
  access.let_out("eve");
  CHECK(user_of(of_eve) == "nobody");
  CHECK_FALSE(access.cookie_for("e", {}));
  CHECK(status_of_refusal([&] { access.let_out("eve"); }) == 404);
  CHECK(status_of_refusal([&] { access.let_out("bob"); }) == 409);
  CHECK(status_of_refusal([&] { static_cast<void>(access.new_token_of("bob")); }) == 409);
  CHECK(user_of(of_bob) == "bob");
  CHECK(read_users(list).size() == 2);
  // Of several at once who ask for one name, one gets it.
  std::atomic<int> made = 0, refused = 0;
  {
    std::vector<std::jthread> all;
    for (int n = 0; n < 4; ++n) {
      all.emplace_back([&] {
        try {
          static_cast<void>(access.let_in("zoe"));
          ++made;
        } catch (const HttpRefusal& refusal) {
          refused += refusal.refusal().status == 409 ? 1 : 0;
        }
      });
    }
  }
  CHECK(made == 1);
  CHECK(refused == 3);
  // A file that is gone, broken or another one is left as it is, and everybody stays.
  for (const char* const text : {"", "x\n", "eve 0000000000000000000000000000000000000000000000000000000000000000\n"}) {
    write_file(list, text);
    CHECK(status_of_refusal([&] { static_cast<void>(access.let_in("ann")); }) == 503);
    CHECK(status_of_refusal([&] { access.let_out("dan"); }) == 503);
    CHECK(small_file(list) == text);
    CHECK(user_of(of_bob) == "bob");
  }
}

TEST_CASE_FIXTURE(test::InFolder, "a user's many logins end no login of another user and the last ones stay valid") {
  Access access({.hosts = {"localhost"}, .users_file = test::file_of_users(folder.file("users"), {{"bob", "b"}, {"eve", "e"}})});
  const auto log_in = [&](const char* token) {
    const std::string set = access.cookie_for(token, {}).value();
    return set.substr(0, set.find(';'));
  };
  const auto user_of = [&](const std::string& cookie) { return access.user_of(request_with({{"Cookie", cookie}})); };
  const std::string of_bob = log_in("b");
  const std::string first_of_eve = log_in("e");
  std::string last_of_eve;
  for (int n = 0; n < 10'001; ++n) last_of_eve = log_in("e");
  CHECK(user_of(of_bob) == "bob");
  CHECK(user_of(last_of_eve) == "eve");
  CHECK(status_of_refusal([&] { static_cast<void>(user_of(first_of_eve)); }) == 401);
}

TEST_CASE_FIXTURE(test::InFolder, "a cookie is for TLS alone if a known proxy says that the browser uses it") {
  Access access({.hosts = {"localhost"},
                 .users_file = test::file_of_users(folder.file("users"), {{"bob", "b"}}),
                 .proxies = {"127.0.0.1", "::1"}});
  const auto is_secure = [&](const char* peer, std::vector<HttpHeader> headers) {
    HttpRequest request = request_with(std::move(headers));
    request.peer = peer;
    return access.cookie_for("b", request).value().ends_with("; Secure");
  };
  CHECK(is_secure("127.0.0.1", {{"x-forwarded-proto", "HTTPS"}}));
  CHECK(is_secure("::1", {{"X-Forwarded-Proto", "https"}}));
  CHECK_FALSE(is_secure("127.0.0.1", {{"X-Forwarded-Proto", "http"}}));
  CHECK_FALSE(is_secure("127.0.0.1", {}));
  CHECK_FALSE(is_secure("127.0.0.1", {{"X-Forwarded-Proto", "https"}, {"X-Forwarded-Proto", "https"}}));
  CHECK_FALSE(is_secure("127.0.0.2", {{"X-Forwarded-Proto", "https"}}));
  CHECK_FALSE(is_secure("", {{"X-Forwarded-Proto", "https"}}));
  CHECK(address_of_peer("0:0::1") == "::1");
  CHECK_FALSE(address_of_peer("localhost"));
}

TEST_CASE("a refused request to another host says what to do with a proxy and without one") {
  const Access access({.hosts = {"localhost", "127.0.0.1"}});
  const auto message = [&](std::vector<HttpHeader> headers) {
    try {
      access.check_place(request_with(std::move(headers), "POST"));
    } catch (const HttpRefusal& refusal) {
      return refusal.refusal().detail;
    }
    return std::string();
  };
  CHECK(message({{"Host", "search.example.org:443"}}) ==
        "unknown host \"search.example.org\": start the server with --host \"search.example.org\"");
  const std::string origin = message({{"Host", "127.0.0.1:8765"}, {"Origin", "https://search.example.org"}});
  CHECK(origin.starts_with("a page of \"https://search.example.org\" asks, and the request was sent to \"127.0.0.1:8765\""));
  CHECK(origin.find("proxy_set_header Host $host") != std::string::npos);
}

TEST_CASE("a file of users is read and every mistake in it is named with its line") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("users");
  const auto read = [&](const std::string& text) {
    std::ofstream(path) << text;
    return read_users(path);
  };
  const std::string hash = sha256_text("x");
  const std::vector<ServedUser> users = read("# who\n\nada " + hash + "\r\nbob " + hash + "\n");
  REQUIRE(users.size() == 2);
  CHECK(users[1].name == "bob");
  CHECK(users[0].token_hash == hash);
  const std::string others[] = {
      "ada", "ada x", " " + hash, "ada  " + hash, "ada " + hash + "0", "ada " + hash + "\nada " + hash, "", "a\x01 " + hash};
  for (const std::string& bad : others) {
    CAPTURE(bad);
    CHECK_THROWS_AS(read(bad), FormatError);
  }
  CHECK_THROWS_AS(static_cast<void>(read_users(folder.file("none"))), SystemError);
}

TEST_CASE("a user is added once to a file that may not exist yet and the file does not have the token") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("users");
  const std::string of_ada = add_user(path, "ada");
  const std::string before = "# by hand\nada " + sha256_text(of_ada);
  std::ofstream(path) << before;
  const std::string of_bob = add_user(path, "bob");
  CHECK(of_ada != of_bob);
  CHECK(test::text_of(path) == before + "\nbob " + sha256_text(of_bob) + "\n");
  CHECK(read_users(path).size() == 2);
  for (const char* const bad : {"ada", "", "a b", "#a", "a\n", "\x1b[1m"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(static_cast<void>(add_user(path, bad)), FormatError);
  }
  CHECK_THROWS_AS(static_cast<void>(add_user(folder.path().string(), "eve")), FormatError);
  CHECK(read_users(path).size() == 2);
}

TEST_CASE("users who are added, renewed and removed at once are all as their last change says") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("users");
  constexpr int people = 30;
  std::vector<std::string> tokens(people);
  const auto name_of = [](int n) { return fmt::format("u{}", n); };
  for (int n = 20; n < people; ++n) tokens[static_cast<std::size_t>(n)] = add_user(path, name_of(n));
  std::ofstream(path, std::ios::app) << "# u25 " << sha256_text(tokens[25]) << "\n";
  {
    std::vector<std::jthread> all;
    for (int n = 0; n < people; ++n) {
      all.emplace_back([&, n] {
        std::string& token = tokens[static_cast<std::size_t>(n)];
        if (n < 20)
          token = add_user(path, name_of(n));
        else if (n < 25)
          remove_user(path, name_of(n));
        else
          token = renew_user(path, name_of(n));
      });
    }
  }
  const std::vector<ServedUser> users = read_users(path);
  CHECK(users.size() == 25);
  for (int n = 0; n < people; ++n) {
    const auto user = std::ranges::find(users, name_of(n), &ServedUser::name);
    CHECK((user == users.end()) == (n >= 20 && n < 25));
    if (user != users.end()) CHECK(user->token_hash == sha256_text(tokens[static_cast<std::size_t>(n)]));
  }
  CHECK(test::text_of(path).find("# u25 ") != std::string::npos);
  CHECK_THROWS_AS(remove_user(path, "u20"), FormatError);
  CHECK_THROWS_AS(static_cast<void>(renew_user(path, "u20")), FormatError);
  const std::string alone = folder.file("alone");
  static_cast<void>(add_user(alone, "ada"));
  CHECK_THROWS_AS(remove_user(alone, "ada"), FormatError);
  CHECK(read_users(alone).size() == 1);
}

TEST_CASE("metrics count requests by route and status and have upper bounds of their times") {
  RouteMetrics metrics({"GET /", "POST /"});
  for (int n = 0; n < 99; ++n) metrics.count(1, 201, std::chrono::microseconds(100));
  metrics.count(1, 404, std::chrono::seconds(2));
  const std::string text = metrics.text();
  CHECK(text.find("inkling_requests_total{route=\"POST /\",status=\"2xx\"} 99\n") != std::string::npos);
  CHECK(text.find("inkling_requests_total{route=\"POST /\",status=\"4xx\"} 1\n") != std::string::npos);
  CHECK(text.find("GET /") == std::string::npos);
  const std::size_t at = text.find("quantile=\"0.5\"} ");
  REQUIRE(at != std::string::npos);
  const double median = std::stod(text.substr(at + 16));
  CHECK(median >= 100e-6);
  CHECK(median <= 125e-6);
}

}  // namespace
}  // namespace inkling
