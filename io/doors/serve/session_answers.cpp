#include "io/doors/serve/session_answers.hpp"

#include "io/base/file/json_writer.hpp"
#include "io/search/service/search_service.hpp"

namespace inkling {

std::string session_answer(ServedSearch& search) {
  const SessionFacts& facts = search.facts();
  const SearchHistory& history = search.history();
  JsonWriter json;
  json.begin_object().member("session", facts.id).member("name", facts.name).member("owner", facts.owner);
  json.member("pool", search.pool().name()).member("policy", facts.policy).member("seed", facts.seed);
  json.member("created_ms", facts.created_ms).member("sequence", search.last());
  json.member("question", history.aim().question).key("rule");
  write_rule(json, history.aim().rule);
  json.key("shared").array(history.aim().shared);
  json.member("withheld", std::ssize(history.aim().withheld));
  json.key("set");
  if (const std::optional<ReadingSet>& set = search.reading()) {
    const std::int64_t left = search.searcher().left_of_set();
    json.begin_object().member("pair", set->pair);
    json.member("documents", set->grows ? search.searcher().progress().rated + left : std::ssize(set->documents));
    json.member("left", left).member("closed", history.is_closed());
    json.member("decision", set->is_decision).member("grows", set->grows).end_object();
  } else {
    json.null();
  }
  write_undo(json, search.searcher());
  json.key("progress").begin_object();
  write_progress(json, search.searcher().progress());
  return json.end_object().end_object().take();
}

std::string session_list_answer(std::span<const SessionTable::Line> lines) {
  JsonWriter json;
  json.begin_object().key("sessions").begin_array();
  for (const SessionTable::Line& line : lines) {
    json.begin_object().member("session", line.facts->id).member("name", line.facts->name);
    json.member("owner", line.facts->owner);
    json.member("pool", line.pool == nullptr ? std::nullopt : std::optional(line.pool->name()));
    json.member("policy", line.facts->policy).member("seed", line.facts->seed);
    json.member("created_ms", line.facts->created_ms).member("events", line.events).end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace inkling
