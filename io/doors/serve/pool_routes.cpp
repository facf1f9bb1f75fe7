#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "io/base/file/json_writer.hpp"
#include "io/doors/serve/api.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kMostLines = 1'000;
constexpr std::int64_t kLinesUnlessSaid = 20;
constexpr std::size_t kMostWordsAsked = 100;

std::size_t limit_of(const RouteCall& call) {
  return static_cast<std::size_t>(call.target.number("limit", 1, kMostLines, kLinesUnlessSaid));
}

HttpResponse pool_list(const ApiParts& parts) {
  JsonWriter json;
  json.begin_object().key("pools").begin_array();
  for (const ServedPool* const pool : parts.pools.all()) pool->write_facts(json);
  return json_response(200, json.end_array().end_object().take());
}

// The name becomes that of a file.
std::string name_of_records(const RouteCall& call) {
  constexpr std::size_t longest = 200;
  const std::string_view name = call.target.text("name").value_or(std::string_view());
  const bool is_plain =
      !name.empty() && name.size() <= longest && !name.starts_with('.') &&
      std::ranges::none_of(name, [](char letter) {
        return letter == '/' || static_cast<unsigned char>(letter) < ' ' || letter == '\x7F';
      });
  if (is_plain) return std::string(name);
  throw HttpRefusal(
      {422, "the name cannot be that of a file", "name", "1 to 200 bytes, no slash, no dot in front"});
}

HttpResponse bring_pool(ApiParts& parts, const RouteCall& call) {
  if (!parts.bring_records)
    throw HttpRefusal(403, "the pools of this server come from whoever runs it: inkling serve FILE...");
  const std::string path = parts.bring_records(name_of_records(call), call.request.body);
  JsonWriter json;
  parts.pools.add(path, PoolTrust::structure).write_facts(json);
  return json_response(201, json.take());
}

HttpResponse one_pool(const ServedPool& pool) {
  JsonWriter json;
  pool.write_facts(json);
  return json_response(200, json.take());
}

HttpResponse one_document(const ServedPool& pool, const RouteCall& call) {
  JsonWriter json;
  pool.shown().write_document(json, pool.document_of(call.parts.at("document")));
  return json_response(200, json.take());
}

HttpResponse words_of_prefix(const ServedPool& pool, const RouteCall& call) {
  const std::string_view prefix = call.target.text("prefix").value_or(std::string_view());
  JsonWriter json;
  json.begin_object().key("words").begin_array();
  for (const FeatureId feature : pool.words_with_prefix(prefix, limit_of(call)))
    pool.shown().write_word(json, feature);
  return json_response(200, json.end_array().end_object().take());
}

// Between commas a word may be a phrase; where it is none, its words count one by one.
struct AskedWords {
  std::vector<FeatureId> known;
  std::vector<std::string> unknown;

  void add(std::string_view written, const ServedPool& pool) {
    const auto& feature_of = pool.scope().feature_of;
    const std::optional<FeatureId> feature = feature_of ? feature_of(written) : std::nullopt;
    if (!feature) {
      unknown.emplace_back(written);
    } else if (std::ranges::find(known, *feature) == known.end()) {
      known.push_back(*feature);
    }
  }
};

std::vector<std::string_view> parts_between(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (part.find_first_not_of(' ') != std::string_view::npos) parts.push_back(part);
  }
  return parts;
}

AskedWords asked_words(std::string_view written, const ServedPool& pool) {
  AskedWords asked;
  for (const std::string_view part : parts_between(written, ',')) {
    const bool is_phrase = pool.scope().feature_of && pool.scope().feature_of(part);
    if (is_phrase) {
      asked.add(part, pool);
      continue;
    }
    for (const std::string_view word : parts_between(part, ' ')) asked.add(word, pool);
  }
  return asked;
}

HttpResponse documents_of_words(const ServedPool& pool, const RouteCall& call) {
  const std::optional<std::string_view> written = call.target.text("words");
  if (!written)
    throw HttpRefusal({422, "the address lacks words", "words", "words between commas or spaces"});
  const AskedWords asked = asked_words(*written, pool);
  if (asked.known.size() + asked.unknown.size() > kMostWordsAsked)
    throw HttpRefusal({422, "there are too many words", "words", "at most 100"});
  JsonWriter json;
  json.begin_object().key("documents").begin_array();
  for (const ServedPool::Hit& hit : pool.documents_with_words(asked.known, limit_of(call))) {
    json.begin_object();
    pool.shown().write_line_members(json, hit.document);
    json.key("words").begin_array();
    for (const FeatureId feature : hit.words) json.value(pool.shown().word(feature));
    json.end_array().end_object();
  }
  json.end_array().key("unknown").begin_array();
  for (const std::string& word : asked.unknown) json.value(word);
  return json_response(200, json.end_array().end_object().take());
}

Route pool_route(ApiParts& parts, std::string pattern,
                 HttpResponse (*handler)(const ServedPool&, const RouteCall&)) {
  return {"GET", std::move(pattern), RouteAccess::users, RouteBody::none,
          [&parts, handler](const RouteCall& call) {
            return handler(pool_named(parts, call.parts.at("pool")), call);
          }};
}

}  // namespace

std::vector<Route> pool_routes(ApiParts& parts) {
  return {
      {"GET", "/api/v1/pools", RouteAccess::users, RouteBody::none,
       [&parts](const RouteCall&) { return pool_list(parts); }},
      {"POST", "/api/v1/pools", RouteAccess::users, RouteBody::file,
       [&parts](const RouteCall& call) { return bring_pool(parts, call); }},
      pool_route(parts, "/api/v1/pools/{pool}",
                 [](const ServedPool& pool, const RouteCall&) { return one_pool(pool); }),
      pool_route(parts, "/api/v1/pools/{pool}/documents/{document}", one_document),
      pool_route(parts, "/api/v1/pools/{pool}/words", words_of_prefix),
      pool_route(parts, "/api/v1/pools/{pool}/search", documents_of_words),
  };
}

}  // namespace inkling
