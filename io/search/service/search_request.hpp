// The requests to a search: one table for every interface.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/search/events/events.hpp"
#include "io/search/service/request_members.hpp"
#include "io/search/service/review_report.hpp"
#include "io/search/service/work_export.hpp"
#include "io/search/session/search_event.hpp"

namespace inkling {

enum class SearchVerb {
  next,
  rate,
  skip,
  separate,
  query,
  mark,
  unmark,
  sample,
  note,
  aim,
  undo,
  redo,
  why,
  words,
  tags,
  ranking,
  found,
  copies,
  progress,
  events,
  export_work,
  report,
  asked
};

/// Members that the verb does not use keep these defaults.
struct SearchRequest {
  SearchVerb verb = SearchVerb::next;
  std::optional<DocumentId> document = {};
  double reward = 0.0;
  std::vector<SaidWord> words = {};
  std::optional<FeatureId> feature = {};
  std::optional<std::int64_t> count = {};
  std::optional<std::int64_t> sequence = {};
  bool hand_on = false;
  std::int64_t after = 0;
  std::string note = {};
  std::vector<std::string> tags = {};
  std::string text = {};
  std::optional<std::string> question = {};
  std::optional<std::optional<StopRule>> rule = {};  ///< unset: the rule stays; set to nothing: it is removed
  std::optional<std::vector<std::string>> reasons = {};
  std::optional<std::vector<std::string>> coloured = {};
  WorkFormat format = WorkFormat::csv;
  WorkChoice which = WorkChoice::all;
  WorkColumns columns = WorkColumns::all;
  ReportFormat as = ReportFormat::json;
  Language language = Language::en;
  bool full = false;  ///< the answer is what a screen shows
};

/// A row of the table.
struct RequestForm {
  SearchVerb verb;
  /// The member that names the request on a pipe and in Python: `rate` in {"rate": 0.5, "document": 7}.
  std::string_view name;
  /// Which member of the request is the value of that one, such as the rating after `rate`; empty: the value is true.
  std::string_view value = {};
  /// All members that it may have; those of `needed` are required. On a pipe and in Python `full` is also allowed.
  std::vector<std::string_view> members = {};
  std::vector<std::string_view> needed = {};
  /// The method and the address by HTTP, below the address of a search; empty: there is none below a search. The address may hold
  /// members: in braces in the path, or as `limit`, `top` or `after` in the query.
  std::string_view method = {};
  std::string_view path = {};
  /// The answer by HTTP: a schema of openapi.json.
  std::string_view answer = {};
  std::string_view sentence = {};
  /// The kind of the first event that it makes; nothing if it only asks.
  std::optional<SearchEventKind> makes = {};
  /// Media types that the answer by HTTP may also have.
  std::vector<std::string_view> other_types = {};
  /// The default of the member that limits the number of results, and its maximum by HTTP.
  std::int64_t count = 1;
  std::int64_t most = 1'000'000;
};

[[nodiscard]] std::span<const RequestForm> request_forms();
[[nodiscard]] const RequestForm& form_of(SearchVerb verb);
/// The JSON schema of this member's value. Requires: a member of the table.
[[nodiscard]] std::string_view schema_of_member(std::string_view name);

/// A longer line is refused.
inline constexpr std::size_t kLongestRequest = std::size_t{1} << 20U;

/// Reads a line of the form that io/search/service/REQUESTS.md describes. Throws RequestError. Thread safety: that of the
/// scope's functions.
[[nodiscard]] SearchRequest read_search_request(std::string_view line, const EventScope& scope);

/// The same, if the verb is known and all members have the names of the table. Other members are refused unless they are among
/// `others`.
[[nodiscard]] SearchRequest read_search_request(const RequestMembers& members, SearchVerb verb, const EventScope& scope,
                                                std::span<const std::string_view> others = {});

}  // namespace inkling
