// A request and its answer, whatever carries them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inkling {

struct HttpHeader {
  std::string name;
  std::string value;
};

struct HttpRequest {
  std::string method;  ///< "GET"; as it came, so perhaps none that is known
  std::string target;  ///< "/api/v1/pools?limit=3", as it came
  std::vector<HttpHeader> headers = {};
  std::string body = {};
  std::string peer = {};  ///< the address that the connection comes from, as `address_of_peer` writes it

  /// The only header of this name, in capitals or not; nothing where there is none or more than one.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
  [[nodiscard]] std::size_t count_of_header(std::string_view name) const;
};

/// The largest body of a request, and whether its user is known, decided from its header.
struct HttpAdmission {
  std::uint64_t most_body_bytes = 0;
  bool is_known = false;  ///< whether the person is signed in
};

struct HttpResponse {
  int status = 200;
  std::vector<HttpHeader> headers = {};
  std::string body = {};
};

/// The words that belong to a status: "Not Found".
[[nodiscard]] std::string_view title_of_status(int status);

/// Why a request is refused. `where` and `expected` say which part of it, and what was expected there, if that is known.
struct Refusal {
  int status = 500;
  std::string detail;  ///< one sentence for people
  std::string where = {};
  std::string expected = {};
  std::optional<long long> sequence = {};  ///< 409: the number of the search's last event
};

/// Thrown to refuse a request.
class HttpRefusal : public std::runtime_error {
 public:
  explicit HttpRefusal(Refusal refusal) : std::runtime_error(refusal.detail), refusal_(std::move(refusal)) {}
  HttpRefusal(int status, std::string detail) : HttpRefusal(Refusal{status, std::move(detail)}) {}

  [[nodiscard]] const Refusal& refusal() const noexcept { return refusal_; }

 private:
  Refusal refusal_;
};

/// The refusal as application/problem+json (RFC 9457).
[[nodiscard]] HttpResponse response_of(const Refusal& refusal);

/// Requires: `json` is a JSON text.
[[nodiscard]] HttpResponse json_response(int status, std::string json);

/// Whether two names of headers, or two hosts, are the same but for capitals of ASCII.
[[nodiscard]] bool same_but_for_case(std::string_view one, std::string_view other);

}  // namespace inkling
