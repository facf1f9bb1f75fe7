// How many bytes of records, pages and letters a second become documents, on one core and before any word is counted.
#include <memory>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "io/corpus/pages/html_text.hpp"
#include "io/corpus/source/record_format.hpp"

namespace inkling::bench {
namespace {

constexpr std::size_t kBytes = std::size_t{8} << 20U;
constexpr std::string_view kAbstract =
    "We study how a reader finds the few documents that matter among many, and what a word tells of them. In "
    "two "
    "experiments the words of a first document halved what was read; the effect was largest for rare topics.";

std::string record_of(const std::string& format, std::size_t number) {
  if (format == "ris")
    return fmt::format(
        "TY  - JOUR\nID  - {0}\nTI  - A title of record {0}\nAU  - Doe, Jane\nAU  - Roe, Richard\nPY  - "
        "2019\nJO  - "
        "Journal of Records\nKW  - search\nKW  - reading\nAB  - {1}{1}{1}{1}\nER  - \n\n",
        number, kAbstract);
  if (format == "nbib")
    return fmt::format(
        "PMID- {0}\nOWN - NLM\nTI  - A title of record {0}\nLID - 10.1000/{0} [doi]\nAB  - {1}\n      {1}\n  "
        "    {1}\n"
        "FAU - Doe, Jane\nAU  - Doe J\nDP  - 2019 May\nJT  - Journal of Records\nOT  - search\n\n",
        number, kAbstract);
  if (format == "csl")
    return fmt::format(
        R"({{"id":"{0}","type":"article-journal","title":"A title of record {0}","author":[{{"family":"Doe","given":"Jane"}},)"
        R"({{"family":"Roe","given":"Richard"}}],"issued":{{"date-parts":[[2019,5,3]]}},"DOI":"10.1000/{0}","volume":"12",)"
        R"("page":"117-129","container-title":"Journal of Records","abstract":"{1}{1}{1}{1}"}},)"
        "\n",
        number, kAbstract);
  if (format == "bibtex")
    return fmt::format(
        "@article{{key{0},\n  title = {{A {{T}}itle of record {0}}},\n  author = {{Doe, Jane and "
        "M{{\\\"u}}ller, Karl}},\n"
        "  year = {{2019}},\n  journal = {{Journal of Records}},\n  abstract = "
        "{{{1}\n{1}\n{1}\n{1}}}\n}}\n\n",
        number, kAbstract);
  if (format == "mbox")
    return fmt::format(
        "From a@example.org Thu Nov 12 09:30:00 2020\nMessage-ID: <{0}@example.org>\nFrom: Jane "
        "<a@example.org>\n"
        "Subject: =?utf-8?q?caf=C3=A9?= {0}\nContent-Type: text/plain; charset=utf-8\n"
        "Content-Transfer-Encoding: quoted-printable\n\n{1}=\n{1}=\n{1}=\n{1} =C3=A9\n\n",
        number, kAbstract);
  return fmt::format("a title of record {0},2019,\"{1}, {1}\"\n", number, kAbstract);
}

void read_records(benchmark::State& state, const std::string& format) {
  std::string text = format == "csv" ? "title,year,abstract\n" : "";
  const std::size_t header = text.size();
  for (std::size_t number = 0; text.size() < kBytes; ++number) text += record_of(format, number);
  Chunk chunk;
  chunk.origin = std::make_shared<const std::string>("memory");
  if (header > 0) chunk.header = std::make_shared<const std::string>(text.substr(0, header));
  chunk.header_bytes = header;
  chunk.bytes.append(text);
  std::size_t bytes = 0;
  for (auto unused : state) {
    static_cast<void>(unused);
    const ChunkOutcome outcome = record_format(format).parse(
        chunk, {.format = format}, [&](const SourceDocument& document) { bytes += document.text.size(); });
    if (outcome.problem) state.SkipWithError(outcome.problem->expectation.c_str());
  }
  benchmark::DoNotOptimize(bytes);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(text.size()));
}

void read_page(benchmark::State& state) {
  std::string page = "<!doctype html><html><head><title>A page</title><style>p { margin: 0 }</style></head><body>";
  while (page.size() < kBytes)
    page += fmt::format("<div class=\"part\"><p>{} &amp; <a href=\"https://example.org/a\">more</a></p></div>\n", kAbstract);
  for (auto unused : state) {
    static_cast<void>(unused);
    ReadingBudget budget;
    benchmark::DoNotOptimize(html_text(page, budget).text.size());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(page.size()));
}

BENCHMARK_CAPTURE(read_records, csv, std::string("csv"));
BENCHMARK_CAPTURE(read_records, ris, std::string("ris"));
BENCHMARK_CAPTURE(read_records, nbib, std::string("nbib"));
BENCHMARK_CAPTURE(read_records, csl, std::string("csl"));
BENCHMARK_CAPTURE(read_records, bibtex, std::string("bibtex"));
BENCHMARK_CAPTURE(read_records, mbox, std::string("mbox"));
BENCHMARK(read_page);

}  // namespace
}  // namespace inkling::bench
