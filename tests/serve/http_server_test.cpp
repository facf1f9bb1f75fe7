// The server with sockets: how many requests may wait, how long a connection may be silent, and how it ends.
#include "io/doors/serve/http/http_server.hpp"

#include <chrono>
#include <cstdint>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

using std::chrono::milliseconds;

// A connection to this computer that ends with the object.
class PlainSocket {
 public:
  explicit PlainSocket(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    struct sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<struct sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot connect");
  }
  ~PlainSocket() { close(socket_); }
  PlainSocket(const PlainSocket&) = delete;
  PlainSocket& operator=(const PlainSocket&) = delete;
  PlainSocket(PlainSocket&&) = delete;
  PlainSocket& operator=(PlainSocket&&) = delete;

  [[nodiscard]] bool try_to_say(std::string_view text) const {
    return send(socket_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  void say(std::string_view text) const { REQUIRE(try_to_say(text)); }
  /// Reads until `end`, or the end of the connection.
  [[nodiscard]] std::string hear(std::string_view end = "\r\n\r\n") const {
    std::string heard;
    while (heard.find(end) == std::string::npos) {
      char bytes[4'096];
      const ssize_t count = recv(socket_, bytes, sizeof bytes, 0);
      if (count <= 0) break;
      heard.append(bytes, static_cast<std::size_t>(count));
    }
    return heard;
  }

 private:
  int socket_;
};

constexpr std::string_view kPlainRequest = "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::string first_line(const std::string& answer) { return answer.substr(0, answer.find('\r')); }

// Whoever says so is signed in.
HttpAdmission admits_ten_bytes(const HttpRequest& request) {
  return {.most_body_bytes = request.target == "/large" ? std::uint64_t{4} << 20U : 10,
          .is_known = request.header("Known").has_value()};
}

// A server in its own thread, which ends with the object.
struct RunningServer {
  explicit RunningServer(HttpServerSettings settings, HttpServer::Answer answer)
      : server(std::move(settings), std::move(answer), admits_ten_bytes), thread([this] { server.run(); }) {}
  ~RunningServer() {
    server.stop();
    thread.join();
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  RunningServer(RunningServer&&) = delete;
  RunningServer& operator=(RunningServer&&) = delete;

  HttpServer server;
  std::thread thread;
};

HttpResponse echo(const HttpRequest& request) {
  return {200, {{"Content-Type", "text/plain"}}, request.method + " " + request.target + " " + request.body};
}

TEST_CASE("requests beyond the limit of waiting ones get 429 and those that wait are answered") {
  std::latch first_runs(1);
  std::latch may_go_on(1);
  RunningServer running({.threads = 1, .most_waiting = 2}, [&](const HttpRequest& request) {
    if (request.target == "/first") first_runs.count_down();
    may_go_on.wait();
    return echo(request);
  });
  const PlainSocket first(running.server.port());
  first.say("GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n");
  first_runs.wait();  // the only thread runs the first request
  std::vector<std::unique_ptr<PlainSocket>> more;
  int refused = 0;
  for (int n = 0; n < 5; ++n) {
    more.push_back(std::make_unique<PlainSocket>(running.server.port()));
    more.back()->say(kPlainRequest);
  }
  while (running.server.counts().busy < 3) std::this_thread::sleep_for(milliseconds(1));
  may_go_on.count_down();
  CHECK(first_line(first.hear()) == "HTTP/1.1 200 OK");
  for (const auto& one : more) {
    const std::string answer = one->hear();
    const bool is_refused = first_line(answer) == "HTTP/1.1 429 Too Many Requests";
    refused += is_refused ? 1 : 0;
    CHECK((is_refused || first_line(answer) == "HTTP/1.1 200 OK"));
    if (is_refused) CHECK(answer.find("Retry-After: 1") != std::string::npos);
  }
  CHECK(refused == 3);
}

TEST_CASE("a connection with no request or half of one is ended in time") {
  const RunningServer running({.idle = milliseconds(50), .request = milliseconds(100)}, echo);
  const PlainSocket silent(running.server.port());
  CHECK(silent.hear().empty());
  const PlainSocket half(running.server.port());
  half.say("GET /x HTTP/1.1\r\nHost:");
  CHECK(half.hear().find("200") == std::string::npos);
  const PlainSocket whole(running.server.port());
  whole.say(kPlainRequest);
  CHECK(first_line(whole.hear()) == "HTTP/1.1 200 OK");
}

TEST_CASE("idle connections make room for new ones and the longest idle ends first") {
  const RunningServer running({.most_connections = 2}, echo);
  const PlainSocket silent(running.server.port());
  std::this_thread::sleep_for(milliseconds(5));
  const PlainSocket half(running.server.port());
  half.say("GET /x HTTP/1.1\r\nHost:");
  std::this_thread::sleep_for(milliseconds(5));
  for (int n = 0; n < 50; ++n) {
    const PlainSocket person(running.server.port());
    person.say(kPlainRequest);
    REQUIRE(first_line(person.hear("GET /x ")) == "HTTP/1.1 200 OK");
  }
  CHECK(silent.hear().empty());
  CHECK(half.hear().empty());
  CHECK(running.server.counts().refused_connections == 0);
}

TEST_CASE("a new connection is closed if all others have pending requests") {
  std::latch runs(2);
  std::latch may_go_on(1);
  const RunningServer running({.threads = 2, .most_connections = 2}, [&](const HttpRequest& request) {
    runs.count_down();
    may_go_on.wait();
    return echo(request);
  });
  const PlainSocket first(running.server.port());
  first.say(kPlainRequest);
  const PlainSocket second(running.server.port());
  second.say(kPlainRequest);
  runs.wait();
  const PlainSocket third(running.server.port());
  CHECK(third.hear().empty());
  may_go_on.count_down();
  CHECK(first_line(first.hear()) == "HTTP/1.1 200 OK");
  CHECK(first_line(second.hear()) == "HTTP/1.1 200 OK");
  CHECK(running.server.counts().refused_connections == 1);
}

TEST_CASE("a body in any transfer encoding other than chunks is refused and not read as a request") {
  for (const std::string coding : {"identity", "chunked, chunked", "gzip", "chunked\r\nTransfer-Encoding: chunked"}) {
    CAPTURE(coding);
    const RunningServer running({}, echo);
    const PlainSocket one(running.server.port());
    one.say("POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: " + coding +
            "\r\n\r\nGET /next HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const std::string heard = one.hear("nothing of this");
    CHECK(first_line(heard) == "HTTP/1.1 400 Bad Request");
    CHECK(heard.find("/next") == std::string::npos);
  }
}

TEST_CASE("a refusal after HEAD has the body that its length says") {
  const RunningServer running({}, echo);
  const PlainSocket one(running.server.port());
  one.say("HEAD /x HTTP/1.1\r\nHost: localhost\r\n\r\n");
  CHECK(first_line(one.hear()) == "HTTP/1.1 200 OK");
  one.say("no request\r\n\r\n");
  const std::string heard = one.hear("nothing of this");
  CHECK(first_line(heard) == "HTTP/1.1 400 Bad Request");
  CHECK_FALSE(heard.ends_with("\r\n\r\n"));
}

TEST_CASE("requests on a connection are answered in order whether they come at once or in pieces") {
  const RunningServer running({}, echo);
  const PlainSocket one(running.server.port());
  std::string all;
  std::string expected_end;
  for (int n = 0; n < 20; ++n) {
    all += "POST /" + std::to_string(n) + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab";
    expected_end = "POST /" + std::to_string(n) + " ab";
  }
  one.say(all.substr(0, 333));
  std::this_thread::sleep_for(milliseconds(5));
  one.say(all.substr(333));
  const std::string heard = one.hear(expected_end);
  std::size_t at = 0;
  for (int n = 0; n < 20; ++n) {
    at = heard.find("POST /" + std::to_string(n) + " ab", at);
    REQUIRE(at != std::string::npos);
  }
}

// Sends this text again and again until the server has had enough; returns how many bytes that were.
std::size_t bytes_until_refused(const PlainSocket& socket, const std::string& text) {
  std::size_t sent = 0;
  constexpr std::size_t most = std::size_t{32} << 20U;
  while (sent < most && socket.try_to_say(text)) sent += text.size();
  return sent;
}

TEST_CASE("nothing of a request may be without end") {
  const std::string begin = "POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2";
  std::string trailers;
  for (int n = 0; n < 2000; ++n) trailers += "X" + std::to_string(n) + ": y\r\n";
  const std::vector<std::pair<std::string, std::string>> endless = {
      {begin + ";", std::string(20'000, 'a')}, {begin + "\r\n{}\r\n0\r\nX: ", std::string(20'000, 'y')},
      {begin + "\r\n{}\r\n0\r\n", trailers},   {begin + "\r\n{}\r\n", "1\r\na\r\n"},
      {"GET /", std::string(20'000, 'x')},     {"GET / HTTP/1.1\r\nX: ", std::string(20'000, 'x')},
      {"GET / HTTP/1.1\r\n", trailers},
  };
  for (const auto& [first, text] : endless) {
    CAPTURE(first);
    const RunningServer running({}, echo);
    const PlainSocket one(running.server.port());
    one.say(first);
    CHECK(bytes_until_refused(one, text) < std::size_t{16} << 20U);
    const PlainSocket other(running.server.port());
    other.say(kPlainRequest);
    CHECK(first_line(other.hear()) == "HTTP/1.1 200 OK");
    CHECK(running.server.counts().bad_requests == 1);
  }
}

TEST_CASE("what follows the last chunk is no header of the request") {
  const RunningServer running({}, [](const HttpRequest& request) {
    return HttpResponse{200, {}, request.header("Authorization") ? "known" : "unknown"};
  });
  const PlainSocket one(running.server.port());
  one.say(
      "POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n2\r\nab\r\n0\r\n"
      "Authorization: Bearer x\r\n\r\n");
  CHECK(one.hear("known").ends_with("unknown"));
}

TEST_CASE("connections that stop within a request make room and people who are signed in keep their places") {
  const RunningServer running({.most_connections = 3}, echo);
  const PlainSocket person(running.server.port());
  person.say("GET /x HTTP/1.1\r\nHost: localhost\r\nKnown: yes\r\n\r\n");
  REQUIRE(first_line(person.hear("GET /x ")) == "HTTP/1.1 200 OK");
  std::vector<std::unique_ptr<PlainSocket>> stalled;
  for (int n = 0; n < 50; ++n) {
    stalled.push_back(std::make_unique<PlainSocket>(running.server.port()));
    stalled.back()->say(n % 2 == 0 ? "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\na"
                                   : "POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2;a");
    std::this_thread::sleep_for(milliseconds(1));
  }
  person.say("GET /again HTTP/1.1\r\nHost: localhost\r\nKnown: yes\r\n\r\n");
  CHECK(first_line(person.hear("GET /again ")) == "HTTP/1.1 200 OK");
  const PlainSocket other(running.server.port());
  other.say(kPlainRequest);
  CHECK(first_line(other.hear()) == "HTTP/1.1 200 OK");
  CHECK(running.server.counts().refused_connections == 0);
}

TEST_CASE("large bodies that come in at once share a limit, which an answered one gives back") {
  const RunningServer running({.most_large_bodies = std::uint64_t{5} << 20U}, echo);
  const std::string size = std::to_string(3U << 20U);
  const std::string begin = "POST /large HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + size + "\r\n\r\n";
  const PlainSocket first(running.server.port());
  first.say(begin);
  const PlainSocket second(running.server.port());
  while (running.server.counts().connections < 2) std::this_thread::sleep_for(milliseconds(1));
  std::this_thread::sleep_for(milliseconds(20));
  second.say(begin);
  CHECK(first_line(second.hear()) == "HTTP/1.1 429 Too Many Requests");
  first.say(std::string(3U << 20U, 'x'));
  CHECK(first_line(first.hear()) == "HTTP/1.1 200 OK");
  for (int n = 0; n < 3; ++n) {
    {
      const PlainSocket left(running.server.port());
      left.say(begin + "xx");
    }
    std::this_thread::sleep_for(milliseconds(20));
    const PlainSocket third(running.server.port());
    third.say(begin + std::string(3U << 20U, 'x'));
    CHECK(first_line(third.hear()) == "HTTP/1.1 200 OK");
  }
}

TEST_CASE("a large body that is too slow to be whole in time makes room for another one, and a quick one does not") {
  const RunningServer running({.most_large_bodies = std::uint64_t{5} << 20U, .request = std::chrono::seconds(1)}, echo);
  const std::string begin = "POST /large HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3145728\r\n\r\n";
  const PlainSocket slow(running.server.port());
  slow.say(begin + "xx");
  std::this_thread::sleep_for(milliseconds(1'100));
  const PlainSocket quick(running.server.port());
  quick.say(begin + std::string(2U << 20U, 'x'));
  CHECK(slow.hear() == "");
  std::this_thread::sleep_for(milliseconds(1'100));
  const PlainSocket other(running.server.port());
  other.say(begin);
  CHECK(first_line(other.hear()) == "HTTP/1.1 429 Too Many Requests");
  quick.say(std::string(1U << 20U, 'x'));
  CHECK(first_line(quick.hear()) == "HTTP/1.1 200 OK");
}

TEST_CASE("a body that is too long is refused before it is read and HEAD has no body") {
  const RunningServer running({}, echo);
  const PlainSocket large(running.server.port());
  large.say("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n");
  CHECK(first_line(large.hear()) == "HTTP/1.1 413 Payload Too Large");
  const PlainSocket chunks(running.server.port());
  chunks.say("POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n");
  CHECK(first_line(chunks.hear()) == "HTTP/1.1 413 Payload Too Large");
  const PlainSocket head(running.server.port());
  head.say("HEAD /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const std::string answer = head.hear("nothing of this");
  CHECK(answer.find("Content-Length: 8\r\n") != std::string::npos);
  CHECK(answer.ends_with("\r\n\r\n"));
}

TEST_CASE("a server that is told to end answers all requests that it has read and frees its port") {
  std::latch runs(1);
  std::uint16_t port = 0;
  std::string answer;
  {
    RunningServer running({.threads = 2}, [&](const HttpRequest& request) {
      runs.count_down();
      std::this_thread::sleep_for(milliseconds(50));
      return echo(request);
    });
    port = running.server.port();
    const PlainSocket one(port);
    one.say(kPlainRequest);
    runs.wait();
    running.server.stop();
    answer = one.hear("GET /x ");
    CHECK(answer.find("Connection: close") != std::string::npos);
  }
  CHECK(first_line(answer) == "HTTP/1.1 200 OK");
  const HttpServer again({.port = port}, echo, admits_ten_bytes);
  CHECK(again.port() == port);
  CHECK_THROWS_AS(HttpServer({.port = port}, echo, admits_ten_bytes), SystemError);
}

}  // namespace
}  // namespace inkling
