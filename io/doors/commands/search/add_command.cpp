// `inkling add`: later records come to a pool, and its searches continue.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/corpus/source/record_format.hpp"
#include "io/doors/commands/build_options.hpp"
#include "io/doors/commands/build_sources.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/search/records_added.hpp"

namespace inkling {
namespace {

// The options that say how a build reads records.
constexpr const char* kReadingOptions[] = {"format",    "text-field", "id-field", "label-field",
                                           "delimiter", "encoding",   "same-by",  "vectors"};

Option same_by_of_pool_option() {
  Option option = same_by_option();
  option.help = "by what new records are one with others (default: as the pool was built)";
  return option;
}

Option vectors_of_records_option() {
  Option option = vectors_option();
  option.help = "vectors of the new records, as inkling build takes them (default: they have none)";
  return option;
}

OptionTable add_option_table() {
  return OptionTable(
      {"inkling add",
       "Adds later records to a pool. Documents keep their numbers and the pool its words and their weights, "
       "so its searches continue; new words are learned by a new build only. Records that the pool has "
       "already, "
       "by id or else by text, are left out. Until the end the old pool stays as it is.",
       "inkling add reviews later.jsonl",
       {{"What comes in",
         {{"format", Choice{format_choices()}, "FORMAT", "auto", format_help()},
          {"text-field", Text{}, "NAME", std::nullopt, "as inkling build takes it"},
          {"id-field", Text{}, "NAME", std::nullopt, "as inkling build takes it"},
          {"label-field", Text{}, "NAME", std::nullopt, "as inkling build takes it"},
          {"delimiter", Choice{names_of(kDelimiterNames)}, "NAME", std::nullopt,
           "what separates the fields of csv (default: detected, otherwise comma)"},
          encoding_option(),
          vectors_of_records_option(),
          strict_option(),
          {"memory", Size{1}, "SIZE", std::nullopt, "as inkling build takes it"},
          same_by_of_pool_option()}},
        {"What goes out", {{"out", Path{}, "POOL", std::nullopt, "the new pool (default: it takes the place of the old one)"}}}},
       {"POOL SOURCE...", "the pool, made from text; and files, folders and archives of new records", 2, SIZE_MAX}});
}

int add(const ParsedOptions& options) {
  const std::string& pool = options.positionals().front();
  const std::vector<std::string> sources(options.positionals().begin() + 1, options.positionals().end());
  std::vector<std::string> reading;
  for (const char* const name : kReadingOptions)
    if (options.given(name)) reading.insert(reading.end(), {fmt::format("--{}", name), options.text(name)});
  if (options.flag("strict")) reading.emplace_back("--strict");
  static_cast<void>(given_same_by(options));
  if (options.has("memory")) reading.insert(reading.end(), {"--memory", fmt::format("{}", options.integer("memory"))});
  add_records(pool, sources, reading, options.has("out") ? options.text("out") : pool);
  return ExitCode::ok;
}

}  // namespace

Command add_command() { return command_of(add_option_table(), add); }

}  // namespace inkling
