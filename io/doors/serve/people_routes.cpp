// Several people: searches that are shared, and two who read the same documents without seeing each other.
#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/random_stream.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/serve/api.hpp"
#include "io/doors/serve/pairs.hpp"
#include "io/doors/serve/session_answers.hpp"
#include "io/search/service/request_members.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kMostOfSet = 20'000;
constexpr std::size_t kLongestUserName = 200;

// Names of the file of users, each once, none of them `but`.
std::vector<std::string> names_in(const RequestMembers& body, const RequestMembers::Member& member, const Access& access,
                                  std::string_view but) {
  if (json_kind(member.value.text) != JsonKind::array) body.refuse(member.name, member.value, "an array of names");
  std::vector<std::string> names;
  for (JsonPieces pieces(member.value); pieces.has_next();) {
    const JsonPiece piece = pieces.next_element();
    const std::string name = json_kind(piece.text) == JsonKind::string ? string_of_json(piece.text) : "";
    const bool is_new = name != but && std::ranges::find(names, name) == names.end();
    if (!access.knows(name) || !is_new)
      body.refuse(member.name, piece, "names of other users, each once, as GET /api/v1/about has them");
    names.push_back(name);
  }
  return names;
}

// Requires: the search is leased by this user.
void check_owner(const ApiParts& parts, const ServedSearch& search, const std::string& user) {
  if (!parts.access.tells_users_apart())
    throw HttpRefusal({409, "this server has no other users: start it with --users", "session", "users"});
  if (search.facts().owner != user) {
    throw HttpRefusal(403,
                      fmt::format("only {}, who began this search, says who reads with them", quoted_text(search.facts().owner)));
  }
  if (search.reading())
    throw HttpRefusal(
        {409, "this search is one of two people who do not see each other", "session", "a search of all documents"});
}

HttpResponse share(const ApiParts& parts, const RouteCall& call) {
  const SearchLease search = parts.sessions.open(call.parts.at("session"), call.user);
  const RequestMembers body(call.request.body);
  constexpr std::array<std::string_view, 1> members = {"with"};
  body.check_only(members);
  check_owner(parts, *search, call.user);
  SearchAim aim = search->history().aim();
  aim.shared = names_in(body, body.need("with", "an array of names"), parts.access, call.user);
  if (aim.shared != search->history().aim().shared) {
    static_cast<void>(search->searcher().aim(aim));
    parts.sessions.share(search, aim.shared);
  }
  return search_response(200, session_answer(*search), *search);
}

// So many documents that are not rated, that nobody has on offer and no other pair has: the best ones, or any.
std::vector<DocumentId> drawn_documents(ServedSearch& search, std::int64_t count, bool at_random) {
  const Pool& pool = search.pool().pool();
  const auto is_taken = [&](DocumentId document) {
    return search.history().is_withheld(document) || search.searcher().is_on_offer(document);
  };
  const auto most = static_cast<std::size_t>(count);
  std::vector<DocumentId> documents;
  const auto is_copy = [&](DocumentId document) { return pool.copies().original_of(document) != document; };  // no pair separates
  if (!at_random) {
    for (const Ranked& one : search.searcher().ranking(static_cast<std::size_t>(pool.view().documents())))
      if (documents.size() < most && !is_taken(one.document) && !is_copy(one.document)) documents.push_back(one.document);
    return documents;
  }
  for (DocumentId document = 0; document < pool.view().documents(); ++document)
    if (!search.history().is_rated(document) && !is_copy(document) && !is_taken(document)) documents.push_back(document);
  RandomStream random(search.facts().seed, static_cast<std::uint64_t>(milliseconds_now()), RandomRole::documents);
  const std::size_t wanted = std::min(documents.size(), most);
  for (std::size_t n = 0; n < wanted; ++n) std::swap(documents[n], documents[n + random.below(documents.size() - n)]);
  documents.resize(wanted);
  return documents;
}

// Who decides by default: the owner, or somebody of the search, who is not one of the two.
std::string third_person(const ServedSearch& search, const std::vector<std::string>& readers) {
  std::vector<std::string> people = search.history().aim().shared;
  people.insert(people.begin(), search.facts().owner);
  const auto third =
      std::ranges::find_if(people, [&](const auto& name) { return std::ranges::find(readers, name) == readers.end(); });
  return third == people.end() ? search.facts().owner : *third;
}

std::vector<SearchEvent> first_events_of_set(const ServedSearch& search, std::int64_t at_ms) {
  const SearchAim& whole = search.history().aim();
  const SearchAim aim = {.question = whole.question, .reasons = whole.reasons, .coloured = whole.coloured};
  if (aim == SearchAim{}) return {};
  return {{.sequence = 1, .at_ms = at_ms, .kind = SearchEventKind::aimed, .aim = aim}};
}

void write_pair_facts(JsonWriter& json, const SeenPair& pair, const std::string& user) {
  json.member("pair", pair.set.pair).member("name", pair.name);
  json.key("readers").array(pair.set.readers);
  json.member("drawn_by", pair.set.drawn_by).member("decider", pair.set.decider);
  json.member("documents", std::ssize(pair.set.documents)).member("grows", pair.set.grows).key("session");
  const auto own = std::ranges::find(pair.set.readers, user);
  if (own == pair.set.readers.end())
    json.null();
  else
    json.value(pair.searches[static_cast<std::size_t>(own - pair.set.readers.begin())]);
  const bool may_see = pair.decision && user == pair.set.decider;
  json.member("decisions", may_see ? std::optional(pair.decision->id) : std::nullopt);
}

void write_conflicts(JsonWriter& json, const ShownPool& pool, const ComparedWork& compared) {
  json.begin_array();
  for (const DocumentId document : compared.conflicts()) {
    json.begin_object();
    pool.write_line_members(json, document);
    json.key("ratings").begin_array();
    for (const std::size_t n : {0U, 1U}) json.value(compared.said_by(n, document).rating);
    json.end_array().key("notes").begin_array();
    for (const std::size_t n : {0U, 1U}) json.value(compared.said_by(n, document).note);
    json.end_array().key("tags").begin_array();
    for (const std::size_t n : {0U, 1U}) json.array(compared.said_by(n, document).tags);
    json.end_array().member("decision", compared.decision(document)).end_object();
  }
  json.end_array();
}

const ShownPool& pool_of_pair(const ApiParts& parts, const SeenPair& pair) {
  return parts.sessions.open(pair.searches[0], pair.set.readers[0])->pool().shown();
}

HttpResponse pair_answer(const ApiParts& parts, const SeenPair& pair, const std::string& user, int status) {
  const PairState state = state_of(parts, pair);
  JsonWriter json;
  json.begin_object();
  write_pair_facts(json, pair, user);
  json.key("left").begin_array();
  for (const std::size_t n : {0U, 1U})
    if (state.is_closed || !pair.is_reader(user) || pair.set.readers[n] == user)
      json.value(state.left[n]);
    else
      json.null();
  json.end_array().member("closed", state.is_closed).key("agreement");
  if (!state.compared) return json_response(status, json.null().key("conflicts").begin_array().end_array().end_object().take());
  json.begin_object();
  state.compared->write_agreement(json);
  json.end_object();
  write_conflicts(json.key("conflicts"), pool_of_pair(parts, pair), *state.compared);
  return json_response(status, json.end_object().take());
}

HttpResponse draw_pair(const ApiParts& parts, const RouteCall& call) {
  std::string pair;
  {
    const SearchLease search = parts.sessions.open(call.parts.at("session"), call.user);
    const RequestMembers body(call.request.body);
    constexpr std::array<std::string_view, 5> members = {"readers", "decider", "count", "at_random", "all"};
    body.check_only(members);
    check_owner(parts, *search, call.user);
    ReadingSet set;
    const auto& readers = body.need("readers", "an array of two names");
    set.readers = names_in(body, readers, parts.access, {});
    if (set.readers.size() != 2) body.refuse("readers", readers.value, "two names");
    const auto* const decider = body.find("decider");
    set.from = search->facts().id;
    set.drawn_by = call.user;
    set.decider = decider == nullptr ? third_person(*search, set.readers) : body.text(*decider, 1, kLongestUserName);
    if (decider != nullptr && !parts.access.knows(set.decider)) body.refuse("decider", decider->value, "the name of a user");
    const auto* const all = body.find("all");
    set.grows = all != nullptr && body.truth(*all);
    if (is_read_by_two(parts, *search))
      throw HttpRefusal(
          {409, "two read all documents of this search already", "session", "a search without such a pair", search->last()});
    if (!set.grows) {
      const std::int64_t count = body.whole(body.need("count", "how many documents"), 1, kMostOfSet);
      const auto* const at_random = body.find("at_random");
      set.documents = drawn_documents(*search, count, at_random != nullptr && body.truth(*at_random));
    }
    if (!set.grows && set.documents.empty())
      throw HttpRefusal({409, "every document is rated, on offer or with a pair", "session", "a search with documents to read",
                         search->last()});
    set.pair = new_token().substr(0, 16);
    std::vector<SessionFacts> searches;
    for (const std::string& reader : set.readers) {
      searches.push_back(search->facts());
      searches.back().owner = reader;
      searches.back().name += fmt::format(" · {} with {}", reader, set.readers[reader == set.readers[0] ? 1 : 0]);
      searches.back().options = options_with(search->facts().options, set);
      searches.back().created_ms = milliseconds_now();
    }
    const std::vector<SearchEvent> first = first_events_of_set(*search, searches.back().created_ms);
    if (!set.grows)
      static_cast<void>(
          search->searcher().withhold(set.documents));  // first: what a draw leaves that is cut off is released later
    static_cast<void>(parts.sessions.begin_together(std::move(searches), first, call.user));
    pair = set.pair;
  }
  return pair_answer(parts, pair_seen_by(parts, pair, call.user), call.user, 201);
}

HttpResponse pair_list(const ApiParts& parts, const RouteCall& call) {
  std::vector<std::string> pairs;
  for (const SessionTable::PairedSearch& one : parts.sessions.paired(call.user))
    if (std::ranges::find(pairs, one.reading->pair) == pairs.end()) pairs.push_back(one.reading->pair);
  JsonWriter json;
  json.begin_object().key("pairs").begin_array();
  for (const std::string& pair : pairs | std::views::reverse) {
    json.begin_object();
    write_pair_facts(json, pair_seen_by(parts, pair, call.user), call.user);
    json.end_object();
  }
  return json_response(200, json.end_array().end_object().take());
}

[[noreturn]] void refuse_unread() {
  throw HttpRefusal({409, "the two have not read all of it yet: until then nobody sees what either said", "pair",
                     "a pair whose readers are done"});
}

HttpResponse pair_export(const ApiParts& parts, const RouteCall& call) {
  const SeenPair pair = pair_seen_by(parts, call.parts.at("pair"), call.user);
  const PairState state = state_of(parts, pair);
  if (!state.compared) refuse_unread();
  const ShownPool& pool = pool_of_pair(parts, pair);
  const std::vector<WorkRow> rows = with_copies(state.compared->rows(state.compared->documents()), pool.pool().copies());
  JsonWriter json;
  json.begin_object().member("format", "csv").member("which", "all");
  json.member("text", work_text(pool, rows, WorkFormat::csv));
  return json_response(200, json.end_object().take());
}

// Begins the decider's search, which offers the documents on which the two differ.
HttpResponse decide(const ApiParts& parts, const RouteCall& call) {
  RequestMembers(call.request.body).check_only({});
  const SeenPair pair = pair_seen_by(parts, call.parts.at("pair"), call.user);
  if (pair.set.decider != call.user)
    throw HttpRefusal(403, fmt::format("{} decides where the two differ", quoted_text(pair.set.decider)));
  const PairState state = state_of(parts, pair);
  if (!state.compared) refuse_unread();
  std::vector<DocumentId> conflicts = state.compared->conflicts();
  if (conflicts.empty()) throw HttpRefusal({409, "the two agree on every document", "pair", "a pair whose readers differ"});
  // Whoever asks twice at once gets the same search: one of them waits here.
  const SearchLease first = parts.sessions.open(pair.searches[0], pair.set.readers[0]);
  if (const auto decided = pair_seen_by(parts, pair.set.pair, call.user).decision) {
    const SearchLease search = parts.sessions.open(decided->id, call.user);
    return search_response(200, session_answer(*search), *search);
  }
  if (pair.set.grows) throw HttpRefusal(503, "the search of what is to be decided begins: try again");
  const SearchLease search = parts.sessions.begin(decision_facts(pair, std::move(conflicts)),
                                                  first_events_of_set(*first, milliseconds_now()), call.user);
  return search_response(201, session_answer(*search), *search);
}

HttpResponse end(const ApiParts& parts, const RouteCall& call) {
  RequestMembers(call.request.body).check_only({});
  const SeenPair pair = pair_seen_by(parts, call.parts.at("pair"), call.user);
  if (pair.set.drawn_by != call.user)
    throw HttpRefusal(403, fmt::format("{}, who drew the documents, ends it", quoted_text(pair.set.drawn_by)));
  end_pair(parts, pair);
  follow_pair(parts, pair.set, call.user);
  return pair_answer(parts, pair_seen_by(parts, pair.set.pair, call.user), call.user, 200);
}

void check_owner_of_server(const ApiParts& parts, const RouteCall& call) {
  if (!parts.access.tells_users_apart())
    throw HttpRefusal({409, "this server has no other users: start it with --users", "user", "users"});
  if (call.user != parts.access.owner())
    throw HttpRefusal(403,
                      fmt::format("only {}, whose server this is, lets people in and out", quoted_text(parts.access.owner())));
}

HttpResponse token_answer(int status, std::string_view name, std::string_view token) {
  JsonWriter json;
  json.begin_object().member("name", name).member("token", token).end_object();
  return json_response(status, json.take());
}

HttpResponse let_in(const ApiParts& parts, const RouteCall& call) {
  const RequestMembers body(call.request.body);
  constexpr std::string_view member = "name";
  body.check_only({&member, 1});
  const std::string name = body.text(body.need(member, "a name"), 1, kLongestUserName);
  check_owner_of_server(parts, call);
  return token_answer(201, name, parts.access.let_in(name));
}

HttpResponse new_token_of_user(const ApiParts& parts, const RouteCall& call) {
  RequestMembers(call.request.body).check_only({});
  check_owner_of_server(parts, call);
  const std::string& name = call.parts.at("user");
  return token_answer(200, name, parts.access.new_token_of(name));
}

HttpResponse let_out(const ApiParts& parts, const RouteCall& call) {
  check_owner_of_server(parts, call);
  parts.access.let_out(call.parts.at("user"));
  return {204, {}, {}};
}

}  // namespace

void refuse_to_readers_apart(const ApiParts& parts, const std::string& user) {
  for (const SessionTable::PairedSearch& one : parts.sessions.paired(user)) {
    if (one.reading->is_decision || one.facts->owner != user || !one.is_served) continue;
    if (!parts.sessions.open(one.facts->id, user)->history().is_closed())
      throw HttpRefusal(403, "you read with somebody whom you do not see: until both are done, ask as another user");
  }
}

std::vector<Route> people_routes(ApiParts& parts) {
  const auto route = [&parts](const char* method, const char* pattern,
                              HttpResponse (*handler)(const ApiParts&, const RouteCall&)) {
    return Route{method, pattern, RouteAccess::users, std::string_view(method) == "POST" ? RouteBody::json : RouteBody::none,
                 [&parts, handler](const RouteCall& call) { return handler(parts, call); }};
  };
  return {
      route("POST", "/api/v1/users", let_in),
      route("POST", "/api/v1/users/{user}/token", new_token_of_user),
      route("DELETE", "/api/v1/users/{user}", let_out),
      route("POST", "/api/v1/sessions/{session}/share", share),
      route("POST", "/api/v1/sessions/{session}/pairs", draw_pair),
      route("GET", "/api/v1/pairs", pair_list),
      route("GET", "/api/v1/pairs/{pair}",
            [](const ApiParts& own, const RouteCall& call) {
              return pair_answer(own, pair_seen_by(own, call.parts.at("pair"), call.user), call.user, 200);
            }),
      route("GET", "/api/v1/pairs/{pair}/export", pair_export),
      route("POST", "/api/v1/pairs/{pair}/end", end),
      route("POST", "/api/v1/pairs/{pair}/decisions", decide),
  };
}

}  // namespace inkling
