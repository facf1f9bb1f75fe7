// The options of a programme of figures and what they mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/studies/figure.hpp"
#include "bench/studies/paper_settings.hpp"
#include "bench/studies/programme.hpp"
#include "io/cli/option_table.hpp"

namespace inkling::bench {

/// What a command line asks for.
struct ProgrammeRequest {
  const Programme* programme = nullptr;  ///< never null
  PaperSettings settings;
  std::vector<const Figure*> figures;  ///< in the programme's order, each once
  std::string folder;
  std::optional<std::string> data;         ///< where the user says that the data is
  std::optional<std::string> topic_words;  ///< a list of words that people marked, by topic
  std::string command;  ///< the line that asks for the same again, but for threads and folders
};

[[nodiscard]] OptionTable option_table_of(const Programme& programme);

/// Lifetime: lends the programme. Throws UsageError for a name that no figure has.
[[nodiscard]] ProgrammeRequest request_of(const Programme& programme, const ParsedOptions& options);

}  // namespace inkling::bench
