#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/worlds/synthetic_corpus.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/interruption.hpp"
#include "io/doors/cli/progress.hpp"
#include "io/doors/cli/threads_option.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kUsualDocuments = 1'000;

OptionTable corpus_options() {
  return OptionTable(
      {"inkling-bench corpus",
       "Writes text of any size that looks like what people write. It is drawn from a seed.",
       "inkling-bench corpus --bytes 200M --format jsonl --out corpus.jsonl",
       {{"The corpus",
         {{"documents", Integer{1}, "N", std::nullopt,
           fmt::format("documents to write (default: {}, or as many as --bytes wants)", kUsualDocuments)},
          {"bytes", Size{1}, "SIZE", std::nullopt, "write whole documents until this size is reached"},
          {"format", Choice{{"lines", "jsonl"}}, "FORMAT", "lines",
           "lines: the text of a document on one line; jsonl: an object a line with id, label and text"},
          {"seed", Integer{0}, "SEED", "1", "the same seed gives the same bytes on every machine"}}},
        {"The text",
         {{"vocabulary", Integer{SyntheticCorpusOptions::fewest_words, WordList::most}, "N", "60000",
           "different words to draw from"},
          {"zipf", Real::from_to(0.0, 10.0), "EXPONENT", "1.05",
           "the word of rank r comes with probability proportional to r^-EXPONENT"},
          {"mean-length", Real::from_to(1.0, 1'000.0), "WORDS", "150",
           "mean number of words in a document; lengths are log-normal"},
          {"length-spread", Real::from_to(0.0, 3.0), "SIGMA", "0.6", "standard deviation of the logarithm of the length"}}},
        {"The topics",
         {{"topics", Integer{0, 1'000}, "K", "5", "number of topics; each document is about one of them"},
          {"topic-share", Real::from_to(0.0, 1.0), "SHARE", "0.05",
           "share of a document's words drawn from its topic's own words"},
          {"topic-words", Integer{1, WordList::most}, "N", "500", "own words of each topic"}}},
        {"The run", {{"out", Path{}, "FILE", "-", "file to write; - is standard output"}, threads_option()}}},
       {},
       {"documents", "bytes", "format", "seed", "out"}});
}

SyntheticCorpusOptions corpus_options_from(const ParsedOptions& given) {
  SyntheticCorpusOptions options;
  options.vocabulary = static_cast<std::int32_t>(given.integer("vocabulary"));
  options.zipf = given.real("zipf");
  options.mean_length = given.real("mean-length");
  options.length_spread = given.real("length-spread");
  options.topics = static_cast<std::int32_t>(given.integer("topics"));
  options.topic_share = given.real("topic-share");
  options.topic_words = static_cast<std::int32_t>(given.integer("topic-words"));
  options.seed = static_cast<std::uint64_t>(given.integer("seed"));
  return options;
}

CorpusExtent extent_from(const ParsedOptions& given) {
  CorpusExtent extent;
  if (given.has("bytes")) extent.bytes = static_cast<std::uint64_t>(given.integer("bytes"));
  if (given.has("documents")) extent.documents = given.integer("documents");
  if (!given.has("documents") && !given.has("bytes")) extent.documents = kUsualDocuments;
  return extent;
}

int write_text(const ParsedOptions& given) {
  const CorpusExtent extent = extent_from(given);
  const CorpusFormat format = given.text("format") == "jsonl" ? CorpusFormat::jsonl : CorpusFormat::lines;
  std::optional<OutputFile> file;  // none: standard output
  if (given.text("out") != "-") file.emplace(given.text("out"));
  const SyntheticCorpus corpus(corpus_options_from(given));
  const bool by_bytes = given.has("bytes");
  Progress progress(by_bytes ? "bytes" : "documents", by_bytes ? extent.bytes : static_cast<std::uint64_t>(extent.documents));
  std::uint64_t shown = 0;
  const CorpusSink write = [&](std::string_view records, const CorpusSize& so_far) {
    throw_if_interrupted();
    if (file)
      file->append(records);
    else
      fmt::print("{}", records);
    const std::uint64_t done = by_bytes ? so_far.bytes : static_cast<std::uint64_t>(so_far.documents);
    progress.advance(done - std::exchange(shown, done));
  };
  ThreadLimit(threads_of(given)).run([&] { return write_corpus(corpus, format, extent, write); });
  if (file) file->close();
  return ExitCode::ok;
}

}  // namespace

Command corpus_command() { return command_of(corpus_options(), write_text); }

}  // namespace inkling::bench
