#include "io/build/counting_pass.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/file/utf8.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/write/matrix_writer.hpp"
#include "io/source/record_parser.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kMostDocuments = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kSegmentEntries = std::uint64_t{1} << 15U;

// A chunk on its way through the pipeline, with all that is made of it.
struct ChunkInFlight {
  Chunk chunk;
  ChunkOutcome outcome;
  CountedChunk counted;
  std::uint64_t text_bytes = 0;
};

void append_counts(CountedChunk& counted, std::span<const TermCount> counts, CountKeeping keeping) {
  const CountedSegment& last = counted.segments.back();
  if (last.documents == UnsortedBlock::most_rows || last.entries + counts.size() > kSegmentEntries)
    counted.segments.emplace_back();
  CountedSegment& segment = counted.segments.back();
  const std::size_t before = counted.counts.bytes().size();
  if (keeping == CountKeeping::keep) counted.counts.append(counts);
  segment.bytes += counted.counts.bytes().size() - before;
  segment.documents += 1;
  segment.entries += counts.size();
}

void count_chunk(const DocumentSource& source, TextKeeping texts, CountKeeping counts,
                 DocumentCounter& counter, ChunkInFlight& work) {
  CountedChunk& counted = work.counted;
  counted.counts.clear();
  counted.segments.assign(1, {});
  counted.ids.clear();
  counted.labels.clear();
  counted.texts.clear();
  work.text_bytes = 0;
  work.outcome = source.parse(work.chunk, [&](const SourceDocument& document) {
    append_counts(counted, counter.count(document.text), counts);
    counted.ids.append(document.id);
    counted.labels.append(document.label);
    if (texts == TextKeeping::keep) counted.texts.append(document.text);
    work.text_bytes += document.text.size();
  });
}

void add_chunk(CorpusTotals& totals, const ChunkInFlight& work) {
  totals.skipped += work.outcome.skipped;
  totals.bad_bytes += work.outcome.bad_bytes;
  totals.text_bytes += work.text_bytes;
  totals.documents += static_cast<std::int64_t>(work.counted.ids.size());
  for (const CountedSegment& segment : work.counted.segments)
    totals.entries += static_cast<std::int64_t>(segment.entries);
  if (totals.documents > kMostDocuments)
    throw FormatError(*work.chunk.origin,
                      fmt::format("expected at most {} documents in all", kMostDocuments));
}

void check_term_memory(const TermTable& terms, std::uint64_t most, const CorpusTotals& totals) {
  if (terms.memory() <= most) return;
  throw FormatError("--memory",
                    fmt::format("the {} different terms of the first {} documents need more than the {} "
                                "MiB that it leaves them; allow more, or choose a token rule that makes "
                                "fewer terms",
                                terms.size(), totals.documents, most >> 20U));
}

// Terms are below 2^31, so that a term and a bit fit in four bytes: the bit says that its count is not 1.
constexpr std::size_t kLongestTerm = 4;
constexpr std::size_t kLongestNumber = 5;
constexpr std::size_t kLengthsInAByte = 4;  // two bits each
constexpr std::uint32_t kMostInAByte = 0x7F;

std::byte* write_number(std::byte* out, std::uint32_t number) {
  for (; number > kMostInAByte; number >>= 7U) *out++ = static_cast<std::byte>(number | 0x80U);
  *out++ = static_cast<std::byte>(number);
  return out;
}

// Seven bits a byte, the lowest first; the eighth says that more follow.
std::uint32_t read_number(const std::byte*& in) {
  std::uint32_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint32_t>(*in++);
    number |= (byte & 0x7FU) << shift;
    if (byte <= kMostInAByte) return number;
  }
}

std::size_t length_bytes(std::size_t entries) { return (entries + kLengthsInAByte - 1) / kLengthsInAByte; }

constexpr std::int32_t kNoLabel = -1;
constexpr std::size_t kCodesAtOnce = std::size_t{1} << 14U;

}  // namespace

void TermCountsWriter::append(std::span<const TermCount> document) {
  const std::size_t lengths = length_bytes(document.size());
  const std::size_t most =
      used_ + 2 * kLongestNumber + lengths + (kLongestTerm + kLongestNumber) * document.size();
  if (most > bytes_.size()) bytes_.resize(std::max(most, 2 * bytes_.size()));
  std::byte* out = write_number(bytes_.data() + used_, static_cast<std::uint32_t>(document.size()));
  std::byte* length_of = out;
  out += lengths;
  // Without a branch: four bytes are written, and as many count as the number needs.
  for (std::size_t n = 0; n < document.size();) {
    unsigned lengths_of_four = 0;
    const std::size_t end = std::min(n + kLengthsInAByte, document.size());
    for (unsigned shift = 0; n < end; ++n, shift += 2) {
      const std::uint32_t repeated = document[n].count > 1 ? 1 : 0;
      const std::uint32_t term = (document[n].term << 1U) | repeated;
      const unsigned length = (static_cast<unsigned>(std::bit_width(term | 1U)) + 7) / 8;
      std::memcpy(out, &term, kLongestTerm);
      out += length;
      lengths_of_four |= (length - 1) << shift;
    }
    *length_of++ = static_cast<std::byte>(lengths_of_four);
  }
  // The same: a byte is written, and counts unless the count is 1; few counts need more.
  for (const TermCount& entry : document) {
    *out = static_cast<std::byte>(entry.count);
    out += entry.count > 1 ? 1 : 0;
    if (entry.count > kMostInAByte) [[unlikely]]
      out = write_number(out - 1, entry.count);
  }
  used_ = static_cast<std::size_t>(out - bytes_.data());
}

std::span<const std::byte> TermCountsWriter::padded_bytes() const noexcept {
  // append() makes room for one number more than it writes.
  static_assert(TermCountsReader::padding <= kLongestNumber);
  return std::span(bytes_).first(used_ == 0 ? 0 : used_ + TermCountsReader::padding);
}

std::span<const TermCount> TermCountsReader::next() {
  const std::size_t size = read_number(next_);
  if (size > counts_.size()) counts_.resize(2 * size);
  const std::span<TermCount> document = std::span(counts_).first(size);
  const std::byte* const length_of = next_;
  const std::byte* in = next_ + length_bytes(size);
  for (std::size_t n = 0; n < size; ++n) {
    const unsigned length =
        ((static_cast<unsigned>(length_of[n / kLengthsInAByte]) >> (2 * (n % kLengthsInAByte))) & 3U) + 1;
    std::uint32_t term = 0;
    std::memcpy(&term, in, kLongestTerm);
    term &= 0xFFFFFFFFU >> (32 - 8 * length);
    in += length;
    document[n] = {term >> 1U, 1 + (term & 1U)};
  }
  for (TermCount& entry : document) {
    const std::uint32_t repeated = entry.count - 1;
    const auto byte = static_cast<std::uint32_t>(*in);
    if ((repeated & (byte >> 7U)) != 0) [[unlikely]] {
      entry.count = read_number(in);
      continue;
    }
    entry.count = repeated != 0 ? byte : 1;
    in += repeated;
  }
  next_ = in;
  return document;
}

CorpusTotals count_corpus(DocumentSource& source, const TextRecipe& recipe, TextKeeping texts,
                          CountKeeping counts, std::uint64_t most_term_bytes, TermTable& terms,
                          const std::function<void(const CountedChunk&)>& receive,
                          const std::function<void(const CorpusTotals&)>& progress) {
  tbb::enumerable_thread_specific<DocumentCounter> counters(
      [&terms, &recipe] { return DocumentCounter(terms, recipe); });
  std::vector<ChunkInFlight> chunks(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) + 2);
  OutcomeCheck outcomes;
  CorpusTotals totals;
  ordered_pipeline(
      chunks, [&](ChunkInFlight& work) { return source.read(work.chunk); },
      [&](ChunkInFlight& work) { count_chunk(source, texts, counts, counters.local(), work); },
      [&](const ChunkInFlight& work) {
        outcomes.take(work.chunk.origin, work.outcome);
        add_chunk(totals, work);
        receive(work.counted);
        check_term_memory(terms, most_term_bytes - std::min(most_term_bytes, source.unpacking_memory()),
                          totals);
        progress(totals);
      });
  for (DocumentCounter& counter : counters) counter.flush();
  return totals;
}

void LabelColumn::append(const StringBatch& batch) {
  std::vector<std::int32_t> codes(batch.size(), kNoLabel);
  for (std::size_t n = 0; n < batch.size(); ++n) {
    if (batch[n].empty()) continue;
    auto found = code_of_.find(batch[n]);
    if (found == code_of_.end())
      found = code_of_.emplace(batch[n], static_cast<std::int32_t>(code_of_.size())).first;
    codes[n] = found->second;
  }
  codes_.append(std::as_bytes(std::span(codes)));
}

std::vector<std::string> LabelColumn::names() const {
  std::vector<std::string> names;
  names.reserve(code_of_.size());
  for (const auto& [name, code] : code_of_) names.push_back(name);
  return names;
}

void LabelColumn::write(PoolStaging& staging, std::span<const std::string> names) const {
  if (names.empty()) return;
  StagedLines lines(staging, std::string(PoolFile::label_names));
  for (const std::string& name : names) lines.append(name);
  lines.close();
  std::vector<std::int32_t> final_code(code_of_.size());
  for (const auto& [name, code] : code_of_) {
    const auto found = std::ranges::lower_bound(names, name);
    if (found == names.end() || *found != name)
      throw FormatError("the labels", fmt::format("expected those that were counted, found another one: {}",
                                                  quoted_text(name)));
    final_code[static_cast<std::size_t>(code)] = static_cast<std::int32_t>(found - names.begin());
  }

  StagedArray<std::int32_t> labels(staging, std::string(PoolFile::labels));
  std::vector<std::int32_t> codes(kCodesAtOnce);
  const std::uint64_t rows = codes_.size() / sizeof(std::int32_t);
  for (std::uint64_t row = 0; row < rows; row += codes.size()) {
    codes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kCodesAtOnce, rows - row)));
    codes_.read(row * sizeof(std::int32_t), std::as_writable_bytes(std::span(codes)));
    for (std::int32_t& code : codes)
      if (code != kNoLabel) code = final_code[static_cast<std::size_t>(code)];
    labels.append(codes);
  }
  labels.close();
}

}  // namespace inkling
