// `inkling build`: text, or a ready-made matrix, becomes a pool.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "io/build/explanation.hpp"
#include "io/build/text_builder.hpp"
#include "io/cli/build_info.hpp"
#include "io/cli/output_guard.hpp"
#include "io/cli/progress.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/commands/build_options.hpp"
#include "io/commands/build_report.hpp"
#include "io/commands/commands.hpp"
#include "io/file/utf8.hpp"
#include "io/matrix/matrix_import.hpp"
#include "io/pool/open/pool.hpp"
#include "io/source/document_source.hpp"

namespace inkling {
namespace {

constexpr EnumName<BuildPhase> kBuildLabels[] = {{BuildPhase::read, "reading, bytes"},
                                                 {BuildPhase::weigh, "weighing, non-zeros"},
                                                 {BuildPhase::columns, "columns, non-zeros"}};
constexpr EnumName<ImportPhase> kImportLabels[] = {{ImportPhase::read, "reading, bytes"},
                                                   {ImportPhase::rows, "rows, non-zeros"},
                                                   {ImportPhase::columns, "columns, non-zeros"}};

BuildProgress shown_by(PhasedProgress& progress) {
  return [&progress](BuildPhase phase, std::uint64_t done, std::uint64_t total, std::int64_t documents) {
    progress.show(name_of(phase, kBuildLabels), done, total,
                  short_count(static_cast<double>(documents)) + " documents");
  };
}

// What is known of a pool as soon as it stands.
struct PublishedPool {
  std::uint64_t bytes = 0;
  std::string unremoved = {};  // where a part of the old pool still lies
};

std::unique_ptr<DocumentSource> open_documents(const ParsedOptions& options, const std::string& format) {
  return open_source(options.positionals(), source_options(options, format));
}

// The pool stands: whatever fails from here on is told, and the exit code says that it stands.
template <typename Text, typename Json>
void sum_up_build(const ParsedOptions& options, const PublishedPool& pool, const Text& text,
                  const Json& json) noexcept {
  try {
    if (!pool.unremoved.empty()) {
      tell(visible_text(fmt::format("inkling build: {}: the old pool could not be removed; please do so",
                                    pool.unremoved)) +
           "\n");
    }
    if (!options.flag("json")) return tell(text());
    if (print_summary(json() + "\n")) return;
  } catch (const std::exception&) {
    // Most likely there was not enough memory.
  }
  tell("inkling build: the pool is complete, but its summary could not be shown\n");
}

int build_documents(const ParsedOptions& options, const std::string& format) {
  const Stopwatch watch;
  const std::string& pool = pool_to_build(options);
  const int threads = build_threads(options);
  const TextBuildOptions build = text_build_options(options, format);
  refuse_overlap("out", pool, options.positionals());
  TextBuildSummary summary;
  std::uint64_t source_bytes = 0;
  PublishedPool published;
  {
    PhasedProgress progress;
    const std::unique_ptr<DocumentSource> source = open_documents(options, format);
    PoolStaging staging(pool);
    ThreadLimit limit(threads);
    summary = limit.run([&] { return build_text_pool(*source, build, staging, shown_by(progress)); });
    source_bytes = source->total_bytes();
    published = {staging.published_bytes(), staging.unremoved()};
  }
  const BuildCost cost = {watch.seconds(), source_bytes, published.bytes, threads};
  sum_up_build(
      options, published,
      [&] { return build_text(summary, cost, pool, Style(terminal_facts(Stream::error).colour)); },
      [&] { return build_json(summary, cost, pool); });
  return ExitCode::ok;
}

void refuse_options_of_text(const ParsedOptions& options, const std::string& format) {
  for (const char* const name :
       {"topics", "tokens", "min-token-length", "keep-case", "stop-words", "ngrams", "min-df", "max-df",
        "max-features", "tf", "idf", "norm", "keep-text", "dry-run", "encoding", "bad-bytes", "text-field",
        "id-field", "label-field"}) {
    if (options.given(name))
      throw UsageError::option(name, fmt::format("is for text; a {} matrix is taken as it is", format));
  }
}

ImportOptions import_options(const ParsedOptions& options, const std::string& format) {
  ImportOptions import;
  import.memory = static_cast<std::uint64_t>(options.integer("memory"));
  if (options.has("vocabulary")) import.vocabulary = options.text("vocabulary");
  if (options.flag("no-labels")) import.labels = LabelUse::drop;
  import.origin = {options.positionals(), format, std::string(program_version)};
  return import;
}

int import_matrix_pool(const ParsedOptions& options, const std::string& format) {
  refuse_options_of_text(options, format);
  const Stopwatch watch;
  const std::string& pool = pool_to_build(options);
  const int threads = build_threads(options);
  refuse_overlap("out", pool, options.positionals());
  ImportSummary summary;
  PublishedPool published;
  {
    PhasedProgress progress;
    const std::unique_ptr<MatrixSource> source =
        open_matrix_source(options.positionals(), matrix_source_options(options, format));
    PoolStaging staging(pool);
    ThreadLimit limit(threads);
    const auto show = [&](ImportPhase phase, std::uint64_t done, std::uint64_t total) {
      progress.show(name_of(phase, kImportLabels), done, total);
    };
    summary =
        limit.run([&] { return import_matrix(*source, import_options(options, format), staging, show); });
    published = {staging.published_bytes(), staging.unremoved()};
  }
  const BuildCost cost = {watch.seconds(), 0, published.bytes, threads};
  sum_up_build(
      options, published,
      [&] { return import_text(summary, cost, pool, Style(terminal_facts(Stream::error).colour)); },
      [&] { return import_json(summary, cost, pool); });
  return ExitCode::ok;
}

TextPlan plan(const ParsedOptions& options, const std::string& format) {
  PhasedProgress progress;
  const std::unique_ptr<DocumentSource> source = open_documents(options, format);
  ThreadLimit limit(build_threads(options));
  return limit.run(
      [&] { return plan_text_pool(*source, text_build_options(options, format), shown_by(progress)); });
}

int plan_documents(const ParsedOptions& options, const std::string& format) {
  const TextPlan found = plan(options, format);
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

TermLookup lookup_in(const TextPlan& plan, IdfKind idf) {
  return [&plan, idf](std::string_view term) -> std::optional<KnownTerm> {
    const auto found = std::ranges::lower_bound(plan.terms, term);
    if (found == plan.terms.end() || *found != term) return std::nullopt;
    const auto at = static_cast<std::size_t>(found - plan.terms.begin());
    const std::int32_t frequency = plan.document_frequency[at];
    return KnownTerm{static_cast<FeatureId>(at), frequency,
                     inverse_document_frequency(idf, plan.summary.corpus.documents, frequency)};
  };
}

int explain(const ParsedOptions& options) {
  const Style style(terminal_facts(Stream::output).colour);
  const auto show = [&](const TextRecipe& recipe, const TermLookup& lookup, const std::string& corpus) {
    const Explanation explanation = explain_text(options.text("explain"), recipe, lookup);
    fmt::print("{}", options.flag("json") ? explanation_json(explanation) + "\n"
                                          : explanation_text(explanation, corpus, style));
    return ExitCode::ok;
  };
  if (!options.positionals().empty()) {
    const TextPlan found = plan(options, source_format(options));
    const TextRecipe recipe = text_recipe(options);
    return show(recipe, lookup_in(found, recipe.idf),
                fmt::format("the {} documents of the sources", found.summary.corpus.documents));
  }
  std::error_code error;
  if (options.has("out") && std::filesystem::exists(options.text("out"), error)) {
    const Pool pool = Pool::open(options.text("out"));
    const std::optional<TextRecipe> recipe = recipe_of_pool(pool.path(), pool.manifest());
    if (!recipe) throw UsageError::option("out", "expected a pool made from text, to explain by its recipe");
    return show(*recipe, lookup_in(pool), fmt::format("the pool {}", pool.path()));
  }
  return show(text_recipe(options), {}, {});
}

int build(const ParsedOptions& options) {
  if (options.has("explain")) return explain(options);
  if (options.positionals().empty())
    throw UsageError("expected SOURCE..., what to build the pool from; -h shows how");
  const std::string format = source_format(options);
  if (is_matrix_format(format)) return import_matrix_pool(options, format);
  return options.flag("dry-run") ? plan_documents(options, format) : build_documents(options, format);
}

}  // namespace

Command build_command() { return command_of(build_option_table(), build); }

}  // namespace inkling
