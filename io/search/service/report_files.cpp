// The numbers of a report as JSON and CSV, and its formats.
#include <filesystem>
#include <ranges>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/csv_cell.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/search/service/report_page.hpp"
#include "io/search/service/review_report.hpp"
#include "io/search/service/search_answers.hpp"

namespace inkling {
namespace {

void write_counts(JsonWriter& json, const ReportCounts& counts) {
  json.member("included", counts.included).member("excluded", counts.excluded);
}

void write_source(JsonWriter& json, const ReportSource& source) {
  json.member("identified", source.identified).member("left_out", source.left_out);
  json.member("duplicates_within", source.within).member("duplicates_across", source.across);
}

void write_pair(JsonWriter& json, const PairOfReaders& pair) {
  json.begin_object().key("readers").array(pair.set.readers).member("decider", pair.set.decider).key("agreement");
  if (pair.compared) {
    json.begin_object();
    pair.compared->write_agreement(json);
    json.end_object();
  } else {
    json.null();
  }
  json.member("decided", pair.decided()).end_object();
}

void write_settings(JsonWriter& json, const ReviewReport& report) {
  const SessionFacts& facts = report.facts;
  json.member("program", program_version).member("name", facts.name).member("owner", facts.owner);
  json.member("question", report.question).member("fingerprint", facts.fingerprint).member("policy", facts.policy);
  json.member("settings", facts.options).member("seed", facts.seed).member("begun_ms", facts.created_ms);
  json.member("first_ms", report.first_ms).member("last_ms", report.last_ms).member("events", report.events);
  json.member("taken_back", report.taken_back).member("marked_words", report.marked_words);
  json.member("rated_words", report.rated_words);
}

// A line for each number: the part of the report, whose number it is, what it counts.
class CsvLines {
 public:
  void add(std::string_view part, std::string_view of, std::string_view what, std::int64_t number) {
    text_ += fmt::format("{},{},{},{}\r\n", part, csv_cell(of), what, number);
  }
  void add(std::string_view part, std::string_view of, const ReportCounts& counts) {
    add(part, of, "included", counts.included);
    add(part, of, "excluded", counts.excluded);
  }
  void add(std::string_view of, const ReportSource& source) {
    add("source", of, "identified", source.identified);
    add("source", of, "left_out", source.left_out);
    add("source", of, "duplicates_within", source.within);
    add("source", of, "duplicates_across", source.across);
  }
  [[nodiscard]] std::string taken() && { return std::move(text_); }

 private:
  std::string text_ = "part,of,what,number\r\n";
};

std::string csv_of(const ReviewReport& report) {
  CsvLines lines;
  lines.add("", report.all);
  for (const ReportSource& source : report.sources) lines.add(source.shown_name(), source);
  lines.add("records", "", "separated", report.separated);
  lines.add("records", "", "records", report.records);
  lines.add("records", "", "screened", report.all_screened());
  lines.add("records", "", report.screened);
  lines.add("records", "", "awaiting", report.awaiting);
  lines.add("records", "", "not_screened", report.not_screened);
  lines.add("not_screened", "", "with_readers", report.with_readers);
  lines.add("not_screened", "", "put_off", report.put_off);
  lines.add("not_screened", "", "outside", report.outside);
  for (const auto& [name, counts] : report.by) lines.add("by", name, counts);
  lines.add("imported", "", report.imported);
  for (const TagCount& reason : report.reasons) lines.add("reason", reason.tag, "excluded", reason.documents);
  lines.add("reason", "", "without_reason", report.without_reason);
  lines.add("reason", "", "several_reasons", report.several_reasons);
  for (const RuleCondition& condition : report.rule) {
    lines.add("rule", condition.name, "limit", condition.limit);
    lines.add("rule", condition.name, "now", condition.now);
    lines.add("rule", condition.name, "holds", condition.holds ? 1 : 0);
  }
  for (const PairOfReaders& pair : report.pairs) {
    if (!pair.compared) continue;
    const std::string readers = pair.set.readers[0] + " + " + pair.set.readers[1];
    const auto [neither, second, first, both] = pair.compared->counts();
    lines.add("pair", readers, "both_good", both);
    lines.add("pair", readers, "neither_good", neither);
    lines.add("pair", readers, "first_only", first);
    lines.add("pair", readers, "second_only", second);
    lines.add("pair", readers, "decided", pair.decided());
  }
  for (const auto& [read, found] : report.curve) lines.add("curve", std::to_string(read), "found", found);
  return std::move(lines).taken();
}

}  // namespace

ReportFormat report_format_of(const std::string& path) {
  const std::string ending = ascii_lower_case(std::filesystem::path(path).extension().string());
  for (const EnumName<ReportFormat>& format : kReportFormats)
    if (ending == "." + std::string(format.name)) return format.value;
  throw FormatError(quoted_text(path), "expected a name that ends in .html, .json or .csv, which says what is written");
}

std::string_view media_type_of(ReportFormat format) noexcept {
  switch (format) {
    case ReportFormat::json: return "application/json";
    case ReportFormat::html: return "text/html";
    case ReportFormat::csv: break;
  }
  return "text/csv";
}

void write_report(JsonWriter& json, const ReviewReport& report) {
  json.begin_object();
  write_settings(json, report);
  json.key("sources").begin_array();
  for (const ReportSource& source : report.sources) {
    json.begin_object().member("source", source.name).member("format", source.format);
    write_source(json, source);
    json.end_object();
  }
  json.end_array();
  write_source(json, report.all);
  json.member("separated", report.separated).member("records", report.records).member("screened", report.all_screened());
  write_counts(json, report.screened);
  json.member("awaiting", report.awaiting).member("not_screened", report.not_screened);
  json.member("with_readers", report.with_readers).member("put_off", report.put_off).member("outside", report.outside);
  json.key("by").begin_array();
  for (const auto& [name, counts] : report.by) {
    write_counts(json.begin_object().member("name", name), counts);
    json.end_object();
  }
  write_counts(json.end_array().key("imported").begin_object(), report.imported);
  json.end_object().key("reasons").begin_array();
  for (const TagCount& reason : report.reasons)
    json.begin_object().member("tag", reason.tag).member("documents", reason.documents).end_object();
  json.end_array().member("without_reason", report.without_reason).member("several_reasons", report.several_reasons);
  json.key("read").array(report.curve | std::views::keys).key("found").array(report.curve | std::views::values);
  json.member("at_random", found_at_random(report.progress));
  json.key("rule").begin_array();
  for (const RuleCondition& condition : report.rule) {
    json.begin_object().member("name", condition.name).member("limit", condition.limit);
    json.member("now", condition.now).member("holds", condition.holds).end_object();
  }
  json.end_array().member("rule_reached", report.progress.rule_reached);
  write_good_left(json, report.progress);
  json.key("pairs").begin_array();
  for (const PairOfReaders& pair : report.pairs) write_pair(json, pair);
  json.end_array().end_object();
}

std::string report_text(const ReviewReport& report, ReportFormat format, Language language) {
  switch (format) {
    case ReportFormat::html: return report_page(report, language);
    case ReportFormat::csv: return csv_of(report);
    case ReportFormat::json: break;
  }
  JsonWriter json;
  write_report(json, report);
  return json.take() + "\n";
}

}  // namespace inkling
