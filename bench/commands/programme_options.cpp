#include "bench/commands/programme_options.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/simulate_options.hpp"
#include "engine/core/nearest_name.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/doors/cli/usage_error.hpp"

namespace inkling::bench {
namespace {

std::vector<std::string> figure_names(const Programme& programme) {
  std::vector<std::string> names;
  for (const Figure& figure : programme.figures()) names.emplace_back(figure.name);
  return names;
}

std::string names_help(const Programme& programme) {
  return fmt::format("figures to make: {} (default: all)", fmt::join(figure_names(programme), ", "));
}

OptionGroup run_options(const Programme& programme) {
  return {"The run",
          {{"out", Path{}, "DIR", std::nullopt,
            "made where it is missing: index.html, summary.json, and NAME.csv and NAME.svg for each figure; "
            "DIR/kept holds finished trials, so that a stopped run can continue",
            Option::Need::required},
           {"quick", Flag{}, "", std::nullopt,
            fmt::format("{} trials, every other ridge and a quarter of each horizon: the shapes in a minute",
                        programme.quick_trials)},
           {"fresh", Flag{}, "", std::nullopt, "forget the finished trials of earlier runs into DIR"},
           {"trials", Integer{2, 100'000}, "N", std::nullopt,
            fmt::format("independent trials of everything (default: {}, quick: {})", programme.trials, programme.quick_trials)},
           {"tuning-trials", Integer{1, 100'000}, "N", std::nullopt,
            fmt::format("separate trials, which choose the tuned settings (default: {}, quick: {})", programme.tuning_trials,
                        programme.quick_tuning_trials)},
           {"seed", Integer{0}, "SEED", "1", "the same seed gives the same CSV files, at any number of threads"},
           threads_option()}};
}

OptionGroup data_options(const Programme& programme) {
  OptionGroup group = {"Data",
                       {{"data", Path{}, "FILE|FOLDER", std::nullopt,
                         "where the data sets of datasets/fetch are: a folder with them, or one of them (default: "
                         "build/datasets, where it puts them)"},
                        {"topic-words", Path{}, "FILE", std::nullopt,
                         "words that people marked, a line 'topic: word, word' each, in place of a simulated person"}}};
  if (programme.compares_searches) {
    group.options.push_back({"pool", Path{}, "POOL", std::nullopt,
                             "make the figure searches in this pool of inkling build, and no other figure unless it is named; "
                             "its labels are the topics"});
  }
  return group;
}

OptionGroup peer_options() {
  return {"Other programs",
          {{"python", Path{}, "PROGRAM", PeerPlace().python,
            "the interpreter that runs them; the figure reviews wants one with the package asreview"},
           {"peer-folder", Path{}, "DIR", PeerPlace().folder, "where their scripts are"}}};
}

OptionGroup open_options() {
  return {
      "What the paper leaves open",
      {{"noise", Real::from_to(0.0, 1e6), "R", "0.5", "standard deviation of rewards x.theta* + noise"},
       {"norm-bound", Real::above_up_to(0.0, 1e6), "S", "1", "norm of theta*, and the bound given to policies"},
       {"logistic-norm", Real::above_up_to(0.0, 1e6), "S", "5",
        "the same where a reward is +1 with probability 1/(1 + exp(-x.theta*)), else -1"},
       {"label-noise", Real::from_to(0.0, 1e6), "R", "0.1", "the noise given to policies if a reward is a label, which has none"},
       option_as("delta", "delta", "probability with which a confidence set may fail"),
       {"words", Integer{1, 100'000}, "W", "8", "words drawn for a synthetic document"},
       {"mark-probability", Real::above_up_to(0.0, 1.0), "P", "0.1",
        "probability with which a word that matters is marked (0.1 is the paper's)"},
       {"rounds", Integer{1, 10'000'000}, "T", std::nullopt, "rounds of every trial, in place of each figure's own horizon"}}};
}

OptionGroup programme_output_options() {
  return {"Output", {{"json", Flag{}, "", std::nullopt, "print summary.json instead of the table of claims"}}};
}

struct RealSetting {
  std::string_view name;
  double PaperSettings::*place;
};

constexpr RealSetting kRealSettings[] = {{"noise", &PaperSettings::noise},
                                         {"norm-bound", &PaperSettings::norm_bound},
                                         {"logistic-norm", &PaperSettings::logistic_norm},
                                         {"label-noise", &PaperSettings::label_noise},
                                         {"delta", &PaperSettings::delta},
                                         {"mark-probability", &PaperSettings::mark_probability}};

const Figure& figure_named(const Programme& programme, const std::string& name) {
  const std::span<const Figure> figures = programme.figures();
  const auto found = std::ranges::find(figures, std::string_view(name), &Figure::name);
  if (found != figures.end()) return *found;
  const std::vector<std::string> names = figure_names(programme);
  throw UsageError(fmt::format("expected the name of a figure ({}), got {}{}", fmt::join(names, ", "), in_quotes(name),
                               did_you_mean("", name, names)));
}

bool has_pool(const Programme& programme, const ParsedOptions& options) {
  return programme.compares_searches && options.has("pool");
}

std::vector<const Figure*> wanted_figures(const Programme& programme, const ParsedOptions& options) {
  std::set<std::string_view> wanted;
  for (const std::string& name : options.positionals()) wanted.insert(figure_named(programme, name).name);
  if (has_pool(programme, options) && wanted.empty()) wanted.insert("searches");
  const bool all = wanted.empty();
  std::vector<const Figure*> chosen;
  for (const Figure& figure : programme.figures())
    if (all || wanted.contains(figure.name)) chosen.push_back(&figure);
  return chosen;
}

PaperSettings settings_from(const Programme& programme, const ParsedOptions& options) {
  PaperSettings settings;
  const bool quick = options.flag("quick");
  settings.effort = quick ? PaperEffort::quick : PaperEffort::full;
  settings.trials = quick ? programme.quick_trials : programme.trials;
  settings.tuning_trials = quick ? programme.quick_tuning_trials : programme.tuning_trials;
  if (options.has("trials")) settings.trials = options.integer("trials");
  if (options.has("tuning-trials")) settings.tuning_trials = options.integer("tuning-trials");
  if (options.has("rounds")) settings.rounds = options.integer("rounds");
  settings.seed = static_cast<std::uint64_t>(options.integer("seed"));
  settings.words = static_cast<std::int32_t>(options.integer("words"));
  for (const auto& [name, place] : kRealSettings) settings.*place = options.real(name);
  return settings;
}

/// Only given options: where a later version changes a default, its figures may change, too.
std::string command_of(const Programme& programme, const ParsedOptions& options) {
  std::string command = fmt::format("inkling-bench {}", programme.name);
  for (const std::string& name : options.positionals()) command += " " + name;
  if (options.flag("quick")) command += " --quick";
  for (const std::string_view name : {"trials", "tuning-trials", "seed", "words", "rounds"})
    if (options.given(name)) command += fmt::format(" --{} {}", name, options.integer(name));
  for (const auto& [name, place] : kRealSettings)
    if (options.given(name)) command += fmt::format(" --{} {}", name, options.real(name));
  if (has_pool(programme, options)) command += " --pool POOL";
  return command + " --out DIR";
}

}  // namespace

OptionTable option_table_of(const Programme& programme) {
  constexpr std::size_t most_names = 100;
  std::vector<OptionGroup> groups = {run_options(programme), data_options(programme), open_options()};
  if (programme.compares_searches) groups.push_back(peer_options());
  groups.push_back(programme_output_options());
  return OptionTable({fmt::format("inkling-bench {}", programme.name),
                      std::string(programme.purpose),
                      std::string(programme.example),
                      std::move(groups),
                      {"NAME...", names_help(programme), 0, most_names},
                      {"out", "quick", "fresh", "trials", "seed", "data", "threads"}});
}

ProgrammeRequest request_of(const Programme& programme, const ParsedOptions& options) {
  ProgrammeRequest request;
  request.run.programme = &programme;
  request.run.settings = settings_from(programme, options);
  request.run.command = command_of(programme, options);
  request.wanted.figures = wanted_figures(programme, options);
  request.folder = options.text("out");
  if (options.has("data")) request.wanted.data = options.text("data");
  if (has_pool(programme, options)) request.wanted.pool = options.text("pool");
  if (programme.compares_searches) request.wanted.peers = {options.text("python"), options.text("peer-folder")};
  if (options.has("topic-words")) request.wanted.topic_words = options.text("topic-words");
  return request;
}

}  // namespace inkling::bench
