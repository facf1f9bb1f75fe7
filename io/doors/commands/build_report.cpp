#include "io/doors/commands/build_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/wording/byte_size.hpp"
#include "io/doors/cli/peak_memory.hpp"

namespace inkling {
namespace {

double rate(std::uint64_t bytes, double seconds) { return static_cast<double>(bytes) / 1e6 / std::max(seconds, 1e-9); }

std::string records_text(std::int64_t count) { return digit_groups(count) + (count == 1 ? " record" : " records"); }

std::string corpus_text(const TextBuildSummary& summary) {
  std::string text = summary_line("documents", digit_groups(summary.corpus.documents));
  if (summary.corpus.skipped > 0)
    text += summary_line("left out", records_text(summary.corpus.skipped) + " that could not be read (--strict refuses them)");
  if (summary.repeated_ids > 0)
    text += summary_line("without id", records_text(summary.repeated_ids) + " with the id of an earlier one");
  if (summary.corpus.links_left_out > 0) text += summary_line("links", links_text(summary.corpus.links_left_out));
  if (summary.corpus.bad_bytes > 0) text += summary_line("bad bytes", bad_bytes_text(summary.corpus.bad_bytes));
  if (summary.copies > 0) text += summary_line("duplicates", copies_text(summary.copies) + "; --same-by none offers each");
  text += summary_line("features", features_text(summary));
  if (!summary.pairs.empty()) text += summary_line("terms", summary.pairs);
  if (summary.unused_features > 0)
    text += summary_line("unused", fmt::format("{} of the {} terms of the vocabulary are in no document",
                                               digit_groups(summary.unused_features), digit_groups(summary.features)));
  if (summary.unspaced_features > 0)
    text += summary_line("scripts", fmt::format("{} features are clauses of Chinese, Japanese, Thai or others without blanks; "
                                                "--tokens dictionary makes them words",
                                                digit_groups(summary.unspaced_features)));
  const double cells = static_cast<double>(summary.corpus.documents) * static_cast<double>(summary.features);
  const double share = cells > 0 ? 100.0 * static_cast<double>(summary.nonzeros) / cells : 0.0;
  text += summary_line("non-zeros", fmt::format("{}, {:.3g} % of the matrix", digit_groups(summary.nonzeros), share));
  if (summary.dimensions > 0) text += summary_line("vectors", vectors_text(summary.dimensions));
  return text;
}

void write_corpus(JsonWriter& json, const TextBuildSummary& summary) {
  json.member("documents", summary.corpus.documents).member("text_bytes", summary.corpus.text_bytes);
  json.member("skipped_records", summary.corpus.skipped).member("bad_bytes", summary.corpus.bad_bytes);
  json.member("links_left_out", summary.corpus.links_left_out);
  json.member("equal_texts", summary.copies).member("repeated_ids", summary.repeated_ids);
  json.key("remarks").array(summary.corpus.remarks);
  json.member("terms", summary.terms).member("features", summary.features);
  json.key("dropped").begin_object();
  json.member("too_rare", summary.dropped.too_rare).member("too_frequent", summary.dropped.too_frequent);
  json.member("too_rare_runs", summary.dropped.too_rare_runs);
  json.member("beyond_max_features", summary.dropped.beyond_most);
  json.member("not_in_vocabulary", summary.dropped.not_given).end_object();
  json.member("unused_features", summary.unused_features);
  json.member("nonzeros", summary.nonzeros);
  if (summary.dimensions > 0) json.member("dimensions", summary.dimensions);
}

std::string_view fate_text(ExplainedToken::Fate fate) {
  switch (fate) {
    case ExplainedToken::Fate::too_short: return "too short";
    case ExplainedToken::Fate::stop_word: return "stop word";
    case ExplainedToken::Fate::kept: break;
  }
  return "kept";
}

void write_cost_end(JsonWriter& json) {
  if (const auto peak = peak_resident_memory()) json.member("peak_memory_bytes", *peak);
  json.end_object();
}

std::string heading(const std::string& pool, std::int64_t documents, const Style& style) {
  return style.bold(fmt::format("{}: a pool of {} documents", pool, digit_groups(documents))) + "\n";
}

std::string memory_line() {
  const auto peak = peak_resident_memory();
  return peak ? summary_line("memory", byte_size_text(*peak) + " at most") : std::string();
}

}  // namespace

std::string summary_line(std::string_view name, const std::string& what) { return fmt::format("  {:<12} {}\n", name, what); }

std::string copies_text(std::int64_t copies) {
  return fmt::format("{} {} another record: searches offer each record once", digit_groups(copies),
                     copies == 1 ? "document repeats" : "documents repeat");
}

std::string vectors_text(std::int32_t dimensions) { return fmt::format("{} numbers of each document", digit_groups(dimensions)); }

std::string links_text(std::int64_t links_left_out) {
  return digit_groups(links_left_out) + " were not followed (--follow-links follows them)";
}

std::string bad_bytes_text(std::int64_t bytes) {
  return digit_groups(bytes) + " were no characters and became U+FFFD (--encoding names another encoding)";
}

std::vector<std::string> shown_remarks(const CorpusTotals& corpus) {
  constexpr std::size_t most = 20;
  if (corpus.remarks.size() <= most) return corpus.remarks;
  std::vector<std::string> shown(corpus.remarks.begin(), corpus.remarks.begin() + most);
  shown.push_back(fmt::format("{} such lines more; {} records were left out in all (inkling build --json names the first 1,000)",
                              digit_groups(corpus.remarks.size() - most), digit_groups(corpus.skipped)));
  return shown;
}

std::string features_text(const TextBuildSummary& summary) {
  const DroppedTerms& dropped = summary.dropped;
  std::string text = fmt::format("{} kept of {} different terms", digit_groups(summary.features - summary.unused_features),
                                 digit_groups(summary.terms));
  std::string separator = "; dropped ";
  const auto add = [&](std::int64_t count, std::string_view why) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", separator, digit_groups(count), why);
    separator = ", ";
  };
  add(dropped.too_rare, "in too few documents (--min-df)");
  add(dropped.too_rare_runs, "runs of words in too few documents (--min-df-runs)");
  add(dropped.too_frequent, "in too many (--max-df)");
  add(dropped.beyond_most, "beyond the most frequent (--max-features)");
  add(dropped.not_given, "not in the vocabulary");
  return text;
}

std::string build_text(const TextBuildSummary& summary, const BuildCost& cost, const std::string& pool, const Style& style) {
  std::string text = heading(pool, summary.corpus.documents, style) + corpus_text(summary);
  text += summary_line("on disk", byte_size_text(cost.pool_bytes));
  const double speed = rate(cost.source_bytes, cost.seconds);
  const std::string shown = speed < 1 ? fmt::format("{:.1g}", speed) : fmt::format("{:.1f}", speed);
  const std::string speed_text = cost.source_bytes == 0 ? "" : fmt::format(", {} MB/s", shown);
  text += summary_line(
      "time", fmt::format("{:.2f} s{} on {} thread{}", cost.seconds, speed_text, cost.threads, cost.threads == 1 ? "" : "s"));
  return text + memory_line();
}

std::string build_json(const TextBuildSummary& summary, const BuildCost& cost, const std::string& pool) {
  JsonWriter json;
  json.begin_object().member("pool", pool);
  write_corpus(json, summary);
  json.member("pool_bytes", cost.pool_bytes).member("source_bytes", cost.source_bytes);
  json.member("seconds", cost.seconds).member("megabytes_per_second", rate(cost.source_bytes, cost.seconds));
  json.member("threads", cost.threads);
  write_cost_end(json);
  return json.take();
}

std::string import_text(const ImportSummary& summary, const BuildCost& cost, const std::string& pool, const Style& style) {
  std::string text = heading(pool, summary.rows, style);
  text += summary_line("features", digit_groups(summary.columns));
  text += summary_line("non-zeros", digit_groups(summary.nonzeros));
  if (summary.zeros > 0) text += summary_line("zeros", digit_groups(summary.zeros) + " left out");
  if (summary.skipped > 0) text += summary_line("skipped", digit_groups(summary.skipped) + " bad records");
  if (summary.links_left_out > 0) text += summary_line("links", links_text(summary.links_left_out));
  text += summary_line("on disk", byte_size_text(cost.pool_bytes));
  return text + summary_line("time", fmt::format("{:.2f} s", cost.seconds)) + memory_line();
}

std::string import_json(const ImportSummary& summary, const BuildCost& cost, const std::string& pool) {
  JsonWriter json;
  json.begin_object().member("pool", pool);
  json.member("documents", summary.rows).member("features", summary.columns);
  json.member("nonzeros", summary.nonzeros).member("zeros_left_out", summary.zeros);
  json.member("skipped_records", summary.skipped).member("links_left_out", summary.links_left_out);
  json.member("pool_bytes", cost.pool_bytes);
  json.member("seconds", cost.seconds);
  write_cost_end(json);
  return json.take();
}

std::string plan_text(const TextPlan& plan, std::uint64_t memory, const Style& style) {
  std::string text = style.bold("Nothing was written. A build would give:") + "\n" + corpus_text(plan.summary);
  text += summary_line("pool", byte_size_text(plan.pool_bytes) + " on disk");
  text += summary_line("scratch", byte_size_text(plan.scratch_bytes) + " more on the same disk while it is built, at most");
  text += summary_line("memory", fmt::format("{} at most (--memory)", byte_size_text(memory)));
  return text;
}

std::string plan_json(const TextPlan& plan, std::uint64_t memory) {
  JsonWriter json;
  json.begin_object();
  write_corpus(json, plan.summary);
  json.member("pool_bytes", plan.pool_bytes).member("scratch_bytes", plan.scratch_bytes);
  json.member("memory_bytes", memory);
  return json.end_object().take();
}

std::string explanation_text(const Explanation& explanation, const std::string& corpus, const Style& style) {
  std::string text = style.bold("Tokens") + "\n";
  for (const ExplainedToken& token : explanation.tokens) {
    const std::string fate = token.fate == ExplainedToken::Fate::kept ? "" : fmt::format("  ({})", fate_text(token.fate));
    text += fmt::format("  {}{}\n", token.text, fate);
  }
  text +=
      style.bold(corpus.empty() ? "Terms (no corpus given: every idf counts as 1)" : fmt::format("Terms, by {}", corpus)) + "\n";
  text += fmt::format("  {:>10} {:>6} {:>10} {:>8} {:>10}  {}\n", "feature", "count", "documents", "idf", "weight", "term");
  for (const ExplainedTerm& term : explanation.terms) {
    const std::string known = term.known ? fmt::format("{:>10} {:>6} {:>10} {:>8.4f}", term.known->feature, term.count,
                                                       term.known->document_frequency, term.known->idf)
                                         : fmt::format("{:>10} {:>6} {:>10} {:>8}", "-", term.count, "-", "-");
    text += fmt::format("  {} {:>10.6f}  {}\n", known, term.weight, term.text);
  }
  return text;
}

std::string explanation_json(const Explanation& explanation) {
  JsonWriter json;
  json.begin_object().key("tokens").begin_array();
  for (const ExplainedToken& token : explanation.tokens)
    json.begin_object().member("text", token.text).member("fate", fate_text(token.fate)).end_object();
  json.end_array().key("terms").begin_array();
  for (const ExplainedTerm& term : explanation.terms) {
    json.begin_object().member("term", term.text).member("count", term.count);
    if (term.known) {
      json.member("feature", term.known->feature).member("document_frequency", term.known->document_frequency);
      json.member("idf", term.known->idf);
    }
    json.member("weight", static_cast<double>(term.weight)).end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace inkling
