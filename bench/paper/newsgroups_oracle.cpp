#include "bench/paper/figures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kFeatures = 1000;
/// Of rewards that are +1 or -1: the scale of any noise within such bounds.
constexpr double kSignNoise = 1.0;

enum class Shown { again, once };

/// What the policies are told and allowed in one study.
struct Rules {
  std::int64_t rounds;
  double noise;
  double norm;
  Shown shown;
};

Entrant entrant(const PaperSettings& settings, std::string_view preset, const Rules& rules) {
  Entrant entrant = entrant_of(settings, preset, rules.rounds, rules.noise);
  entrant.options.confidence.norm_bound = rules.norm;
  entrant.options.with_replacement = rules.shown == Shown::again;
  return entrant;
}

Study study_of(const PaperContext& context, std::string name, const SharedReducedPool& space,
               const MessageReader& reader) {
  return {.name = std::move(name),
          .world_settings = fmt::format("{} with p {} of {}", text_world_settings(context, "message", *space),
                                        reader.mark_probability,
                                        reader.marked == MarkedWords::of_topic ? "its topic" : "its own"),
          .world = [context, space,
                    reader](std::uint64_t trial) { return message_world(context, space, reader, trial); },
          .features = space->matrix.view().features(),
          .entrants = {},
          .trials = context.settings.trials};
}

/// OFUL tuned, explore-then-commit, FF-OFUL and soft marks.
void add_all(Study& study, const PaperSettings& settings, const Rules& rules) {
  study.entrants = {tuned(entrant(settings, "oful", rules), settings),
                    entrant(settings, "explore-then-commit", rules), entrant(settings, "ff-oful", rules),
                    entrant(settings, "soft-marks", rules)};
  study.tuning_trials = settings.tuning_trials;
}

/// Those that look at marks: OFUL would only do again what it does in the main study.
void add_marked(Study& study, const PaperSettings& settings, const Rules& rules) {
  study.entrants = {entrant(settings, "explore-then-commit", rules), entrant(settings, "ff-oful", rules),
                    entrant(settings, "soft-marks", rules)};
}

std::vector<Study> replacement_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const SharedReducedPool space = newsgroups_space(context, kFeatures);
  const Rules logistic = {settings.horizon(4096), kSignNoise, settings.logistic_norm, Shown::again};
  MessageReader reader = {RewardKind::logistic, MarkedWords::of_topic, settings.mark_probability};
  Study main = study_of(context, "main", space, reader);
  add_all(main, settings, logistic);

  reader.marked = MarkedWords::of_message;
  Study own = study_of(context, "own-words", space, reader);
  add_marked(own, settings, logistic);

  Study labels = main;
  labels.name = "labels";
  labels.world_settings = text_world_settings(context, "topic", *space);
  labels.world = [context, space](std::uint64_t trial) { return topic_world(context, space, trial); };
  add_all(labels, settings,
          {settings.horizon(2048), settings.label_noise, settings.norm_bound, Shown::again});
  return {std::move(main), std::move(own), std::move(labels)};
}

std::vector<Study> no_replacement_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const SharedReducedPool space = newsgroups_space(context, kFeatures);
  const std::int64_t messages = context.newsgroups->view().documents();
  const Rules rules = {std::min(settings.horizon(2048), messages), settings.noise, settings.norm_bound,
                       Shown::once};
  MessageReader reader = {RewardKind::document, MarkedWords::of_topic, settings.mark_probability};
  Study main = study_of(context, "main", space, reader);
  add_all(main, settings, rules);

  reader.marked = MarkedWords::of_message;
  Study own = study_of(context, "own-words", space, reader);
  add_marked(own, settings, rules);

  reader.mark_probability = 1.0;
  Study at_once = study_of(context, "marked-at-once", space, reader);
  add_marked(at_once, settings, rules);
  return {std::move(main), std::move(own), std::move(at_once)};
}

std::string sizes_text(const PaperContext& context) {
  std::string sizes;
  for (const std::vector<FeatureId>& words : context.newsgroups->oracle()) {
    sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", words.size());
  }
  return sizes;
}

std::vector<std::pair<std::string, std::string>> settings_rows(const PaperContext& context,
                                                               const StudyResult& result) {
  std::vector<std::pair<std::string, std::string>> rows = common_settings(context, result);
  const Newsgroups& data = *context.newsgroups;
  const auto of_oracle = static_cast<std::int32_t>(data.oracle_of_all().size());
  rows.emplace_back("messages", digit_groups(data.view().documents()));
  rows.emplace_back("features", fmt::format("{} of the oracle and {} at random, of {}", of_oracle,
                                            kFeatures - of_oracle, digit_groups(data.view().features())));
  rows.emplace_back("oracle's words a topic", sizes_text(context));
  rows.emplace_back("the oracle", data.oracle_facts());
  rows.emplace_back("p, with which such a word of a shown message is marked",
                    fmt::format("{}", context.settings.mark_probability));
  rows.emplace_back("length of a row", "1, over the features kept");
  return rows;
}

/// A study's lines beside the main study's, under names that tell them apart.
void join(StudyResult& both, const StudyResult& other, std::string_view suffix) {
  for (EntrantResult entrant : other.entrants) {
    entrant.entrant.name += fmt::format(", {}", suffix);
    both.entrants.push_back(std::move(entrant));
  }
}

Claim beats_oful(std::string id, std::string_view where, const EntrantResult& ours,
                 const EntrantResult& oful) {
  return less_regret_claim(
      std::move(id), fmt::format("FF-OFUL has less regret than tuned OFUL on 20 Newsgroups, {}.", where),
      ours, oful);
}

Claim beats_committing(std::string id, std::string_view where, const StudyResult& result) {
  return less_regret_claim(
      std::move(id),
      fmt::format("FF-OFUL has less regret than explore-then-commit on 20 Newsgroups, {}.", where),
      result.of("ff-oful"), result.of("explore-then-commit"));
}

constexpr std::string_view kOwn = "own words";
constexpr std::string_view kAtOnce = "own words at once";

FigureReport replacement_report(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& labels = results[2];
  StudyResult main = results[0];
  join(main, results[1], kOwn);
  const EntrantResult& oful = main.of("oful");
  FigureReport report;
  report.paragraph = fmt::format(
      "A message drawn for the trial is theta*, of norm {}, and the reward of a message x is +1 with "
      "probability "
      "1/(1 + exp(-x.theta*)) and -1 otherwise, as the paper has it to come close to noisy people; messages "
      "may be "
      "shown again. Marked are the oracle's words of the message's topic or, in a second reading, those "
      "words of "
      "the message itself that are among the {} features (own words): theta* has no others. After {} rounds "
      "the "
      "regret is {} for FF-OFUL ({} with own words), {} for OFUL at its best ridge {}, and {} for "
      "explore-then-commit ({}), which is told after how many random rounds all words are marked with "
      "probability "
      "0.95, or explores for half of the rounds. The paper's other binary rewards, +1 for one topic and -1 "
      "for all "
      "others without any noise, are in the second plot: {} for FF-OFUL and {} for OFUL after {} rounds.",
      context.settings.logistic_norm, digit_groups(kFeatures), digit_groups(oful.entrant.options.rounds),
      estimate_text(main.of("ff-oful").regret()), estimate_text(main.of("ff-oful, own words").regret()),
      estimate_text(oful.regret()), ridge_text(oful.entrant.contestant.ridge),
      estimate_text(main.of("explore-then-commit").regret()),
      estimate_text(main.of("explore-then-commit, own words").regret()),
      estimate_text(labels.of("ff-oful").regret()), estimate_text(labels.of("oful").regret()),
      digit_groups(labels.of("oful").entrant.options.rounds));
  report.paragraph += soft_marks_text(results[0]);
  report.settings = settings_rows(context, results[0]);
  report.settings.emplace_back("norm of theta* under the logistic, and S there",
                               fmt::format("{}", context.settings.logistic_norm));
  report.charts = {{"", regret_chart(main, "20 Newsgroups, binary rewards, with replacement"),
                    "Regret in expected reward; bands are 95 % over trials."},
                   {"labels", regret_chart(labels, "20 Newsgroups, one topic wanted, no noise"),
                    "The same policies where rewards are the labels themselves."},
                   {"tuning", tuning_chart(results[0], "OFUL's regret by its ridge, logistic rewards"),
                    "From trials that do not count above. The paper chose 2^8."}};
  report.tables = {outcome_table(main), outcome_table(labels)};
  report.tables.back().line = "One topic wanted, no noise: " + report.tables.back().line;
  report.claims = {beats_oful("newsgroups-replacement-beats-oful", "logistic rewards, with replacement",
                              main.of("ff-oful"), oful),
                   beats_oful("newsgroups-replacement-own-words-beats-oful",
                              "logistic rewards, with replacement, the wanted message's own words marked",
                              main.of("ff-oful, own words"), oful),
                   beats_committing("newsgroups-replacement-beats-explore-then-commit",
                                    "logistic rewards, with replacement", results[0]),
                   ridge_inside_claim("newsgroups-replacement-ridge-inside", oful),
                   beats_oful("newsgroups-labels-beats-oful", "one topic wanted, no noise, with replacement",
                              labels.of("ff-oful"), labels.of("oful")),
                   ridge_inside_claim("newsgroups-labels-ridge-inside", labels.of("oful"))};
  if (report.claims[4].verdict == Verdict::fails) {
    report.claims[4].why = fmt::format(
        "Without noise one message of the topic is all that one needs: it may be shown again and again. At a "
        "ridge "
        "of {} OFUL trusts what it has seen after a round or two and does just that, while FF-OFUL goes on "
        "drawing "
        "messages at random to find words. With the noise of the first plot it is the other way round.",
        ridge_text(labels.of("oful").entrant.contestant.ridge));
  }
  return report;
}

FigureReport no_replacement_report(const PaperContext& context, const std::vector<StudyResult>& results) {
  StudyResult main = results[0];
  join(main, results[1], kOwn);
  join(main, results[2], kAtOnce);
  const EntrantResult& oful = main.of("oful");
  FigureReport report;
  report.paragraph = fmt::format(
      "A message drawn for the trial is theta*, and the reward of another is its product with it, with noise "
      "of "
      "scale {}; each is shown once. Three readings of whose words are marked: those of an oracle for the "
      "message's "
      "topic, with probability {}; those of the message itself that are among the {} features (own words); "
      "and the "
      "same with probability 1, so that they are found at once. After {} rounds the regret is {}, {} and {} "
      "for "
      "FF-OFUL, {} for OFUL at its best ridge {}, and {}, {} and {} for explore-then-commit.",
      context.settings.noise, context.settings.mark_probability, digit_groups(kFeatures),
      digit_groups(oful.entrant.options.rounds), estimate_text(main.of("ff-oful").regret()),
      estimate_text(main.of("ff-oful, own words").regret()),
      estimate_text(main.of("ff-oful, own words at once").regret()), estimate_text(oful.regret()),
      ridge_text(oful.entrant.contestant.ridge), estimate_text(main.of("explore-then-commit").regret()),
      estimate_text(main.of("explore-then-commit, own words").regret()),
      estimate_text(main.of("explore-then-commit, own words at once").regret()));
  report.paragraph += soft_marks_text(results[0]);
  report.settings = settings_rows(context, results[0]);
  report.settings.emplace_back("R, the noise of a reward", fmt::format("{}", context.settings.noise));
  report.charts = {{"", regret_chart(main, "20 Newsgroups, a message is the truth, each shown once"),
                    "Regret against the best message not shown yet; bands are 95 % over trials."},
                   {"tuning", tuning_chart(results[0], "OFUL's regret by its ridge"),
                    "From trials that do not count above."}};
  report.tables = {outcome_table(main)};
  report.claims = {
      beats_oful("newsgroups-no-replacement-beats-oful", "a message as the truth, each shown once",
                 main.of("ff-oful"), oful),
      beats_oful("newsgroups-no-replacement-own-words-beats-oful",
                 "a message as the truth, each shown once, its own words marked",
                 main.of("ff-oful, own words"), oful),
      beats_oful("newsgroups-no-replacement-at-once-beats-oful",
                 "a message as the truth, each shown once, its own words marked whenever they are shown",
                 main.of("ff-oful, own words at once"), oful),
      beats_committing("newsgroups-no-replacement-beats-explore-then-commit",
                       "a message as the truth, each shown once", results[0]),
      ridge_inside_claim("newsgroups-no-replacement-ridge-inside", oful)};
  if (report.claims[0].verdict == Verdict::fails) {
    report.claims[0].why = fmt::format(
        "An oracle's words tell one topic from the others, not one message from the rest of its topic: most "
        "of what "
        "this reader wants is in words that nobody marks, and FF-OFUL never uses them. Where the words of "
        "theta* "
        "itself are marked, as the paper's model has it, its regret is {} against {}.",
        estimate_text(main.of("ff-oful, own words").regret()), estimate_text(oful.regret()));
  }
  for (const std::size_t own : {std::size_t{1}, std::size_t{2}}) {
    if (report.claims[own].verdict != Verdict::fails) continue;
    report.claims[own].why = fmt::format(
        "What decides is how soon the few words of the wanted message are marked, with one shown word in "
        "{:.0f} here "
        "or every one; meanwhile OFUL at a ridge of {} follows the first good messages to their likes.",
        1.0 / context.settings.mark_probability, ridge_text(oful.entrant.contestant.ridge));
  }
  return report;
}

}  // namespace

Figure newsgroups_replacement_figure() {
  return {"newsgroups-replacement",
          "20 Newsgroups, binary rewards, with replacement",
          "Newsgroup dataset with oracle feedback, left",
          PaperData::newsgroups,
          replacement_studies,
          replacement_report};
}

Figure newsgroups_no_replacement_figure() {
  return {"newsgroups-no-replacement",
          "20 Newsgroups, a message is what is wanted, without replacement",
          "Newsgroup dataset with oracle feedback, right",
          PaperData::newsgroups,
          no_replacement_studies,
          no_replacement_report};
}

}  // namespace inkling::bench
