#include "bench/commands/factor_command.hpp"

#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/cli/interruption.hpp"
#include "io/cli/progress.hpp"
#include "io/file/json_writer.hpp"

namespace inkling::bench {
namespace {

/// The words that a person marks lie in the first; all but the commonest words of a text in the second; rare
/// ones only in the third.
constexpr std::array<FrequencyBand, 3> kBands = {{{0.01, 0.3}, {0.0005, 0.3}, {0.0005, 0.01}}};
constexpr Seconds kBudget{0.05};

OptionGroup options_of_the_cells() {
  return {
      .heading = "What to measure",
      .options = {
          {.name = "sizes",
           .kind = IntegerList{{1, 5000}},
           .value_name = "M,...",
           .otherwise = "10,30,100,300,1000,3000",
           .help = "relevant features"},
          {.name = "rows",
           .kind = IntegerList{{0, 100'000}},
           .value_name = "N,...",
           .otherwise = "30,300,2000",
           .help = "documents played before"},
          {.name = "seed", .kind = Integer{0}, .value_name = "N", .otherwise = "1", .help = "of all chance"},
      }};
}

std::vector<FactorCell> cells_of(const ParsedOptions& given) {
  std::vector<FactorCell> cells(1);
  for (const FrequencyBand band : kBands) {
    for (const std::int64_t size : given.integers("sizes")) {
      for (const std::int64_t rows : given.integers("rows")) {
        cells.push_back(
            {.band = band, .size = static_cast<std::int32_t>(size), .rows = static_cast<std::int32_t>(rows)});
      }
    }
  }
  return cells;
}

int run(const ParsedOptions& given) {
  const auto seed = static_cast<std::uint64_t>(given.integer("seed"));
  std::vector<FactorCell> cells = cells_of(given);
  Progress progress("cells", cells.size());
  std::string text = given.flag("json") ? "" : factor_table_head();
  for (FactorCell& cell : cells) {
    throw_if_interrupted();
    const FrequencyBand band = cell.band.value_or(kBands.front());
    cell.result = compare_factors(make_factor_workload(cell.size, cell.rows, band, seed), kBudget);
    if (!given.flag("json")) text += factor_table_line(cell);
    progress.advance();
  }
  progress.finish();
  if (given.flag("json")) text = factor_json(seed, cells) + "\n";
  fmt::print("{}", text);
  return ExitCode::ok;
}

std::string table_part(const FactorTimes& times) {
  constexpr double micro = 1e6;
  return fmt::format("{:>9.2f} {:>9.2f} {:>9.2f} {:>10.0f}", micro * times.solve, micro * times.update,
                     micro * times.birth, micro * times.rebuild);
}

void write_times(JsonWriter& json, std::string_view name, const FactorTimes& times) {
  json.key(name).begin_object();
  json.member("solve_seconds", times.solve).member("update_seconds", times.update);
  json.member("birth_seconds", times.birth).member("rebuild_seconds", times.rebuild).end_object();
}

}  // namespace

std::string factor_table_head() {
  const std::string part = fmt::format("{:>9} {:>9} {:>9} {:>10}", "solve", "update", "birth", "rebuild");
  return fmt::format(
      "Median microseconds; ratio = (solve + update) of CHOLMOD / of the dense factor\n"
      "{:<25} {:>5}   {:<40} {:<40}\n{:<13} {:>5} {:>5} {:>5}   {} | {} | {:>6}\n",
      "", "", "CHOLMOD", "| dense", "word shares", "m", "rows", "fill", part, part, "ratio");
}

std::string factor_table_line(const FactorCell& cell) {
  const std::string band =
      cell.band ? fmt::format("{:g} - {:g}", cell.band->low, cell.band->high) : "(overhead)";
  return fmt::format("{:<13} {:>5} {:>5} {:>5.2f}   {} | {} | {:>6.2f}\n", band, cell.size, cell.rows,
                     cell.result.fill, table_part(cell.result.cholmod), table_part(cell.result.dense),
                     cell.result.reward_ratio());
}

std::string factor_json(std::uint64_t seed, std::span<const FactorCell> cells) {
  JsonWriter json;
  json.begin_object().member("seed", seed).key("cells").begin_array();
  for (const FactorCell& cell : cells) {
    json.begin_object().key("band");
    if (cell.band) {
      json.begin_array().value(cell.band->low).value(cell.band->high).end_array();
    } else {
      json.null();
    }
    json.member("relevant", cell.size).member("rows", cell.rows).member("fill", cell.result.fill);
    json.member("words_a_row", cell.result.words_a_row);
    write_times(json, "cholmod", cell.result.cholmod);
    write_times(json, "dense", cell.result.dense);
    json.member("ratio", cell.result.reward_ratio()).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

Command factor_command() {
  OptionTable table(
      {.command = "inkling-bench factor",
       .purpose = "Times CHOLMOD's factor of the gram against the dense one.",
       .example = "inkling-bench factor --sizes 30,100,300 --rows 300",
       .groups = {options_of_the_cells(),
                  {.heading = "Output", .options = {{.name = "json", .help = "print one JSON object"}}}}});
  return command_of(std::move(table), run);
}

}  // namespace inkling::bench
