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

}  // namespace inkling
