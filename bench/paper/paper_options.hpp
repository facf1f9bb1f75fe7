// The options of `inkling-bench paper` and what they mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/paper/figure.hpp"
#include "bench/paper/paper_settings.hpp"
#include "io/cli/option_table.hpp"

namespace inkling::bench {

/// What a command line asks for.
struct PaperRequest {
  PaperSettings settings;
  std::vector<const Figure*> figures;  ///< in the paper's order, each once
  std::string folder;
  std::optional<std::string> data;         ///< where the user says that the data is
  std::optional<std::string> topic_words;  ///< a list of words that people marked, by topic
  std::string command;  ///< the line that asks for the same again, but for threads and folders
};

[[nodiscard]] OptionTable paper_option_table();

/// Throws UsageError for a name that is no figure's.
[[nodiscard]] PaperRequest paper_request(const ParsedOptions& options);

}  // namespace inkling::bench
