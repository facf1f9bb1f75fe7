#include "io/doors/serve/http/http_message.hpp"

#include <algorithm>

#include "io/base/file/json_writer.hpp"

namespace inkling {
namespace {

char small_letter(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

}  // namespace

bool same_but_for_case(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, small_letter, small_letter);
}

std::optional<std::string_view> HttpRequest::header(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const HttpHeader& header : headers) {
    if (!same_but_for_case(header.name, name)) continue;
    if (found) return std::nullopt;
    found = header.value;
  }
  return found;
}

std::size_t HttpRequest::count_of_header(std::string_view name) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(headers, [name](const HttpHeader& header) { return same_but_for_case(header.name, name); }));
}

std::string_view title_of_status(int status) {
  switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 204: return "No Content";
    case 303: return "See Other";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 413: return "Payload Too Large";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Entity";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    default: return "Internal Server Error";
  }
}

HttpResponse json_response(int status, std::string json) {
  return {status, {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}}, std::move(json)};
}

HttpResponse response_of(const Refusal& refusal) {
  JsonWriter json;
  json.begin_object().member("type", "about:blank").member("title", title_of_status(refusal.status));
  json.member("status", refusal.status).member("detail", refusal.detail);
  if (!refusal.where.empty()) json.member("where", refusal.where);
  if (!refusal.expected.empty()) json.member("expected", refusal.expected);
  if (refusal.sequence) json.member("sequence", *refusal.sequence);
  HttpResponse response = json_response(refusal.status, json.end_object().take());
  response.headers.front().value = "application/problem+json";
  if (refusal.status == 429) response.headers.push_back({"Retry-After", "1"});
  if (refusal.status == 401) response.headers.push_back({"WWW-Authenticate", "Bearer"});
  return response;
}

}  // namespace inkling
