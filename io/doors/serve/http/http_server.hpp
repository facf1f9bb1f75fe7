// Listens, reads requests within limits, has them answered by threads, and writes the answers.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/doors/serve/http/http_message.hpp"

namespace inkling {

/// An address of IPv4 or IPv6 as HttpRequest::peer has it; nothing where the text is none.
[[nodiscard]] std::optional<std::string> address_of_peer(const std::string& text);

struct HttpServerSettings {
  std::vector<std::string> addresses = {"127.0.0.1"};  ///< the first must be there; others where the system has them
  std::uint16_t port = 0;                              ///< 0: any that is free, the same at all addresses
  std::size_t threads = 32;                            ///< that answer; most of their time is waiting for the disk
  /// Beyond, the one that waits for longest makes room, one of a person who is not signed in first; a new one is closed where all
  /// are being answered.
  std::size_t most_connections = 1'024;
  std::size_t most_waiting = 512;  ///< requests that wait for a thread; more are answered by 429
  /// Bytes of files that come in at once. Beyond, one that is too slow to be whole in time makes room, or more get 429.
  std::uint64_t most_large_bodies = std::uint64_t{512} << 20U;
  std::uint32_t most_header_bytes = 16U << 10U;
  std::chrono::milliseconds idle = std::chrono::seconds(30);     ///< between two requests of a connection
  std::chrono::milliseconds request = std::chrono::seconds(10);  ///< from its first byte to its last
  std::function<void()> at_end = [] {};                          ///< called once, when the server begins to end
};

/// Connections, and requests that were answered before any handler saw them.
struct HttpServerCounts {
  std::uint64_t connections = 0;
  std::uint64_t refused_connections = 0;
  std::uint64_t bad_requests = 0;
  std::uint64_t busy = 0;  ///< answered by 429
};

/// One thread reads and writes, others answer. Requests of one connection are answered one after the other.
class HttpServer {
 public:
  /// Must not throw. Called by many threads at once.
  using Answer = std::function<HttpResponse(const HttpRequest&)>;
  /// What is admitted, decided from the request's header. Must not throw.
  using Admit = std::function<HttpAdmission(const HttpRequest&)>;

  /// Opens the addresses. Throws SystemError.
  HttpServer(HttpServerSettings settings, Answer answer, Admit admit);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::uint16_t port() const noexcept;

  /// Runs until SIGINT, SIGTERM or `stop`; then requests that were read are answered, for at most `request`.
  void run();
  /// Thread safety: any thread.
  void stop();

  /// Thread safety: any thread.
  [[nodiscard]] HttpServerCounts counts() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace inkling
