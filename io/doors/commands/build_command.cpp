// `inkling build`: text, or a ready-made matrix, becomes a pool.
#include <algorithm>
#include <exception>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/folder.hpp"
#include "io/corpus/from_text/explanation.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/matrix/matrix_import.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/corpus/text/word_breaks.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/cli/progress.hpp"
#include "io/doors/commands/build_checks.hpp"
#include "io/doors/commands/build_options.hpp"
#include "io/doors/commands/build_report.hpp"
#include "io/doors/commands/build_target.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/kept/rated_search.hpp"

namespace inkling {
namespace {

constexpr EnumName<ImportPhase> kImportLabels[] = {{ImportPhase::read, "1 of 3: reading, bytes"},
                                                   {ImportPhase::rows, "2 of 3: rows, non-zeros"},
                                                   {ImportPhase::columns, "3 of 3: columns, non-zeros"}};

// Shows progress, and counts what was read, because the size of a pipe is not known before.
class BuildWatch {
 public:
  [[nodiscard]] BuildProgress progress() {
    return [this](BuildPhase phase, std::uint64_t done, std::uint64_t total, std::int64_t documents) {
      if (phase == BuildPhase::read) bytes_read_ = std::max(bytes_read_, done);
      progress_.show(name_of(phase, kBuildLabels), done, total, short_count(static_cast<double>(documents)) + " documents");
    };
  }
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  PhasedProgress progress_;
  std::uint64_t bytes_read_ = 0;
};

// A line for a person; what a program reads goes to standard output. If it cannot be written there is no other place
// for it, so failures are ignored.
void remark(const std::string& text) { tell(fmt::format("inkling build: {}\n", visible_text(text))); }

// The facts about a pool once it is published.
struct PublishedPool {
  std::uint64_t bytes = 0;
  std::string unremoved = {};  // where a part of the old pool still is
};

// Everything that a build of documents needs, from the options and from the sources.
class TextBuild {
 public:
  TextBuild(const ParsedOptions& options, const BuildSources& sources)
      : options_(options),
        paths_(sources.paths),
        words_(options),
        source_(source_options(options)),
        build_(text_build_options(options, sources.format, words_)) {
    check_fields_of_format(options, sources);
    source_.format = sources.format;
    source_.delimiter = sources.delimiter;
    source_.kinds = sources.kinds;
    build_.read_again = reading_again(paths_, source_);
    build_.check = [this](const TextBuildSummary& summary) { check_documents(options_, source_, summary); };
  }
  ~TextBuild() = default;
  TextBuild(const TextBuild&) = delete;
  TextBuild& operator=(const TextBuild&) = delete;

  [[nodiscard]] std::unique_ptr<DocumentSource> open() { return open_source(paths_, source_); }
  [[nodiscard]] const TextBuildOptions& options() const { return build_; }
  /// Remarks on the documents that a person should know.
  void remark_on_documents(const TextBuildSummary& summary) const {
    for (const std::string& text : shown_remarks(summary.corpus)) remark(text);
    if (const std::int64_t lists = source_.seen->label_lists(); lists > 0)
      remark(fmt::format("lists of labels: {}; the first label of each {}counts", digit_groups(lists),
                         source_.labels.empty() ? "" : "that is among --topics "));
  }

 private:
  const ParsedOptions& options_;
  std::vector<std::string> paths_;
  GivenWords words_;
  SourceOptions source_;
  TextBuildOptions build_;
};

// The pool is published: failures from here on are reported, and the exit code is still 0.
template <typename Text, typename Json>
void sum_up_build(const ParsedOptions& options, const PublishedPool& pool, const Text& text, const Json& json) noexcept {
  try {
    if (!pool.unremoved.empty()) {
      tell(visible_text(fmt::format("inkling build: {}: the old pool could not be removed; please do so", pool.unremoved)) +
           "\n");
    }
    if (!options.flag("json")) return tell(text());
    if (print_summary(json() + "\n")) return;
  } catch (const std::exception&) {
    // Most likely there was not enough memory.
  }
  tell("inkling build: the pool is complete, but its summary could not be shown\n");
}

// What was built, and what it took.
struct BuiltDocuments {
  TextBuildSummary summary;
  BuildCost cost;
  PublishedPool published;
};

BuiltDocuments build_from(const ParsedOptions& options, const BuildSources& sources) {
  const Stopwatch watch;
  const std::string& pool = pool_to_build(options);
  check_rated_by(options, pool);
  const int threads = build_threads(options);
  TextBuild build(options, sources);
  refuse_overlap("out", pool, options.positionals());
  // Allocated before the pool is published, so that a lack of memory cannot make a finished build fail.
  const std::string fields = pool_file_path(pool, PoolFile::bytes_of(PoolFile::fields));
  BuiltDocuments built;
  std::uint64_t source_bytes = 0;
  {
    BuildWatch shown;
    const std::unique_ptr<DocumentSource> source = build.open();
    PoolStaging staging(pool);
    ThreadLimit limit(threads);
    built.summary = limit.run([&] { return build_text_pool(*source, build.options(), staging, shown.progress()); });
    source_bytes = std::max(source->total_bytes(), shown.bytes_read());
    built.published = {staging.published_bytes(), staging.unremoved()};
  }
  build.remark_on_documents(built.summary);
  if (exists_at(fields) || options.has("rated-by"))
    if (const std::string text = take_ratings(options, pool, build.options().read_again); !text.empty()) remark(text);
  built.cost = {watch.seconds(), source_bytes, built.published.bytes, threads};
  return built;
}

int build_documents(const ParsedOptions& options, const BuildSources& sources) {
  const std::string& pool = pool_to_build(options);
  const BuiltDocuments built = build_from(options, sources);
  sum_up_build(
      options, built.published,
      [&] { return build_text(built.summary, built.cost, pool, Style(terminal_facts(Stream::error).colour)); },
      [&] { return build_json(built.summary, built.cost, pool); });
  return ExitCode::ok;
}

void refuse_options_of_text(const ParsedOptions& options, const std::string& format) {
  for (const char* const name : {"topics",
                                 "tokens",
                                 "min-token-length",
                                 "keep-case",
                                 "stop-words",
                                 "ngrams",
                                 "min-df",
                                 "max-df",
                                 "max-features",
                                 "tf",
                                 "idf",
                                 "norm",
                                 "keep-text",
                                 "dry-run",
                                 "encoding",
                                 "bad-bytes",
                                 "text-field",
                                 "id-field",
                                 "label-field",
                                 "like",
                                 "like-scikit-learn",
                                 "title-weight",
                                 "min-df-runs",
                                 "no-fields",
                                 "rated-by",
                                 "same-by",
                                 "keep-duplicates",
                                 "strip-accents",
                                 "vectors"}) {
    if (options.given(name)) throw UsageError::option(name, fmt::format("is for text; a {} matrix is taken as it is", format));
  }
}

ImportOptions import_options(const ParsedOptions& options, const std::string& format) {
  ImportOptions import;
  import.memory = static_cast<std::uint64_t>(options.integer("memory"));
  if (options.has("vocabulary")) import.vocabulary = options.text("vocabulary");
  if (options.flag("no-labels")) import.labels = LabelUse::drop;
  import.check = [&options](const ImportSummary& summary) { check_matrix(options, summary); };
  import.origin = {options.positionals(), format, std::string(program_version)};
  return import;
}

int import_matrix_pool(const ParsedOptions& options, const BuildSources& sources) {
  refuse_options_of_text(options, sources.format);
  const Stopwatch watch;
  const std::string& pool = pool_to_build(options);
  const int threads = build_threads(options);
  refuse_overlap("out", pool, options.positionals());
  ImportSummary summary;
  PublishedPool published;
  {
    PhasedProgress progress;
    const std::unique_ptr<MatrixSource> source = open_matrix_source(sources.paths, matrix_source_options(options, sources));
    PoolStaging staging(pool);
    ThreadLimit limit(threads);
    const auto show = [&](ImportPhase phase, std::uint64_t done, std::uint64_t total) {
      progress.show(name_of(phase, kImportLabels), done, total);
    };
    summary = limit.run([&] { return import_matrix(*source, import_options(options, sources.format), staging, show); });
    published = {staging.published_bytes(), staging.unremoved()};
  }
  const BuildCost cost = {watch.seconds(), 0, published.bytes, threads};
  sum_up_build(
      options, published, [&] { return import_text(summary, cost, pool, Style(terminal_facts(Stream::error).colour)); },
      [&] { return import_json(summary, cost, pool); });
  return ExitCode::ok;
}

TextPlan plan(const ParsedOptions& options, TextBuild& build) {
  TextPlan found;
  {
    BuildWatch shown;
    const std::unique_ptr<DocumentSource> source = build.open();
    ThreadLimit limit(build_threads(options));
    found = limit.run([&] { return plan_text_pool(*source, build.options(), shown.progress()); });
  }
  build.remark_on_documents(found.summary);
  return found;
}

int plan_documents(const ParsedOptions& options, const BuildSources& sources) {
  TextBuild build(options, sources);
  const TextPlan found = plan(options, build);
  const auto memory = static_cast<std::uint64_t>(options.integer("memory"));
  const Style style(terminal_facts(Stream::output).colour);
  fmt::print("{}", options.flag("json") ? plan_json(found, memory) + "\n" : plan_text(found, memory, style));
  return ExitCode::ok;
}

TermLookup lookup_in(const Pool& pool) {
  return [&pool](std::string_view term) -> std::optional<KnownTerm> {
    const std::optional<FeatureId> feature = pool.feature_of(term);
    if (!feature) return std::nullopt;
    const auto at = static_cast<std::size_t>(*feature);
    return KnownTerm{*feature, pool.document_frequency()[at], pool.idf().empty() ? 1.0 : pool.idf()[at]};
  };
}

TermLookup lookup_in(const TextPlan& plan) {
  return [&plan](std::string_view term) -> std::optional<KnownTerm> {
    const auto found = std::ranges::lower_bound(plan.terms, term);
    if (found == plan.terms.end() || *found != term) return std::nullopt;
    const auto at = static_cast<std::size_t>(found - plan.terms.begin());
    return KnownTerm{static_cast<FeatureId>(at), plan.document_frequency[at], plan.idf[at]};
  };
}

int print_explanation(const ParsedOptions& options, const TextRecipe& recipe, const TermLookup& lookup,
                      const std::string& corpus) {
  const Style style(terminal_facts(Stream::output).colour);
  const Explanation explanation = explain_text(options.text("explain"), recipe, lookup);
  fmt::print("{}", options.flag("json") ? explanation_json(explanation) + "\n" : explanation_text(explanation, corpus, style));
  return ExitCode::ok;
}

int explain_by_sources(const ParsedOptions& options, const BuildSources& sources) {
  if (is_matrix_format(sources.format))
    throw UsageError::option("explain", fmt::format("is for text; a {} matrix is taken as it is", sources.format));
  TextBuild build(options, sources);
  const TextPlan found = plan(options, build);
  return print_explanation(options, found.recipe, lookup_in(found),
                           fmt::format("the {} documents of the sources", found.summary.corpus.documents));
}

// Explains by the pool of --like. The pool of --out is accepted as well, because earlier versions had only that.
int explain_without_sources(const ParsedOptions& options) {
  if (!options.has("like") && !options.has("out")) return print_explanation(options, recipe_of_a_text(options), {}, {});
  const TextPool like = open_text_pool(options, options.has("like") ? "like" : "out");
  return print_explanation(options, like.recipe, lookup_in(like.pool), fmt::format("the pool {}", like.pool.path()));
}

int build(const ParsedOptions& options) {
  const bool explains = options.has("explain");
  if (options.positionals().empty() && explains) return explain_without_sources(options);
  if (options.positionals().empty()) throw UsageError("expected SOURCE..., what to build the pool from; -h shows how");
  const bool writes = !explains && !options.flag("dry-run");
  if (writes) static_cast<void>(pool_to_build(options));
  const BuildSources sources = build_sources(options, source_options(options));
  for (const std::string& text : sources.remarks) remark(text);
  if (explains) return explain_by_sources(options, sources);
  if (is_matrix_format(sources.format)) return import_matrix_pool(options, sources);
  return writes ? build_documents(options, sources) : plan_documents(options, sources);
}

// Whether a tenth of the characters in the first texts are of scripts without blanks, in which whole clauses would be words.
bool begins_without_blanks(const ParsedOptions& options, const BuildSources& sources) {
  constexpr std::int64_t enough = 1'000'000;
  constexpr std::int64_t tenth = 10;
  TextBuild build(options, sources);
  const std::unique_ptr<DocumentSource> source = build.open();
  std::int64_t characters = 0;
  std::int64_t unspaced = 0;
  for (Chunk chunk; characters < enough && source->read(chunk);)
    static_cast<void>(source->parse(chunk, [&](const SourceDocument& document) {
      for (std::string_view text = document.text; !text.empty(); ++characters) {
        const Utf8Character character = first_character(text);
        if (is_of_unspaced_script(character.code_point)) ++unspaced;
        text.remove_prefix(character.length);
      }
    }));
  return unspaced * tenth > characters;
}

}  // namespace

TextBuildSummary build_records(std::span<const std::string> args) {
  ParsedOptions options = build_option_table().parse(args);
  const BuildSources sources = build_sources(options, source_options(options));
  if (is_matrix_format(sources.format))
    throw UsageError(fmt::format("expected records with a text, found a {} matrix", sources.format));
  for (const std::string& text : sources.remarks) remark(text);
  if (!options.has("like") && begins_without_blanks(options, sources)) {
    std::vector<std::string> by_dictionary(args.begin(), args.end());
    by_dictionary.insert(by_dictionary.end(), {"--tokens", "dictionary"});
    options = build_option_table().parse(by_dictionary);
  }
  TextBuildSummary summary = build_from(options, sources).summary;
  if (summary.corpus.bad_bytes > 0) remark("bad bytes: " + bad_bytes_text(summary.corpus.bad_bytes));
  return summary;
}

Command build_command() { return command_of(build_option_table(), build); }

}  // namespace inkling
