#include "io/doors/commands/search/search_options.hpp"

#include <array>
#include <utility>

#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/cli/learning_options.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/commands/kept/work_file.hpp"
#include "io/doors/commands/pool_trust.hpp"
#include "io/doors/commands/search/pool_of_records.hpp"
#include "io/search/events/learning.hpp"
#include "io/search/session/kept_search_form.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {
namespace {

void check_search_outputs(const SearchOptions& options) {
  OutputGuard guard;
  guard.reads("the pool", options.pool);
  for (const std::string& pool : pools_behind(std::array{options.pool})) guard.reads("the pool", pool);
  if (options.import_from) guard.reads("--import", *options.import_from);
  if (!options.export_to) {
    guard.writes("--searches", options.searches_file);
    return;
  }
  guard.reads("--searches", options.searches_file);
  guard.writes("--out", *options.export_to);
}

}  // namespace

OptionTable search_option_table() {
  OptionTable::Description description = {
      "inkling search",
      "Shows a document, takes your rating and its words, shows the next. Each answer is kept at once, so "
      "you may stop at any time and continue with the same command. On a pipe it reads and writes JSON "
      "lines (io/search/service/REQUESTS.md).",
      "inkling search reviews --words soil,rose",
      {{"The search",
        {{"searches", Path{}, "FILE", std::nullopt,
          "the file that keeps searches; it is made where there is none (default: POOL.search, beside the "
          "pool); inkling sessions FILE --backup COPY copies it"},
         {"name", Text{}, "NAME", std::nullopt,
          "which search of that file, by its name or its id; a new one is begun where there is none "
          "(default: the "
          "only one)"},
         {"policy", Choice{names_of_policies(can_search_with)}, "NAME", kDefaultPolicy,
          "how a new search chooses; a search that you continue keeps its own; " + help_on_policies(can_search_with)},
         {"seed", Integer{0}, "N", "1", "seed of what a new search draws at random"},
         {"import", Path{}, "EVENTS", std::nullopt,
          "begin a new search with the ratings of a file of events; - is standard input"},
         {"rated-by", Text{}, "FIELD", std::nullopt,
          "begin a new search with the ratings that a field of the records holds: 0 or 1, yes or no, "
          "included or excluded, nothing; notes of ASReview and Rayyan, too"},
         {"words", Text{}, "WORDS", std::nullopt,
          "begin a new search with words to look for: soil,rose; a minus before one that is not wanted: "
          "soil,-rose"}}},
       {"The model of a new search", learning_options()},
       {"What comes out",
        {{"out", Path{}, "FILE", std::nullopt,
          "write the records with what was said of them, and end: .csv, .jsonl, .ris or .xlsx, as the name "
          "says; - is standard output, in JSON lines"},
         {"which", Choice{names_of(kWorkChoices)}, "WHAT", "all",
          "what --out writes: all: every answer, in order; good: the good documents, unread: those without a "
          "rating, both the best first"},
         {"json", Flag{}, "", std::nullopt, "read and write JSON lines in a terminal, too"}}},
       records_group(),
       {"The pool", pool_trust_options()}},
      {"POOL",
       "the pool, or a set (set.json), whose shards are put together in memory; or a file of records, of "
       "which a pool is made beside it, once",
       1, 1}};
  // Set separately: as parts of so large a list, g++ 12 would free some of it twice if memory ran out.
  description.common = {"words", "searches", "name", "policy", "rated-by", "out", "which", "json"};
  return OptionTable(std::move(description));
}

SearchOptions search_options_of(const ParsedOptions& given) {
  SearchOptions options;
  options.pool = pool_of_records(given.positionals().front(), records_args(given));
  options.searches_given = given.has("searches");
  options.searches_file = options.searches_given ? given.text("searches") : session_file_beside(options.pool);
  if (given.has("name")) options.name = given.text("name");
  if (given.given("policy")) options.policy = given.text("policy");
  if (given.given("seed")) options.seed = static_cast<std::uint64_t>(given.integer("seed"));
  const std::string learning = learning_options_text(given);
  if (learning != "{}") options.learning = learning;
  if (given.has("import")) options.import_from = given.text("import");
  if (given.has("words")) options.words = given.text("words");
  if (given.has("rated-by")) options.rated_by = given.text("rated-by");
  if (given.has("out")) options.export_to = given.text("out");
  if (given.given("which") && !options.export_to) throw UsageError::option("which", "expected with --out");
  options.which = given.choice("which", kWorkChoices);
  if (options.export_to) static_cast<void>(work_format_at(*options.export_to));
  options.json = given.flag("json");
  options.trust = pool_trust_of(given);
  if (options.searches_file == "-") throw UsageError::option("searches", "expected a file, not standard output");
  if (options.import_from && options.export_to) throw UsageError::option("out", "expected without --import");
  if (options.words && options.export_to) throw UsageError::option("out", "expected without --words");
  if (options.rated_by && options.export_to) throw UsageError::option("out", "expected without --rated-by");
  if (options.rated_by && options.import_from) throw UsageError::option("rated-by", "expected without --import");
  check_search_outputs(options);
  return options;
}

}  // namespace inkling
