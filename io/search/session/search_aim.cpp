#include "io/search/session/search_aim.hpp"

namespace inkling {

void write_rule(JsonWriter& json, const std::optional<StopRule>& rule) {
  if (!rule) {
    json.null();
    return;
  }
  json.begin_object();
  for (const RuleMember& member : kRuleMembers)
    if (const std::optional<std::int64_t> number = (*rule).*member.place) json.member(member.name, *number);
  json.end_object();
}

void write_names(JsonWriter& json, std::span<const std::string> names) {
  json.begin_array();
  for (const std::string& name : names) json.value(name);
  json.end_array();
}

}  // namespace inkling
