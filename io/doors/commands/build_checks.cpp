#include "io/doors/commands/build_checks.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/core/nearest_name.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/doors/commands/build_report.hpp"

namespace inkling {
namespace {

constexpr std::array<std::string_view, 3> kFieldOptions = {"text-field", "id-field", "label-field"};

// " (did you mean X?)", or the names that there are.
std::string names_hint(std::string_view wanted, const std::vector<std::string>& names) {
  constexpr std::size_t most_shown = 8;
  std::vector<std::string> shown;
  shown.reserve(names.size());
  for (const std::string& name : names) shown.push_back(visible_text(name));
  if (std::string nearest = did_you_mean("", wanted, shown); !nearest.empty()) return nearest;
  if (shown.empty()) return "";
  const bool all = shown.size() <= most_shown;
  shown.resize(std::min(shown.size(), most_shown));
  return fmt::format("; there are {}{}", fmt::join(shown, ", "), all ? "" : ", ...");
}

void check_field(const SourceOptions& source, std::string_view option, const std::string& field) {
  if (source.seen->has_field(field)) return;
  const std::vector<std::string> names = has_header_line(source) ? source.seen->field_names() : std::vector<std::string>();
  throw UsageError::option(option, fmt::format("no record has the field {}{}", in_quotes(field), names_hint(field, names)));
}

void check_fields(const ParsedOptions& options, const SourceOptions& source) {
  if (source.seen->field_names().empty()) return;  // no records, or none that could be read
  for (const std::string_view option : {"id-field", "label-field"})
    if (options.given(option)) check_field(source, option, options.text(option));
  if (source.seen->has_field(source.text_field)) return;
  for (const std::string& field : fields_listed_in(source.text_field)) check_field(source, "text-field", field);
}

void check_labels(const SourceOptions& source) {
  std::vector<std::string> there = source.seen->other_labels();
  for (std::size_t n = 0; n < source.labels.size(); ++n)
    if (source.seen->has_label(n)) there.push_back(source.labels[n]);
  std::ranges::sort(there);
  for (std::size_t n = 0; n < source.labels.size(); ++n) {
    if (source.seen->has_label(n)) continue;
    throw UsageError::option("topics", fmt::format("no document has the label {}{}", in_quotes(source.labels[n]),
                                                   there.empty() ? "; none has a label" : names_hint(source.labels[n], there)));
  }
}

std::string first_left_out(const std::vector<std::string>& remarks) {
  constexpr std::string_view middle = ": left out: ";
  for (const std::string& remark : remarks)
    if (const std::size_t at = remark.find(middle); at != std::string::npos)
      return remark.substr(0, at) + ": " + remark.substr(at + middle.size());
  return {};
}

[[noreturn]] void fail_empty(const ParsedOptions& options, const std::string& problem) {
  const std::string source = options.positionals().front();
  throw FormatError(source == "-" ? "standard input" : source, problem + " (--allow-empty makes a pool all the same)");
}

}  // namespace

void check_fields_of_format(const ParsedOptions& options, const BuildSources& sources) {
  if (has_fields(sources.format)) return;
  for (const std::string_view option : kFieldOptions)
    if (options.given(option))
      throw UsageError::option(option, fmt::format("is for formats with fields; the sources are read as {}", sources.format));
}

void check_documents(const ParsedOptions& options, const SourceOptions& source, const TextBuildSummary& summary) {
  const bool any_record = summary.corpus.documents > 0 || source.seen->has_unlabelled() || !source.seen->other_labels().empty();
  check_fields(options, source);
  if (any_record) check_labels(source);
  if (options.flag("allow-empty")) return;
  if (summary.corpus.documents == 0) {
    const std::string skipped = summary.corpus.skipped > 0
                                    ? fmt::format(" that could be read; {} bad records were left out, the first at {}",
                                                  summary.corpus.skipped, first_left_out(summary.corpus.remarks))
                                    : std::string();
    const std::string links =
        summary.corpus.links_left_out > 0 ? "; links in folders: " + links_text(summary.corpus.links_left_out) : std::string();
    fail_empty(options, fmt::format("expected documents, found none{}{}", skipped, links));
  }
  if (summary.features == 0)
    fail_empty(options, fmt::format("expected words to become features, found none: {}", features_text(summary)));
}

void check_matrix(const ParsedOptions& options, const ImportSummary& summary) {
  if (options.flag("allow-empty") || (summary.rows > 0 && summary.columns > 0)) return;
  fail_empty(options,
             fmt::format("expected a matrix with rows and columns, found one of {} x {}", summary.rows, summary.columns));
}

}  // namespace inkling
