// A programme of figures: what a command runs, and the words of its help.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "bench/studies/figure.hpp"

namespace inkling::bench {

struct Programme {
  std::string_view name;     ///< of the command, and of the folder of its templates
  std::string_view purpose;  ///< of the command, a sentence
  std::string_view example;  ///< a command line that works
  std::string_view title;    ///< of the page
  std::int64_t trials = 100;
  std::int64_t quick_trials = 20;
  std::int64_t tuning_trials = 10;
  std::int64_t quick_tuning_trials = 4;
  std::span<const Figure> (*figures)() = nullptr;
  /// Only made where it is named, or asked for by a flag of its name; may be none.
  std::string_view optional_figure = {};
};

}  // namespace inkling::bench
