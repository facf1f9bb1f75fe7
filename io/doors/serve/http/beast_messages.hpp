// Between what Boost.Beast reads and writes and the requests and refusals of this program.
#pragma once

#include <optional>
#include <string>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http.hpp>

#include "io/doors/serve/http/http_message.hpp"

namespace inkling {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

// The answer to a request that the parser refuses; nothing if the connection is gone.
[[nodiscard]] inline std::optional<Refusal> refusal_of(const error_code& error) {
  if (error == http::error::header_limit) return Refusal{431, "the header is longer than 16 KiB", "the header", "at most 16 KiB"};
  if (error == http::error::body_limit)
    return Refusal{413, "the body is longer than it may be", "the body", "at most 64 KiB; 64 MiB for import"};
  if (error == http::error::buffer_overflow)
    return Refusal{431, "a line before a chunk, or what follows the last one, is too long", "the body", "at most 64 KiB"};
  if (error == beast::error::timeout) return Refusal{408, "the request did not come in time"};
  if (error == http::error::bad_version) return Refusal{400, "expected HTTP/1.1 or HTTP/1.0"};
  if (error.category() == http::make_error_code(http::error::bad_method).category() && error != http::error::end_of_stream &&
      error != http::error::partial_message)
    return Refusal{400, "this is no request of HTTP/1.1: " + error.message()};
  return std::nullopt;  // whoever asked has gone
}

// Empty where the connection is gone already.
[[nodiscard]] inline std::string peer_of(const Tcp::socket& socket) {
  error_code error;
  const Tcp::endpoint peer = socket.remote_endpoint(error);
  return error ? std::string() : peer.address().to_string();
}

[[nodiscard]] inline HttpRequest request_of(const http::request<http::string_body>& message, const std::string& peer) {
  HttpRequest request = {.method = std::string(message.method_string()), .target = std::string(message.target()), .peer = peer};
  for (const auto& field : message) request.headers.push_back({std::string(field.name_string()), std::string(field.value())});
  return request;
}

[[nodiscard]] inline bool expects_continue(const HttpRequest& header) {
  const auto expectation = header.header("Expect");
  return expectation && same_but_for_case(*expectation, "100-continue");
}

// Only `chunked` is supported; accepting another coding would allow request smuggling.
[[nodiscard]] inline bool has_unknown_coding(const HttpRequest& header) {
  const auto coding = header.header("Transfer-Encoding");
  return coding && (header.count_of_header("Transfer-Encoding") > 1 || !same_but_for_case(*coding, "chunked"));
}

}  // namespace inkling
