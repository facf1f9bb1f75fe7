#include "io/doors/serve/search_aim.hpp"

#include <algorithm>
#include <ranges>
#include <vector>

#include "io/base/file/json_text.hpp"
#include "io/doors/serve/http/http_message.hpp"
#include "io/doors/serve/request_body.hpp"

namespace inkling {
namespace {

constexpr std::string_view kAimBegins = "{\"aim\":";
constexpr std::int64_t kLargestOfRule = 1'000'000'000;
constexpr std::size_t kLongestQuestion = 2'000;

}  // namespace

StopRule read_rule(std::string_view written) {
  const RequestBody body(written, {"rated", "good", "left_at_most", "without_good"});
  StopRule rule = {.rated = body.optional_integer("rated", 1, kLargestOfRule),
                   .good = body.optional_integer("good", 1, kLargestOfRule),
                   .left_at_most = body.optional_integer("left_at_most", 0, kLargestOfRule),
                   .without_good = body.optional_integer("without_good", 1, kLargestOfRule)};
  if (rule == StopRule{})
    throw HttpRefusal({422, "the rule says nothing", "rule", "rated, good, left_at_most or without_good"});
  return rule;
}

void write_rule(JsonWriter& json, const std::optional<StopRule>& rule) {
  if (!rule) {
    json.null();
    return;
  }
  json.begin_object();
  if (rule->rated) json.member("rated", *rule->rated);
  if (rule->good) json.member("good", *rule->good);
  if (rule->left_at_most) json.member("left_at_most", *rule->left_at_most);
  if (rule->without_good) json.member("without_good", *rule->without_good);
  json.end_object();
}

bool is_reached(const StopRule& rule, const SearchProgress& progress, const SearchHistory& history) {
  if (rule.rated && progress.rated < *rule.rated) return false;
  if (rule.good && progress.good < *rule.good) return false;
  if (rule.left_at_most && progress.left.at_most > *rule.left_at_most) return false;
  if (!rule.without_good) return true;
  std::int64_t without = 0;
  const std::vector<SearchStep> steps = history.steps();
  for (const SearchStep& step : steps | std::views::reverse) {
    if (!step.is_rating()) continue;
    if (step.reward >= kGoodRating) break;
    ++without;
  }
  return without >= *rule.without_good;
}

std::string note_of_aim(const SearchAim& aim) {
  JsonWriter json;
  json.begin_object().key("aim").begin_object().member("question", aim.question).key("rule");
  write_rule(json, aim.rule);
  return json.end_object().end_object().take();
}

std::optional<SearchAim> aim_in_note(std::string_view note) {
  if (!note.starts_with(kAimBegins)) return std::nullopt;
  try {
    const RequestBody outer(note, {"aim"});
    const RequestBody body(outer.object("aim"), {"question", "rule"});
    SearchAim aim = {.question = body.text("question", 0, kLongestQuestion)};
    if (!body.is_null("rule")) aim.rule = read_rule(body.object("rule"));
    return aim;
  } catch (const HttpRefusal&) {
    return std::nullopt;  // somebody's note that happens to begin so
  }
}

}  // namespace inkling
