// 20 Newsgroups with an oracle's marks: with replacement and binary rewards, and each message shown once.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/figures.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/base/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kOracleFeatures = 1000;
/// R for rewards of +1 or -1: the sub-Gaussian scale of any noise within these bounds.
constexpr double kSignNoise = 1.0;

enum class Shown { again, once };

/// The settings and limits of the policies in one study.
struct OracleRules {
  std::int64_t rounds;
  double noise;
  double norm;
  Shown shown;
};

SettingRows message_rows(const PaperContext& context) {
  const Newsgroups& data = *context.newsgroups;
  const auto of_oracle = static_cast<std::int32_t>(data.oracle.words_of_all.size());
  std::vector<std::size_t> sizes;
  for (const std::vector<FeatureId>& words : data.oracle.words) sizes.push_back(words.size());
  return {{"messages", digit_groups(data.view().documents())},
          {"features", fmt::format("{} of the oracle and {} at random, of {}", of_oracle, kOracleFeatures - of_oracle,
                                   digit_groups(data.view().features()))},
          {"oracle's words a topic", fmt::format("{}", fmt::join(sizes, ", "))},
          {"the oracle", data.oracle.facts},
          {"p, with which such a word of a shown message is marked", fmt::format("{}", context.settings.mark_probability)},
          {"length of a row", "1, over the features kept"}};
}

Entrant oracle_entrant(const PaperSettings& settings, std::string_view preset, const OracleRules& rules) {
  Entrant entrant = entrant_of(settings, preset, rules.rounds, rules.noise);
  entrant.options.confidence.norm_bound = rules.norm;
  entrant.options.with_replacement = rules.shown == Shown::again;
  return entrant;
}

/// The policies that use marks.
std::vector<Entrant> marked_policies(const PaperSettings& settings, const OracleRules& rules) {
  return {oracle_entrant(settings, "ff-oful", rules), oracle_entrant(settings, "explore-then-commit", rules),
          oracle_entrant(settings, "soft-marks", rules)};
}

/// A reader who wants messages like one message. OFUL sees no marks, so it need not play in every study.
Study message_study(const PaperContext& context, std::string name, const MessageReader& reader, const OracleRules& rules) {
  const SharedReducedPool space = newsgroups_space(context, kOracleFeatures);
  const std::string kind = fmt::format("message with p {} of {}", reader.mark_probability,
                                       reader.marked == MarkedWords::of_topic ? "its topic" : "its own");
  Study study = text_study(context, std::move(name), kind, space, std::bind_front(message_world, context, space, reader));
  study.entrants = marked_policies(context.settings, rules);
  study.settings = message_rows(context);
  return study;
}

void add_tuned_oful(Study& study, const PaperSettings& settings, const OracleRules& rules) {
  study.entrants.push_back(tuned(oracle_entrant(settings, "oful", rules), settings.ridges()));
  study.tuning_trials = settings.tuning_trials;
}

std::vector<Study> replacement_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const OracleRules logistic = {settings.horizon(4096), kSignNoise, settings.logistic_norm, Shown::again};
  MessageReader reader = {RewardKind::logistic, MarkedWords::of_topic, settings.mark_probability};
  Study main = message_study(context, "main", reader, logistic);
  main.settings.emplace_back("norm of theta* under the logistic, and S there", fmt::format("{}", settings.logistic_norm));
  add_tuned_oful(main, settings, logistic);
  reader.marked = MarkedWords::of_message;
  Study own = message_study(context, "own-words", reader, logistic);

  const OracleRules no_noise = {settings.horizon(2048), settings.label_noise, settings.norm_bound, Shown::again};
  Study labels = topic_study(context, "labels", newsgroups_space(context, kOracleFeatures));
  labels.entrants = marked_policies(settings, no_noise);
  add_tuned_oful(labels, settings, no_noise);
  return {std::move(main), std::move(own), std::move(labels)};
}

std::vector<Study> no_replacement_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const std::int64_t messages = context.newsgroups->view().documents();
  const OracleRules rules = {std::min(settings.horizon(2048), messages), settings.noise, settings.norm_bound, Shown::once};
  MessageReader reader = {RewardKind::document, MarkedWords::of_topic, settings.mark_probability};
  Study main = message_study(context, "main", reader, rules);
  main.settings.emplace_back("R, the noise of a reward", fmt::format("{}", settings.noise));
  add_tuned_oful(main, settings, rules);
  reader.marked = MarkedWords::of_message;
  Study own = message_study(context, "own-words", reader, rules);
  reader.mark_probability = 1.0;
  Study at_once = message_study(context, "marked-at-once", reader, rules);
  return {std::move(main), std::move(own), std::move(at_once)};
}

/// The policies of a study that OFUL did not play in, beside OFUL in the main study.
ChartRule beside_oful(std::string title, const std::string& study) {
  return regret_curves(study, std::move(title),
                       {{"ff-oful", {study, "ff-oful"}},
                        {"explore-then-commit", {study, "explore-then-commit"}},
                        {"soft-marks", {study, "soft-marks"}},
                        {"oful", {"main", "oful"}}});
}

ClaimRule newsgroups_beats(std::string id, std::string_view rival, std::string_view where, std::string study,
                           std::string study_of_rival) {
  return less_regret(std::move(id), ClaimBy::paper,
                     fmt::format("FF-OFUL has less regret than {}{} on 20 Newsgroups, {}.", rival == "oful" ? "tuned " : "",
                                 rival == "oful" ? "OFUL" : rival, where),
                     {std::move(study), "ff-oful"}, {std::move(study_of_rival), std::string(rival)});
}

}  // namespace

Figure newsgroups_replacement_figure() {
  return {
      .name = "newsgroups-replacement",
      .title = "20 Newsgroups, binary rewards, with replacement",
      .paper_place = "Newsgroup dataset with oracle feedback, left",
      .needs = PaperData::newsgroups,
      .studies = replacement_studies,
      .charts = {regret_curves("", "20 Newsgroups, binary rewards, with replacement", "main"),
                 beside_oful("The same with the wanted message's own words marked", "own-words"),
                 regret_curves("labels", "20 Newsgroups, one topic wanted, no noise", "labels"),
                 tuning_curves("tuning", "OFUL's regret by its ridge, logistic rewards", "main")},
      .tables = {outcomes("main"), outcomes("own-words", "Own words marked"), outcomes("labels", "One topic wanted, no noise")},
      .claims = {
          newsgroups_beats("newsgroups-replacement-beats-oful", "oful", "logistic rewards, with replacement", "main", "main"),
          newsgroups_beats("newsgroups-replacement-own-words-beats-oful", "oful",
                           "logistic rewards, with replacement, the wanted message's own words marked", "own-words", "main"),
          newsgroups_beats("newsgroups-replacement-beats-explore-then-commit", "explore-then-commit",
                           "logistic rewards, with replacement", "main", "main"),
          ridge_inside("newsgroups-replacement-ridge-inside", {"main", "oful"}),
          newsgroups_beats("newsgroups-labels-beats-oful", "oful", "one topic wanted, no noise, with replacement", "labels",
                           "labels"),
          ridge_inside("newsgroups-labels-ridge-inside", {"labels", "oful"})}};
}

Figure newsgroups_no_replacement_figure() {
  constexpr std::string_view once = "a message as the truth, each shown once";
  return {
      .name = "newsgroups-no-replacement",
      .title = "20 Newsgroups, a message is what is wanted, without replacement",
      .paper_place = "Newsgroup dataset with oracle feedback, right",
      .needs = PaperData::newsgroups,
      .studies = no_replacement_studies,
      .charts = {regret_curves("", "20 Newsgroups, a message is the truth, each shown once", "main"),
                 beside_oful("The same with the wanted message's own words marked", "own-words"),
                 beside_oful("The same with its own words marked at once", "marked-at-once"),
                 tuning_curves("tuning", "OFUL's regret by its ridge", "main")},
      .tables = {outcomes("main"), outcomes("own-words", "Own words marked"),
                 outcomes("marked-at-once", "Own words marked at once")},
      .claims = {
          newsgroups_beats("newsgroups-no-replacement-beats-oful", "oful", once, "main", "main"),
          newsgroups_beats("newsgroups-no-replacement-own-words-beats-oful", "oful",
                           fmt::format("{}, its own words marked", once), "own-words", "main"),
          newsgroups_beats("newsgroups-no-replacement-at-once-beats-oful", "oful",
                           fmt::format("{}, its own words marked whenever they are shown", once), "marked-at-once", "main"),
          newsgroups_beats("newsgroups-no-replacement-beats-explore-then-commit", "explore-then-commit", once, "main", "main"),
          ridge_inside("newsgroups-no-replacement-ridge-inside", {"main", "oful"})}};
}

}  // namespace inkling::bench
