#include "bench/worlds/corpus_writer.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

namespace inkling::bench {
namespace {

/// About 200 kB of text of the usual length.
constexpr std::int64_t kBlockDocuments = 256;

struct Block {
  std::string bytes;
  std::vector<std::size_t> record_ends;
};

/// Fills a block, whose memory is used again.
void make_block(const SyntheticCorpus& corpus, CorpusFormat format, std::int64_t first, std::int64_t end,
                Block& block) {
  block.bytes.clear();
  block.record_ends.clear();
  for (std::int64_t document = first; document < end; ++document) {
    append_record(corpus, document, format, block.bytes);
    block.record_ends.push_back(block.bytes.size());
  }
}

/// How many records of the block belong to a corpus that lacks so many bytes.
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
  // A block uses the memory of the one `under_way` before it, which has left the last stage by then. The
  // pipeline only passes numbers: what it holds itself is lost where a stage throws.
  const auto under_way = 2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  std::vector<Block> blocks(under_way);
  const auto block_of = [&](std::int64_t first) -> Block& {
    return blocks[static_cast<std::size_t>(first / kBlockDocuments) % under_way];
  };
  const auto begin_block = [&](tbb::flow_control& control) -> std::int64_t {
    if (complete || next >= extent.documents) control.stop();
    const std::int64_t first = next;
    next += std::min(kBlockDocuments, extent.documents - first);
    return first;
  };
  const auto fill_block = [&](std::int64_t first) {
    make_block(corpus, format, first, first + std::min(kBlockDocuments, extent.documents - first),
               block_of(first));
    return first;
  };
  const auto hand_over = [&](std::int64_t first) {
    if (complete) return;
    const Block& block = block_of(first);
    const std::size_t records = records_within(block, extent.bytes - totals.bytes);
    const std::size_t bytes = block.record_ends[records - 1];
    totals.documents += static_cast<std::int64_t>(records);
    totals.bytes += bytes;
    complete = totals.bytes >= extent.bytes;
    sink(std::string_view(block.bytes).substr(0, bytes), totals);
  };
  tbb::parallel_pipeline(
      under_way, tbb::make_filter<void, std::int64_t>(tbb::filter_mode::serial_in_order, begin_block) &
                     tbb::make_filter<std::int64_t, std::int64_t>(tbb::filter_mode::parallel, fill_block) &
                     tbb::make_filter<std::int64_t, void>(tbb::filter_mode::serial_in_order, hand_over));
  return totals;
}

}  // namespace inkling::bench
