#include "bench/worlds/corpus_writer.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "engine/core/ordered_pipeline.hpp"

namespace inkling::bench {
namespace {

/// About 200 kB of text of the usual length.
constexpr std::int64_t kBlockDocuments = 256;

/// Some records of the corpus. Its memory is used again.
struct Block {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::string bytes;
  std::vector<std::size_t> record_ends;
};

void make_block(const SyntheticCorpus& corpus, CorpusFormat format, Block& block) {
  block.bytes.clear();
  block.record_ends.clear();
  for (std::int64_t document = block.first; document < block.end; ++document) {
    append_record(corpus, document, format, block.bytes);
    block.record_ends.push_back(block.bytes.size());
  }
}

/// How many records of the block belong to a corpus that still lacks `lacking` bytes.
std::size_t records_within(const Block& block, std::uint64_t lacking) {
  const auto reaching = std::ranges::lower_bound(block.record_ends, lacking);
  return static_cast<std::size_t>(
      std::min(std::next(reaching, reaching != block.record_ends.end() ? 1 : 0), block.record_ends.end()) -
      block.record_ends.begin());
}

}  // namespace

void append_record(const SyntheticCorpus& corpus, std::int64_t document, CorpusFormat format,
                   std::string& out) {
  if (format == CorpusFormat::lines) {
    corpus.append_text(document, {.quote = "\"", .paragraph_end = " "}, out);
    out += '\n';
    return;
  }
  // Neither ids nor names nor words hold anything that JSON escapes.
  fmt::format_to(std::back_inserter(out), R"({{"id":"d{}",)", document);
  if (const auto topic = corpus.topic_of(document)) {
    fmt::format_to(std::back_inserter(out), R"("label":"{}",)", corpus.topic_name(*topic));
  }
  out += R"("text":")";
  corpus.append_text(document, {.quote = "\\\"", .paragraph_end = "\\n"}, out);
  out += "\"}\n";
}

CorpusSize write_corpus(const SyntheticCorpus& corpus, CorpusFormat format, const CorpusExtent& extent,
                        const CorpusSink& sink) {
  CorpusSize totals;
  std::int64_t next = 0;
  std::atomic<bool> complete = extent.documents == 0 || extent.bytes == 0;
  std::vector<Block> blocks(2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  const auto begin_block = [&](Block& block) {
    if (complete || next >= extent.documents) return false;
    block.first = next;
    next += std::min(kBlockDocuments, extent.documents - next);
    block.end = next;
    return true;
  };
  const auto hand_over = [&](const Block& block) {
    if (complete) return;
    const std::size_t records = records_within(block, extent.bytes - totals.bytes);
    const std::size_t bytes = block.record_ends[records - 1];
    totals.documents += static_cast<std::int64_t>(records);
    totals.bytes += bytes;
    complete = totals.bytes >= extent.bytes;
    sink(std::string_view(block.bytes).substr(0, bytes), totals);
  };
  ordered_pipeline(
      blocks, begin_block, [&](Block& block) { make_block(corpus, format, block); }, hand_over);
  return totals;
}

}  // namespace inkling::bench
