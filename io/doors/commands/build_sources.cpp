#include "io/doors/commands/build_sources.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/matrix/matrix_source.hpp"
#include "io/corpus/source/format_detection.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/unpack/workbook_stream.hpp"
#include "io/doors/commands/build_target.hpp"

namespace inkling {
namespace {

constexpr std::string_view kStandardInput = "/dev/stdin";

constexpr std::array<std::string_view, 5> kCompressions = {".gz", ".zst", ".xz", ".bz2", ".lz4"};
constexpr std::array<std::string_view, 5> kArchives = {".tar", ".tgz", ".zip", ".tzst", ".txz"};

std::string without_compression(std::string name) {
  for (const std::string_view ending : kCompressions)
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return name;
}

// The format that the name shows; nothing if it shows none.
std::optional<std::string> format_by_name(const std::string& source) {
  if (is_folder_at(source)) return std::string(kFilesFormat);
  const std::string name = ascii_lower_case(without_compression(source));
  for (const std::string_view ending : kArchives)
    if (name.ends_with(ending)) return std::string(kFilesFormat);
  const auto has_ending = [&](const auto& format) {
    return std::ranges::any_of(format.endings,
                               [&](std::string_view ending) { return !ending.empty() && name.ends_with(ending); });
  };
  for (const RecordFormat& format : record_formats())
    if (has_ending(format)) return std::string(format.name);
  for (const FileFormat& format : kFileFormats)
    if (has_ending(format)) return std::string(format.name);
  for (const MatrixFormat& format : matrix_formats())
    if (has_ending(format)) return std::string(format.name);
  return std::nullopt;
}

// "JSONL", "CSV with semicolons": the name of a format in messages.
std::string shown_format(const ContentLook& content) {
  if (content.format == "mtx") return "MatrixMarket";
  for (const FileFormat& format : kFileFormats)
    if (content.format == format.name) return std::string(format.shown);
  const auto known = std::ranges::find(record_formats(), content.format, &RecordFormat::name);
  if (content.format != "csv") return std::string(known == record_formats().end() ? content.format : known->shown);
  return content.delimiter == ',' ? "CSV" : fmt::format("CSV with {}s", name_of(content.delimiter, kDelimiterNames));
}

bool is_same(const ContentLook& one, const ContentLook& other) {
  return one.format == other.format && one.delimiter == other.delimiter;
}

// The kind of a file. In a folder or an archive, if the content does not show it, the name decides; a text is one document.
ContentLook kind_of(const LookedAtFile& file, bool many_files) {
  if (!file.content.format.empty() || !many_files) return file.content;
  for (const RecordFormat& format : record_formats())
    if (format.name != "lines" && format_by_name(file.name) == format.name) return {.format = format.name};
  for (const FileFormat& format : kFileFormats)
    if (format_by_name(file.name) == format.name) return {.format = format.name};
  for (const MatrixFormat& format : matrix_formats())
    if (format_by_name(file.name) == format.name) return {.format = format.name};
  return {};
}

// The format of one source, as its content shows it.
struct FoundFormat {
  std::optional<std::string> format;
  char delimiter = ',';
  std::string remark = {};
};

void refuse_foreign(const SourceLook& look) {
  for (const LookedAtFile& file : look.files) {
    if (file.content.foreign.empty()) continue;
    throw FormatError(file.name,
                      fmt::format("expected documents or a matrix, found {}; {}", file.content.foreign, file.content.remedy));
  }
}

// Some formats of matrices can only be read from a single file.
void refuse_matrix_among_files(const std::string& source, const SourceLook& look, std::string_view format) {
  const bool several = look.files.size() > 1 || !look.complete;
  if (format == "npz" || (format == "mtx" && several))
    throw UsageError(fmt::format("{} holds {}, which is a matrix by itself; name one such file as the source", in_quotes(source),
                                 in_quotes(look.files.front().name)));
}

std::string reading_remark(const std::string& source, const SourceLook& look, const ContentLook& content) {
  std::string what = shown_format(content);
  const std::size_t files = look.files.size();
  if (look.many_files)
    what = look.complete ? fmt::format("{} file{} of {}", files, files == 1 ? "" : "s", what) : fmt::format("files of {}", what);
  const std::string where = look.complete || !look.many_files ? ""
                            : files == 1                      ? " at its first file"
                                                              : fmt::format(" at its first {} files", files);
  return fmt::format("{}: reading {} (detected{}; --format overrides)", source, what, where);
}

std::string mixed_remark(const std::string& source, const LookedAtFile& known) {
  const std::string_view format = kind_of(known, true).format;
  return fmt::format("{}: each file is read as one document, although {} holds {} (--format {} reads its records)", source,
                     in_quotes(known.name), shown_format(kind_of(known, true)), format);
}

// A table without texts, such as the log in an archive of Rayyan, is read as the records beside it: it is left out, and named.
void take_tables_along(const std::vector<LookedAtFile>& files, std::vector<ContentLook>& kinds) {
  const auto shows_records = [](const LookedAtFile& file) {
    return !file.content.format.empty() && !is_file_format(file.content.format);
  };
  const auto records = std::ranges::find_if(files, shows_records);
  for (std::size_t n = 0; records != files.end() && n < files.size(); ++n)
    if (files[n].content.format.empty() && (kinds[n].format == "csv" || kinds[n].format == "tsv")) kinds[n] = records->content;
}

// `by_name`: the format that the name of the source shows.
FoundFormat format_found_in(const std::string& source, const SourceLook& look, const std::optional<std::string>& by_name) {
  refuse_foreign(look);
  std::vector<ContentLook> kinds;
  kinds.reserve(look.files.size());
  for (const LookedAtFile& file : look.files) kinds.push_back(kind_of(file, look.many_files));
  take_tables_along(look.files, kinds);
  const auto known = std::ranges::find_if(kinds, [](const ContentLook& kind) { return !kind.format.empty(); });
  if (known == kinds.end() && by_name == "lines" && !look.files.empty())
    return {by_name, ',',
            source + ": reading lines, each of which is a document (nothing else was recognized; --format names another)"};
  if (known == kinds.end())
    return {by_name ? by_name : look.many_files ? std::optional<std::string>(kFilesFormat) : std::nullopt};
  // If texts, pages and letters are mixed, each is read in its own format.
  if (std::ranges::all_of(kinds, [](const ContentLook& kind) { return kind.format.empty() || is_file_format(kind.format); }) &&
      !std::ranges::all_of(kinds, [&](const ContentLook& kind) { return is_same(kind, *known); }))
    return {std::string(kFilesFormat)};
  if (!std::ranges::all_of(kinds, [&](const ContentLook& kind) { return is_same(kind, *known); }))
    return {std::string(kFilesFormat), ',', mixed_remark(source, look.files[static_cast<std::size_t>(known - kinds.begin())])};
  if (look.many_files) refuse_matrix_among_files(source, look, known->format);
  const bool as_named = by_name == known->format && known->delimiter == ContentLook().delimiter;
  return {std::string(known->format), known->delimiter, as_named ? std::string() : reading_remark(source, look, *known)};
}

FoundFormat format_of_source(const std::string& source, const std::string& path, const SourceOptions& looking) {
  const SourceLook look = look_at_source(path, looking, throw_if_interrupted);
  FoundFormat found = format_found_in(source, look, format_by_name(source));
  if (found.format) return found;
  if (!status_at(path.c_str())) throw SystemError(source, errno, "cannot read");
  throw UsageError::option("format",
                           fmt::format("neither the name nor the content of {} tells what it holds; say --format lines, "
                                       "jsonl, csv, ris, ...",
                                       in_quotes(source)));
}

// Requires: there is a source.
void find_formats(const ParsedOptions& options, const SourceOptions& looking, BuildSources& sources) {
  sources.remarks.reserve(sources.paths.size());
  std::vector<SourceKind> kinds;
  for (std::size_t n = 0; n < sources.paths.size(); ++n) {
    FoundFormat found = format_of_source(options.positionals()[n], sources.paths[n], looking);
    const ContentLook before = {.format = sources.format, .delimiter = sources.delimiter};
    const ContentLook now = {.format = *found.format, .delimiter = found.delimiter};
    const bool differ = n > 0 && !is_same(before, now);
    if (differ && (is_matrix_format(before.format) || is_matrix_format(now.format)))
      throw UsageError::option(
          "format", fmt::format("the sources look like {} and {}; say which", shown_format(before), shown_format(now)));
    if (n == 0) {
      sources.format = *found.format;
      sources.delimiter = found.delimiter;
    }
    kinds.push_back({*found.format, found.delimiter});
    if (!found.remark.empty()) sources.remarks.push_back(found.remark);
  }
  if (!std::ranges::all_of(kinds, [&](const SourceKind& kind) { return kind == kinds.front(); }))
    sources.kinds = std::move(kinds);
}

// The sources, "-" as standard input. Throws UsageError for a second "-", and for a pool.
std::vector<std::string> paths_of(const ParsedOptions& options) {
  std::vector<std::string> paths;
  paths.reserve(options.positionals().size());
  for (const std::string& source : options.positionals()) {
    if (source == "-" && std::ranges::find(paths, kStandardInput) != paths.end())
      throw UsageError("standard input (-) can be read once only");
    if (pool_at(source)) refuse_pool_as_source(options, source);
    paths.push_back(source == "-" ? std::string(kStandardInput) : source);
  }
  return paths;
}

// A workbook states the encoding of its text itself, and has no separators.
void refuse_options_of_text(const ParsedOptions& options, const std::vector<std::string>& paths) {
  for (const std::string name : {"encoding", "delimiter"}) {
    if (!options.given(name)) continue;
    for (const std::string& path : paths) {
      if (!is_file_at(path)) continue;
      const FileStream file(path);
      if (is_workbook(file)) throw UsageError::option(name, fmt::format("{} is a workbook, which needs none", in_quotes(path)));
    }
  }
}

}  // namespace

BuildSources build_sources(const ParsedOptions& options, const SourceOptions& looking) {
  BuildSources sources;
  sources.paths = paths_of(options);
  refuse_options_of_text(options, sources.paths);
  const bool delimited = options.has("delimiter");
  if (delimited) sources.delimiter = options.choice("delimiter", kDelimiterNames);
  const std::string& format = options.text("format");
  if (delimited && format != "auto" && format != "csv")
    throw UsageError::option("delimiter", fmt::format("is for --format csv, got --format {}", format));
  if (delimited || format != "auto")
    sources.format = delimited ? "csv" : format;
  else
    find_formats(options, looking, sources);
  return sources;
}

std::vector<std::string> format_choices() {
  std::vector<std::string> names = document_formats();
  names.emplace(names.begin(), "auto");
  for (const MatrixFormat& format : matrix_formats()) names.emplace_back(format.name);
  return names;
}

std::string format_help() {
  std::string help;
  for (const FileFormat& format : kFileFormats)
    help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", format.name, format.help);
  for (const RecordFormat& format : record_formats()) help += fmt::format("; {}: {}", format.name, format.help);
  std::string_view separator = "; ";
  for (const MatrixFormat& format : matrix_formats()) help += std::exchange(separator, ", ").data() + std::string(format.name);
  return help + ": a ready-made matrix; auto: detected";
}

bool is_matrix_format(std::string_view format) { return std::ranges::count(matrix_formats(), format, &MatrixFormat::name) > 0; }

}  // namespace inkling
