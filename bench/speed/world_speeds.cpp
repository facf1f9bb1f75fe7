#include "bench/speed/world_speeds.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "bench/report/power_law.hpp"
#include "bench/report/report.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/search/simulation/synthetic_pool.hpp"
#include "io/search/simulation/trial.hpp"

namespace inkling::bench {
namespace {

/// The world of `race`.
World easy_world(std::int64_t documents, const WorldSpeedOptions& options) {
  auto pool = std::make_shared<const PoolMatrix>(
      make_zipf_pool({.documents = static_cast<std::int32_t>(documents), .features = options.features, .seed = options.seed}));
  World world = rate_pool(pool->view(), {.seed = options.seed});
  world.pool_owner = std::move(pool);
  return world;
}

WorldOptions drawn_words(std::int64_t documents, std::int32_t words, const WorldSpeedOptions& options) {
  WorldOptions world;
  world.pool = {.documents = static_cast<std::int32_t>(documents), .features = options.features, .words = words, .zipf = 1.07};
  return world;
}

/// The signal of a document (0.01) is far below the noise (0.1), so nearly every document could be the best.
World hard_world(std::int64_t documents, const WorldSpeedOptions& options) {
  WorldOptions world = drawn_words(documents, 130, options);
  world.relevant = 100;
  world.relevant_frequency = {0.01, 0.3};
  return make_synthetic_world(world, options.seed, 0);
}

/// One document in a hundred is wanted, and rated so.
World person_world(std::int64_t documents, const WorldSpeedOptions& options) {
  WorldOptions world = drawn_words(documents, 40, options);
  world.reward = RewardKind::label;
  world.topic_share = 0.01;
  return make_synthetic_world(world, options.seed, 0);
}

struct WorldKind {
  const char* name;
  const char* policy;
  double noise;  ///< as the policy presumes it
  World (*make)(std::int64_t documents, const WorldSpeedOptions& options);
};

constexpr WorldKind kKinds[] = {{"race: ff-oful, a clear signal", "ff-oful", 0.1, easy_world},
                                {"hard: ff-oful, a signal below the noise", "ff-oful", 0.1, hard_world},
                                {"search: inkling, grades of a person", "inkling", 1.0, person_world}};

Entrant entrant_in(const WorldKind& kind, std::int64_t documents, const WorldSpeedOptions& options) {
  Entrant entrant{.name = kind.policy, .preset = *find_preset(kind.policy), .seed = options.seed};
  entrant.options.confidence.noise = kind.noise;
  entrant.options.with_replacement = false;
  constexpr std::int64_t longer = 10;  // how much longer a round of `inkling` takes
  const bool is_search = kind.make == person_world;
  entrant.rounds = std::min(is_search ? std::max(options.rounds / longer, std::int64_t{1}) : options.rounds, documents);
  return entrant;
}

std::string law_of(const WorldSpeed& speed) {
  const std::optional<PowerLaw> law = fit_power_law(speed.documents, speed.rate);
  if (!law) return "-";
  return law->standard_error ? fmt::format("{:.2f} ± {:.2f}", law->exponent, *law->standard_error)
                             : fmt::format("{:.2f}", law->exponent);
}

FigureTable rates_table(const std::vector<WorldSpeed>& speeds) {
  FigureTable table{.line = "Rounds a second, and the power of the documents by which they change, with its standard error",
                    .head = {"world"},
                    .view = TableView::open};
  for (const double documents : speeds.front().documents)
    table.head.push_back(digit_groups(static_cast<std::int64_t>(documents)));
  table.head.emplace_back("power");
  for (const WorldSpeed& speed : speeds) {
    auto& row = table.rows.emplace_back();
    row.push_back(speed.name);
    for (const double rate : speed.rate) row.push_back(rate_text(1.0 / rate));
    row.resize(table.head.size() - 1);  // an interrupted row is shorter
    row.push_back(law_of(speed));
  }
  return table;
}

LineChart rates_chart(const std::vector<WorldSpeed>& speeds) {
  LineChart chart = {.title = "Rounds a second in three kinds of worlds",
                     .x_label = "documents in the pool",
                     .y_label = "rounds a second",
                     .x_scale = AxisScale::logarithmic,
                     .y_scale = AxisScale::logarithmic,
                     .points = PointMarks::dots};
  for (const WorldSpeed& speed : speeds)
    chart.series.push_back({speed.name, speed.documents, speed.rate, speed.slowest, speed.fastest});
  return chart;
}

}  // namespace

std::vector<WorldSpeed> kinds_of_worlds() {
  std::vector<WorldSpeed> speeds;
  for (const WorldKind& kind : kKinds) speeds.push_back({.name = kind.name});
  return speeds;
}

void measure_worlds(std::int64_t documents, const WorldSpeedOptions& options, const RunListener& listener,
                    std::vector<WorldSpeed>& speeds) {
  for (std::size_t kind = 0; kind < speeds.size(); ++kind) {
    const World world = kKinds[kind].make(documents, options);
    const Entrant entrant = entrant_in(kKinds[kind], documents, options);
    std::vector<double> rates;
    for (std::int64_t repeat = 0; repeat < options.repeats; ++repeat) {
      const TrialResult run = run_trial(world, entrant, 0, [&](const RoundRecord&) { listener.between_rounds(); });
      rates.push_back(static_cast<double>(entrant.rounds) / run.decision_seconds);
      listener.run_done();
    }
    std::ranges::sort(rates);
    WorldSpeed& speed = speeds[kind];
    speed.documents.push_back(static_cast<double>(documents));
    speed.rate.push_back(rates[rates.size() / 2]);
    speed.slowest.push_back(rates.front());
    speed.fastest.push_back(rates.back());
  }
}

std::string worlds_table(const std::vector<WorldSpeed>& speeds) {
  const FigureTable table = rates_table(speeds);
  std::string text = table.line + "\n";
  const auto add = [&text](const std::vector<std::string>& row) {
    text += fmt::format("  {:<42}", row.front());
    for (auto cell = std::next(row.begin()); cell != row.end(); ++cell) text += fmt::format("{:>14}", *cell);
    text += '\n';
  };
  add(table.head);
  for (const std::vector<std::string>& row : table.rows) add(row);
  return text;
}

void write_worlds(JsonWriter& json, const std::vector<WorldSpeed>& speeds, const WorldSpeedOptions& options) {
  json.begin_object().member("name", kWorldsAxis).member("title", "Three kinds of worlds");
  json.member("csv", fmt::format("charts_{}.csv", kWorldsAxis));
  write_pairs(json, "settings",
              {{"features of the pool", digit_groups(options.features)},
               {"rounds of a run", digit_groups(options.rounds)},
               {"threads", "1"}});
  json.key("charts").begin_array();
  write_chart(json, kWorldsAxis, rates_chart(speeds));
  json.end_array();
  write_tables(json, {rates_table(speeds)});
  json.end_object();
}

std::string worlds_csv(const std::vector<WorldSpeed>& speeds) {
  return std::string(kChartCsvHead) + chart_csv(kWorldsAxis, rates_chart(speeds));
}

}  // namespace inkling::bench
