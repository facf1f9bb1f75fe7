#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <xxhash.h>

#include "engine/policy/presets.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/doors/serve/api.hpp"
#include "io/doors/serve/gzip_text.hpp"
#include "io/doors/serve/openapi.hpp"
#include "io/doors/serve/page_files.hpp"
#include "io/search/service/request_members.hpp"

namespace inkling {
namespace {

constexpr std::string_view kAssetsPath = "/assets/";

// One name for all files together: a page never mixes files of two versions.
const std::string& version_of_files() {
  static const std::string version = [] {
    std::string all;
    for (const PageFile& file : page_files()) all += fmt::format("{}\n{}{}\n", file.name, file.text.size(), file.text);
    return fmt::format("{:016x}", XXH3_64bits(all.data(), all.size()));
  }();
  return version;
}

std::string_view type_of_file(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "application/octet-stream";
}

const PageFile& file_named(std::string_view name) {
  const auto files = page_files();
  const auto found = std::ranges::find(files, name, &PageFile::name);
  if (found == files.end()) throw HttpRefusal(404, "there is no such file");
  return *found;
}

HttpResponse file_response(const PageFile& file, std::string_view caching) {
  return {200,
          {{"Content-Type", std::string(type_of_file(file.name))}, {"Cache-Control", std::string(caching)}},
          std::string(file.text)};
}

const std::string& packed_text(const PageFile& file) {
  static const std::map<std::string_view, std::string> packed = [] {
    std::map<std::string_view, std::string> all;
    for (const PageFile& one : page_files()) all.emplace(one.name, gzip_text(one.text));
    return all;
  }();
  return packed.at(file.name);
}

// Sends the file compressed if the client accepts that.
HttpResponse asset_response(const RouteCall& call, const std::string& name, std::string_view caching) {
  const PageFile& file = file_named(name);
  HttpResponse response = file_response(file, caching);
  response.headers.push_back({"Vary", "Accept-Encoding"});
  if (accepts_gzip(call.request.header("Accept-Encoding").value_or(""))) {
    response.headers.push_back({"Content-Encoding", "gzip"});
    response.body = packed_text(file);
  }
  return response;
}

constexpr std::string_view kForGood = "public, max-age=31536000, immutable";

// Of two parts, the first one is the version, or the folder of a file without one.
HttpResponse asset_of_two_parts(const RouteCall& call) {
  const std::string& first = call.parts.at("version");
  const std::string& file = call.parts.at("file");
  return first == version_of_files() ? asset_response(call, file, kForGood)
                                     : asset_response(call, first + "/" + file, "no-cache");
}

HttpResponse asset_in_folder(const RouteCall& call) {
  if (call.parts.at("version") != version_of_files()) throw HttpRefusal(404, "there is no such file");
  return asset_response(call, call.parts.at("folder") + "/" + call.parts.at("file"), kForGood);
}

// Its links to /assets/FILE lead to /assets/VERSION/FILE, which a browser may keep for good.
HttpResponse index_page() {
  HttpResponse response = file_response(file_named("index.html"), "no-cache");
  const std::string versioned = fmt::format("{}{}/", kAssetsPath, version_of_files());
  for (std::size_t at = response.body.find(kAssetsPath); at != std::string::npos;
       at = response.body.find(kAssetsPath, at + versioned.size()))
    response.body.replace(at, kAssetsPath.size(), versioned);
  return response;
}

HttpResponse first_page(Access& access, const RouteCall& call) {
  const std::optional<std::string_view> once = call.target.text("once");
  if (!once) return index_page();
  // The token leaves the address, whether it was good or not; without a cookie the page says what to do.
  HttpResponse response = {303, {{"Location", "/"}}, {}};
  if (call.request.method != "GET") return response;
  if (const auto cookie = access.cookie_for_printed(*once, call.request)) response.headers.push_back({"Set-Cookie", *cookie});
  return response;
}

HttpResponse log_in(Access& access, const RouteCall& call) {
  constexpr std::size_t longest = 1'000;
  const RequestMembers body(call.request.body);
  constexpr std::string_view member = "token";
  body.check_only({&member, 1});
  const std::string token = body.text(body.need(member, "a token"), 1, longest);
  const std::optional<std::string> cookie = access.cookie_for(token, call.request);
  if (!cookie) throw HttpRefusal({401, "the token is unknown, or was used already", "token", "a token of this server"});
  return {204, {{"Set-Cookie", *cookie}}, {}};
}

HttpResponse log_out(Access& access, const RouteCall& call) {
  const RequestMembers body(call.request.body);
  constexpr std::string_view member = "everywhere";
  body.check_only({&member, 1});
  const auto* const everywhere = body.find(member);
  const bool ends_all = everywhere != nullptr && body.truth(*everywhere);
  return {
      204, {{"Set-Cookie", ends_all ? access.log_out_everywhere(call.user, call.request) : access.log_out(call.request)}}, {}};
}

HttpResponse about_answer(const ApiParts& parts, const RouteCall& call) {
  JsonWriter json;
  json.begin_object().member("program", "inkling").member("version", parts.version);
  json.member("user", call.user).key("policies").begin_array();
  for (const Preset& preset : presets()) {
    if (!can_search_with(preset)) continue;
    json.begin_object().member("name", preset.name).member("summary", preset.summary).end_object();
  }
  json.end_array().key("users").begin_array();
  for (const std::string& user : parts.access.users()) json.value(user);
  return json_response(200, json.end_array()
                                .member("lets_in", parts.access.tells_users_apart() && call.user == parts.access.owner())
                                .member("default_policy", parts.default_policy)
                                .member("takes_records", bool(parts.bring_records))
                                .end_object()
                                .take());
}

}  // namespace

std::vector<Route> page_routes(ApiParts& parts) {
  return {
      {"GET", "/", RouteAccess::open, RouteBody::none,
       [&parts](const RouteCall& call) { return first_page(parts.access, call); }},
      {"GET", "/assets/{file}", RouteAccess::open, RouteBody::none,
       [](const RouteCall& call) { return asset_response(call, call.parts.at("file"), "no-cache"); }},
      {"GET", "/assets/{version}/{file}", RouteAccess::open, RouteBody::none, asset_of_two_parts},
      {"GET", "/assets/{version}/{folder}/{file}", RouteAccess::open, RouteBody::none, asset_in_folder},
      {"GET", "/healthz", RouteAccess::open, RouteBody::none,
       [](const RouteCall&) { return json_response(200, R"({"status":"ok"})"); }},
      {"GET", "/api/v1/openapi.json", RouteAccess::open, RouteBody::none,
       [](const RouteCall&) { return json_response(200, openapi_text()); }},
      {"POST", "/api/v1/login", RouteAccess::open, RouteBody::json,
       [&parts](const RouteCall& call) { return log_in(parts.access, call); }},
      {"POST", "/api/v1/logout", RouteAccess::users, RouteBody::json,
       [&parts](const RouteCall& call) { return log_out(parts.access, call); }},
      {"GET", "/api/v1/about", RouteAccess::users, RouteBody::none,
       [&parts](const RouteCall& call) { return about_answer(parts, call); }},
  };
}

}  // namespace inkling
