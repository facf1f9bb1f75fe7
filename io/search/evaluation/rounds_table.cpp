#include "io/search/evaluation/rounds_table.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/errors.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/mapped_file.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/source/record_format.hpp"

namespace inkling {
namespace {

using RoundColumn = double WeighedRound::*;
constexpr std::array<std::pair<std::string_view, RoundColumn>, 6> kColumns = {{{"logged", &WeighedRound::logged},
                                                                               {"target", &WeighedRound::target},
                                                                               {"reward", &WeighedRound::reward},
                                                                               {"predicted", &WeighedRound::predicted},
                                                                               {"expectation", &WeighedRound::expectation},
                                                                               {"square", &WeighedRound::square}}};
constexpr std::size_t kNeeded = 3;

std::string_view take_line(std::string_view& text) {
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::vector<std::string_view> cells_in(std::string_view line, const std::string& path, std::size_t number) {
  std::optional<std::vector<std::string_view>> cells = csv_fields(line, ',');
  if (!cells) throw FormatError(fmt::format("{}: line {}", path, number), "expected quotes as CSV has them, on one line");
  return std::move(*cells);
}

/// By column of the table, where its cells go; nullptr for a column that is skipped.
std::vector<RoundColumn> columns_of(std::string_view line, const std::string& path) {
  std::vector<RoundColumn> columns;
  for (const std::string_view name : cells_in(line, path, 1)) {
    const auto* const known = std::ranges::find(kColumns, name, &std::pair<std::string_view, RoundColumn>::first);
    columns.push_back(known == kColumns.end() ? nullptr : known->second);
  }
  for (const auto& [name, member] : std::span(kColumns).first(kNeeded))
    if (std::ranges::count(columns, member) != 1)
      throw FormatError(path + ": line 1", fmt::format("expected one column {}, besides logged, target and reward", name));
  return columns;
}

WeighedRound round_in(std::string_view line, std::span<const RoundColumn> columns, const std::string& path, std::size_t number) {
  const auto refuse = [&](const std::string& expectation) {
    throw FormatError(fmt::format("{}: line {}", path, number), "expected " + expectation);
  };
  const std::vector<std::string_view> cells = cells_in(line, path, number);
  if (cells.size() != columns.size()) refuse(fmt::format("{} cells, found {}", columns.size(), cells.size()));
  WeighedRound round;
  for (std::size_t n = 0; n < cells.size(); ++n) {
    if (columns[n] == nullptr) continue;
    const std::optional<double> value = parse_real(cells[n]);
    if (!value) refuse("a number, found " + quoted_text(cells[n]));
    round.*columns[n] = *value;
  }
  if (const std::optional<std::string> broken = broken_rule_of_round(round)) refuse(*broken);
  return round;
}

void write_estimate(JsonWriter& json, std::string_view name, const ValueEstimate& estimate) {
  const auto end_of = [&](double Interval::*end) {
    return estimate.interval ? std::optional((*estimate.interval).*end) : std::nullopt;
  };
  json.key(name).begin_object().member("value", estimate.value);
  json.member("low", end_of(&Interval::low)).member("high", end_of(&Interval::high)).end_object();
}

}  // namespace

std::vector<WeighedRound> read_rounds(const std::string& path) {
  constexpr std::size_t lines_between = 65536;
  const MappedFile file(path);
  std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::vector<RoundColumn> columns = columns_of(take_line(text), path);
  std::vector<WeighedRound> rounds;
  for (std::size_t number = 2; !text.empty(); ++number) {
    if (number % lines_between == 0) throw_if_interrupted();
    rounds.push_back(round_in(take_line(text), columns, path, number));
  }
  return rounds;
}

std::string rounds_text(const LoggedRounds& found) {
  std::string text = "shown,document,among,exploration,best,logged,target,reward,predicted,expectation,square\n";
  for (const auto& [shown, document, weighed, odds] : found.rounds) {
    text += fmt::format("{},{},{},{},{}", shown, document, odds.among, odds.exploration, fmt::join(odds.best, " "));
    for (const auto& [name, member] : kColumns) text += fmt::format(",{}", weighed.*member);
    text += '\n';
  }
  return text;
}

std::string value_json(const PolicyValue& value, const RoundsLeftOut* left_out) {
  JsonWriter json;
  json.begin_object().member("rounds", value.rounds).member("confidence", value.confidence).member("logged", value.logged);
  json.member("effective_rounds", value.effective).member("mean_weight", value.mean_weight);
  json.member("largest_weight", value.largest_weight);
  write_estimate(json, "ips", value.ips);
  write_estimate(json, "snips", value.snips);
  write_estimate(json, "doubly_robust", value.doubly_robust);
  if (left_out != nullptr) {
    json.key("left_out").begin_object().member("certain", left_out->certain).member("unknown", left_out->unknown);
    json.member("limited", left_out->limited).member("unrated", left_out->unrated).member("brought", left_out->brought);
    json.end_object();
  }
  return json.end_object().take();
}

}  // namespace inkling
