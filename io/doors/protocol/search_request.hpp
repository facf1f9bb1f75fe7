// One line of a program that holds a live search: what it asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "engine/core/ids.hpp"
#include "io/search/events/events.hpp"
#include "io/search/session/search_event.hpp"

namespace inkling {

enum class SearchVerb {
  next,
  rate,
  skip,
  mark,
  unmark,
  query,
  sample,
  note,
  undo,
  redo,
  why,
  words,
  ranking,
  progress
};
inline constexpr EnumName<SearchVerb> kSearchVerbNames[] = {
    {SearchVerb::next, "next"},       {SearchVerb::rate, "rate"},        {SearchVerb::skip, "skip"},
    {SearchVerb::query, "query"},     {SearchVerb::mark, "mark"},        {SearchVerb::unmark, "unmark"},
    {SearchVerb::sample, "sample"},   {SearchVerb::note, "note"},        {SearchVerb::undo, "undo"},
    {SearchVerb::redo, "redo"},       {SearchVerb::why, "why"},          {SearchVerb::words, "words"},
    {SearchVerb::ranking, "ranking"}, {SearchVerb::progress, "progress"}};

/// Members that the verb does not have are as they are here.
struct SearchRequest {
  SearchVerb verb = SearchVerb::next;
  std::optional<DocumentId> document = {};    ///< rate, skip, mark, why
  double reward = 0.0;                        ///< rate
  std::vector<SaidWord> words = {};           ///< rate, mark, query
  std::optional<FeatureId> feature = {};      ///< unmark
  std::optional<std::int64_t> count = {};     ///< sample, undo, redo, words, ranking: where it is a number
  std::optional<std::int64_t> sequence = {};  ///< undo
  std::string note = {};                      ///< note, rate
};

/// A longer line is refused.
inline constexpr std::size_t kLongestRequest = std::size_t{1} << 20U;

/// Reads a line of the form that io/doors/protocol/README.md describes. Throws FormatError, which says at which column something
/// else was found and what was expected; nothing else. Thread safety: that of the scope's functions.
[[nodiscard]] SearchRequest read_search_request(std::string_view line, const EventScope& scope);

}  // namespace inkling
