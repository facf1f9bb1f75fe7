// Fuzzes files of events: events are within the pool, and invalid lines are refused with their place.
#include <cmath>
#include <set>

#include "engine/model/ridge_model.hpp"
#include "io/search/events/event_line.hpp"
#include "io/search/events/event_words.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/support/io/event_texts.hpp"

namespace inkling::fuzz {
namespace {

void check_words(const Event& event, const EventScope& scope) {
  std::set<FeatureId> named;
  for (const SaidWord& word : event.words) {
    demand(word.feature >= 0 && word.feature < scope.features);
    demand(named.insert(word.feature).second);
    demand(word.reward ? is_word_reward(*word.reward) : event.document.has_value());
    demand(word.confidence > 0.0 && word.confidence <= 1.0);
  }
}

void check_events(const EventLog& log, const EventScope& scope, Replays replays) {
  std::set<std::int64_t> played;
  for (const Event& event : log.events) {
    if (event.document) {
      demand(*event.document >= 0 && *event.document < scope.documents);
      demand(played.insert(*event.document).second || replays == Replays::allowed);
    } else {
      demand(!event.words.empty());
    }
    demand(std::fabs(event.reward) <= kLargestReward);
    check_words(event, scope);
  }
}

}  // namespace
}  // namespace inkling::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  EventScope scope = test::small_scope();
  EventRules rules;
  if (input.choice(0)) rules.replays = Replays::allowed;
  if (input.choice(1)) rules.most_line_bytes = 40;
  if (input.choice(2)) scope.feature_of = {};
  if (input.choice(4)) scope.rows_of_ids = {};
  if (input.choice(5)) rules.other_pools = OtherPools::allowed;
  rules.chunk_bytes = input.choice(3) ? 16 : 1024;

  const test::ReadEvents strict = test::events_in(input.text, rules, scope);
  fuzz::check_events(strict.log, scope, rules.replays);
  fuzz::demand(strict.problem.empty() || strict.problem.starts_with("in:"));
  fuzz::check_text(strict.problem);

  // A file that is read without a problem and has an event must also be recognised as a file of events.
  const bool is_known = begins_like_events(input.text);
  if (strict.problem.empty() && !strict.log.events.empty() && input.text.find('\\') == std::string_view::npos)
    fuzz::demand(is_known);

  rules.skip_bad = true;
  const test::ReadEvents skipping = test::events_in(input.text, rules, scope);
  fuzz::check_events(skipping.log, scope, rules.replays);
  // Only events of another pool cannot be skipped.
  if (!skipping.problem.empty()) {
    fuzz::demand(skipping.problem.find("the pool") != std::string::npos ||
                 skipping.problem.find("this pool") != std::string::npos);
    fuzz::demand(!strict.problem.empty());
    return 0;
  }
  fuzz::demand((skipping.log.skipped == 0) == strict.problem.empty());
  fuzz::demand((skipping.log.skipped == 0) == skipping.log.first_skipped.empty());
  if (strict.problem.empty()) fuzz::demand(strict.log.events == skipping.log.events);
  return 0;
}
