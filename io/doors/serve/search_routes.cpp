// An address for each request that a search answers (io/search/service/search_request.hpp).
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/serve/api.hpp"
#include "io/doors/serve/pairs.hpp"
#include "io/search/service/search_service.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kLongestRequestName = 100;
constexpr std::size_t kFewWords = 64;  // as a person says them

bool has_member(const RequestForm& form, std::string_view name) {
  return std::ranges::find(form.members, name) != form.members.end();
}

/// A request that makes something, under a name: a repeated one is answered and not done again.
struct NamedRequest {
  std::string name;
  SearchRequest request;
};

NamedRequest read_unmark(const ServedSearch& search, const RouteCall& call) {
  const std::string_view name = call.target.text("request").value_or(std::string_view());
  if (name.empty() || std::ssize(name) > kLongestRequestName)
    throw HttpRefusal({422, "the address lacks the name of the request", "request", "a text of 1 to 100 bytes"});
  const std::optional<std::int64_t> feature = parse_integer(call.parts.at("feature"));
  if (!feature || *feature < 0 || *feature >= search.pool().pool().view().features())
    throw HttpRefusal({404, "the pool has no such word", "feature", "the number of a word of the pool"});
  return {std::string(name), {.verb = SearchVerb::unmark, .feature = static_cast<FeatureId>(*feature)}};
}

NamedRequest read_named(const ServedSearch& search, const RouteCall& call, const RequestForm& form) {
  if (form.verb == SearchVerb::unmark) return read_unmark(search, call);
  const RequestMembers members(call.request.body);
  // Another document may be on offer by now.
  const bool answers_offer = form.verb == SearchVerb::rate || form.verb == SearchVerb::skip;
  if (answers_offer) static_cast<void>(members.need("document", "a document"));
  constexpr std::array<std::string_view, 2> of_http = {"request", "ms"};
  SearchRequest request =
      read_search_request(members, form.verb, search.pool().scope(), std::span(of_http).first(answers_offer ? 2 : 1));
  if (const auto* const ms = members.find("ms")) static_cast<void>(members.whole(*ms, 0, INT64_MAX));
  return {members.text(members.need("request", "a name for this request"), 1, kLongestRequestName), std::move(request)};
}

// Whether the asker changed a shared search after this event, which another one may do at any time.
bool is_own_since(const ServedSearch& search, std::string_view event) {
  if (event.size() < 3 || event.front() != '"' || event.back() != '"') return true;
  const std::optional<std::int64_t> seen = parse_integer(event.substr(1, event.size() - 2));
  if (!seen || *seen < 0 || *seen > search.last()) return true;
  const auto later = search.history().events().subspan(static_cast<std::size_t>(*seen));
  return std::ranges::any_of(
      later, [&](const SearchEvent& one) { return one.actor == search.person() && one.kind != SearchEventKind::shown; });
}

// If-Match: "17", where the asker looked at a search of 17 events. In a shared search, those of others are no conflict: what
// they have taken is found by `check_free`.
void check_if_match(const ServedSearch& search, const HttpRequest& request) {
  if (request.count_of_header("If-Match") == 0) return;
  const std::string_view wanted = request.header("If-Match").value_or(std::string_view());
  if (wanted == "*" || wanted == fmt::format("\"{}\"", search.last())) return;
  const bool have_others_changed = search.history().is_shared() || (search.reading() && search.reading()->grows);
  if (have_others_changed && !is_own_since(search, wanted)) return;
  throw HttpRefusal(
      {409, fmt::format("the search has changed since you loaded it (event {}): reload, and answer again", search.last()),
       "If-Match", fmt::format("\"{}\"", search.last()), search.last()});
}

[[noreturn]] void refuse_taken(ServedSearch& search, const std::string& who, std::string_view what) {
  const std::string name = quoted_text(who.empty() ? search.facts().owner : who);
  throw HttpRefusal({409, fmt::format("{} {}: continue with the next document", name, what), "document",
                     "a document that nobody else rated or reads", search.last()});
}

// Of documents that are handed out: an answer counts for good once both gave theirs, and each gave another one since.
void check_not_for_good(ServedSearch& search, const SearchRequest& request) {
  const std::vector<DocumentId>& set = search.history().aim().set;
  std::vector<DocumentId> documents;
  if (request.document) documents.push_back(*request.document);
  const auto add_of = [&](std::int64_t sequence) {
    if (sequence < 1 || sequence > search.last()) return;
    if (const std::optional<DocumentId>& document = search.history().at(sequence).document) documents.push_back(*document);
  };
  const bool is_undo = request.verb == SearchVerb::undo;
  if (request.sequence) add_of(*request.sequence);
  if ((is_undo || request.verb == SearchVerb::redo) && !request.sequence) {
    const std::int64_t count = request.count.value_or(1);
    for (const std::int64_t answer : is_undo ? search.searcher().undoable(count) : search.searcher().redoable(count))
      add_of(answer);
  }
  for (const DocumentId document : documents)
    if (std::ranges::find(set, document) == set.end())
      throw HttpRefusal({409, "both have answered this document, or it is not yours: nothing more can be said of it here",
                         "document", "a document that was handed to you and is not compared yet", search.last()});
}

// Whether this person may say it: of two people, each takes back their own answers, and leaves what the other one has.
void check_free(ServedSearch& search, const SearchRequest& request) {
  if (search.history().is_closed() && request.verb != SearchVerb::note && request.verb != SearchVerb::aim) {
    throw HttpRefusal({409, "the answers of both are there and are compared: nothing more can be said here", "session",
                       "a search that is not closed", search.last()});
  }
  if (search.reading() && search.reading()->grows) return check_not_for_good(search, request);
  const std::int64_t documents = search.pool().pool().view().documents();
  const bool has_document = request.document && *request.document >= 0 && *request.document < documents;
  if (has_document && search.history().is_withheld(search.pool().pool().copies().original_of(*request.document))) {
    throw HttpRefusal({409, "two readers have this document: it is rated here when they are done", "document",
                       "a document that no pair has", search.last()});
  }
  if (!search.history().is_shared() || request.verb == SearchVerb::separate) return;
  const auto events = search.history().events();
  if (request.sequence && *request.sequence >= 1 && *request.sequence <= std::ssize(events)) {
    const std::string& who = search.history().at(*request.sequence).actor;
    if (who != search.person()) refuse_taken(search, who, "gave this answer, and alone takes it back");
  }
  if (!has_document) return;
  const std::optional<std::string> who = search.searcher().taken_by(*request.document);
  if (!who) return;
  refuse_taken(search, *who, search.history().is_rated(*request.document) ? "rated it already" : "is reading it");
}

// The answer to a request that was done before under this name; does not do it again.
AnsweredWith answered_before(const ServedSearch& search, std::int64_t first, const std::string& name, const RequestForm& form) {
  const std::span<const SearchEvent> events = search.history().events();
  const SearchEvent& event = search.history().at(first);
  if (event.kind != form.makes) {
    throw HttpRefusal(
        {422, fmt::format("the request {} was {} already, in event {}", quoted_text(name), search_event_name(event.kind), first),
         "request", "a new name for each request"});
  }
  AnsweredWith answered = {.sequence = first, .is_undo = event.target != 0};
  for (std::size_t n = static_cast<std::size_t>(first) - 1; answered.is_undo && n < events.size(); ++n) {
    const bool is_other = events[n].sequence != first && search.begins_request(events[n].sequence);
    if (events[n].kind != event.kind || is_other) break;
    answered.undone.push_back(events[n].target);
  }
  return answered;
}

// Words apart from documents, notes and aims are free.
bool answers_documents(const SearchRequest& request) {
  switch (request.verb) {
    case SearchVerb::rate:
    case SearchVerb::skip:
    case SearchVerb::mark:
    case SearchVerb::sample:
    case SearchVerb::separate:
    case SearchVerb::undo:
    case SearchVerb::redo: return true;
    case SearchVerb::next:
    case SearchVerb::query:
    case SearchVerb::unmark:
    case SearchVerb::note:
    case SearchVerb::aim:
    case SearchVerb::why:
    case SearchVerb::words:
    case SearchVerb::tags:
    case SearchVerb::ranking:
    case SearchVerb::copies:
    case SearchVerb::found:
    case SearchVerb::progress:
    case SearchVerb::events:
    case SearchVerb::export_work:
    case SearchVerb::report:
    case SearchVerb::asked: break;
  }
  return false;
}

// Whether it rates many words, or changes what was learned already of a search in which much was said.
bool takes_long(const ServedSearch& search, const SearchRequest& request) {
  constexpr std::array learned_anew = {SearchVerb::undo, SearchVerb::redo, SearchVerb::mark, SearchVerb::unmark,
                                       SearchVerb::separate};
  return request.words.size() > kFewWords ||
         (search.said() > kMuchSaid && std::ranges::find(learned_anew, request.verb) != learned_anew.end());
}

AnsweredWith do_once(ApiParts& parts, ServedSearch& search, SearchService& service, const RouteCall& call,
                     const RequestForm& form) {
  const NamedRequest named = read_named(search, call, form);
  if (const auto before = search.event_of_request(call.user, named.name))
    return answered_before(search, *before, named.name, form);
  check_if_match(search, call.request);
  check_free(search, named.request);
  if (answers_documents(named.request) && is_read_by_two(parts, search)) {
    throw HttpRefusal({409, "in this search two read each document: continue in your own search", "session",
                       "the search of a reader", search.last()});
  }
  const ServedSearch::Answering answering(search, call.user, named.name);
  if (!takes_long(search, named.request)) return service.change(named.request);
  AnsweredWith answered;
  parts.sessions.at_length([&] { answered = service.change(named.request); });
  return answered;
}

HttpResponse file_response(std::string text, std::string_view type, const ServedSearch& search) {
  HttpResponse response = search_response(200, std::move(text), search);
  response.headers.front().value = std::string(type);
  return response;
}

template <typename Value, std::size_t size>
Value named_in_query(const RouteCall& call, std::string_view name, const EnumName<Value> (&names)[size]) {
  const std::optional<std::string_view> written = call.target.text(name);
  if (!written) return names[0].value;
  if (const std::optional<Value> value = value_of(*written, names)) return *value;
  std::string all;
  for (const EnumName<Value>& one : names) all += (all.empty() ? "" : ", ") + std::string(one.name);
  throw HttpRefusal({422, fmt::format("{} is {}", name, quoted_text(*written)), std::string(name), "one of " + all});
}

HttpResponse exported(ServedSearch& search, SearchService& service, const RouteCall& call) {
  const SearchRequest request = {.verb = SearchVerb::export_work,
                                 .format = named_in_query(call, "format", kWorkFormats),
                                 .which = named_in_query(call, "which", kWorkChoices),
                                 .columns = named_in_query(call, "columns", kWorkColumns)};
  const std::string_view type = media_type_of(request.format);
  const std::string_view accepted = call.request.header("Accept").value_or(std::string_view());
  if (accepted.find(type) == std::string_view::npos) return search_response(200, service.json(request), search);
  return file_response(service.work(request), type, search);
}

HttpResponse read(const ApiParts& parts, ServedSearch& search, SearchService& service, const RouteCall& call,
                  const RequestForm& form) {
  const bool is_by_two = form.verb == SearchVerb::next && is_read_by_two(parts, search);
  if (is_by_two || (form.verb == SearchVerb::next && !search.searcher().next())) {
    const bool is_read = !search.history().is_shared() || search.history().offers_to_people().empty();
    const char* const why = is_by_two  ? "in this search two read each document: continue in your own search"
                            : !is_read ? "what is left is on offer to others: after 30 minutes you get it"
                            : search.history().aim().withheld.empty()
                                ? "every document is rated"
                                : "what is left is with two readers: it is rated here when they are done";
    throw HttpRefusal({410, why, {}, {}, search.last()});
  }
  if (form.verb == SearchVerb::export_work) return exported(search, service, call);
  if (form.verb == SearchVerb::report) {
    const ReportFormat format = named_in_query(call, "as", kReportFormats);
    const Language language = named_in_query(call, "language", kLanguages);
    if (format != ReportFormat::json)
      return file_response(report_text(service.report(), format, language), media_type_of(format), search);
  }
  if (form.verb == SearchVerb::events && wants_lines(call.request))
    return file_response(events_file_of(search.facts(), search.history()), "application/x-ndjson", search);
  SearchRequest request = {.verb = form.verb, .full = true};
  if (has_member(form, "document")) request.document = search.pool().document_of(call.parts.at("document"));
  if (!form.value.empty()) request.count = call.target.number(form.value, 1, form.most, form.count);
  if (has_member(form, "after")) request.after = call.target.number("after", 0, INT64_MAX, 0);
  return search_response(200, service.json(request), search);
}

HttpResponse answer(ApiParts& parts, const RouteCall& call, const RequestForm& form) {
  std::string pair;  // both of whom may have read all by this
  std::optional<ReadingSet> set;
  HttpResponse response;
  {
    const std::string_view id = call.parts.at("session");
    const SearchLease lease = form.makes ? parts.sessions.open(id, call.user) : open_with_pairs(parts, id, call.user);
    ServedSearch& search = *lease;
    set = search.reading();
    SearchService service(search.searcher(), search.pool().shown(), search.owner_of_several(), parts.sessions.review_of(search));
    if (!form.makes) return read(parts, search, service, call, form);
    const AnsweredWith answered = do_once(parts, search, service, call, form);
    response = search_response(201, json_of(service.answer_after(answered, true), service.pool(), true), search);
    const bool may_be_read = set && !set->is_decision && !set->grows && search.searcher().left_of_set() == 0;
    if (may_be_read) pair = set->pair;
  }
  if (!pair.empty()) close_when_read(parts, pair, call.user);
  follow_pair(parts, set, call.user);
  return response;
}

}  // namespace

std::vector<Route> search_routes(ApiParts& parts) {
  std::vector<Route> routes;
  for (const RequestForm& form : request_forms()) {
    if (form.method.empty()) continue;
    routes.push_back({std::string(form.method), "/api/v1/sessions/{session}" + std::string(form.path), RouteAccess::users,
                      form.method == "POST" ? RouteBody::json : RouteBody::none,
                      [&parts, &form](const RouteCall& call) { return answer(parts, call, form); }});
  }
  return routes;
}

}  // namespace inkling
