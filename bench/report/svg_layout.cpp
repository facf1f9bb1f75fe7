#include "bench/report/svg_layout.hpp"

#include <algorithm>
#include <utility>

#include "io/file/utf8.hpp"

namespace inkling {
namespace {

// Of the widest common sans-serif, on average: at the size of text, in bold, and in bold at the title's size.
constexpr double character_width = 6.8;
constexpr double bold_width = 7.9;
constexpr double title_width = 10.4;

std::size_t characters_in(double width, double per_character) {
  return static_cast<std::size_t>(std::max(width / per_character, 1.0));
}

// One line, or two where the text has a space to break at; an ellipsis stands for what does not fit.
std::vector<std::string> title_lines_of(std::string_view title, std::size_t most) {
  if (title.empty()) return {};
  if (utf8_count(title) <= most) return {std::string(title)};
  std::size_t cut = std::string_view::npos;
  for (std::size_t at = title.find(' '); at != std::string_view::npos; at = title.find(' ', at + 1)) {
    if (utf8_count(title.substr(0, at)) > most) break;
    cut = at;
  }
  if (cut == std::string_view::npos || cut == 0) return {utf8_shortened(title, most)};
  return {std::string(title.substr(0, cut)), utf8_shortened(title.substr(cut + 1), most)};
}

struct Names {
  std::size_t count = 0;
  std::size_t longest = 0;  // in characters
};

Names names_of(const LineChart& chart) {
  Names names;
  for (const Series& series : chart.series) {
    if (series.name.empty()) continue;
    ++names.count;
    names.longest = std::max(names.longest, utf8_count(series.name));
  }
  return names;
}

double width_beside(const Names& names, SeriesLooks looks) {
  if (names.longest == 0) return 24;
  const double per_character = looks == SeriesLooks::colours ? bold_width : character_width;
  return per_character * static_cast<double>(std::min(names.longest, longest_name)) + 38;
}

NamePlace place_of(const Names& names, SeriesLooks looks, double width, double plot_height) {
  if (looks == SeriesLooks::colours) return NamePlace::beside;
  constexpr double good_third = 0.38;
  const bool too_wide = width_beside(names, looks) > good_third * width || names.longest > longest_name;
  const bool too_many = svg_label_gap * static_cast<double>(names.count) > plot_height + svg_label_gap;
  return too_wide || too_many ? NamePlace::below : NamePlace::beside;
}

}  // namespace

SvgLayout svg_layout(const LineChart& chart, SvgSize size, std::span<const Tick> y_ticks) {
  const double width = size.width;
  double left = 0;
  for (const Tick& tick : y_ticks) left = std::max(left, svg_text_width(tick.label));
  left += 30;
  std::vector<std::string> title = title_lines_of(chart.title, characters_in(width - 40, title_width));
  const double more_lines = title.size() > 1 ? svg_title_gap : 0;
  const double top = 36 + (title.empty() ? 0 : 26) + more_lines;
  const double bottom = 34.0 + (chart.x_label.empty() ? 0 : 22);

  const Names names = names_of(chart);
  const double plot_height = std::max(size.height + more_lines - top - bottom, 40.0);
  const NamePlace place = place_of(names, chart.looks, width, plot_height);
  const double right = place == NamePlace::below ? 24 : width_beside(names, chart.looks);

  const double column = 40 + character_width * static_cast<double>(names.longest);
  const auto fitting = static_cast<std::size_t>(std::max((width - 40) / column, 1.0));
  const std::size_t columns = std::min(fitting, std::max<std::size_t>(names.count, 1));
  const std::size_t rows = place == NamePlace::below ? (names.count + columns - 1) / columns : 0;
  return {.area = {left, top, std::max(width - left - right, 40.0), plot_height},
          .height = size.height + more_lines + svg_key_gap * static_cast<double>(rows),
          .title_lines = std::move(title),
          .names = place,
          .key_columns = columns,
          .key_column_width = column};
}

double svg_text_width(std::string_view text) {
  return character_width * static_cast<double>(utf8_count(text));
}

std::string fitting_text(std::string_view text, double width) {
  return utf8_shortened(text, characters_in(width, character_width));
}

}  // namespace inkling
