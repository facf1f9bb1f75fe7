#include "io/parts/shards/merge_counts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

// A stream and the first eight bytes of its term, which decide most comparisons.
struct MergeCursor {
  CountsStream* stream = nullptr;
  std::uint64_t head = 0;

  void set_head() {
    const std::string_view term = stream->term();
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, term.data(), std::min(term.size(), sizeof(bytes)));
    head = __builtin_bswap64(bytes);
  }
};
static_assert(std::endian::native == std::endian::little);

// The order of terms. Short terms are padded with zeros, which is safe because terms hold none.
bool comes_after(const MergeCursor& one, const MergeCursor& other) {
  return one.head != other.head ? one.head > other.head : one.stream->term() > other.stream->term();
}

bool same_term(const MergeCursor& one, const MergeCursor& other) {
  return one.head == other.head && one.stream->term() == other.stream->term();
}

// A power of two, so that all streams together stay within half of the memory: the program, the files that are
// written and the manifests take the rest.
std::size_t piece_bytes(const std::vector<CountsFolder>& inputs, std::uint64_t memory) {
  constexpr std::uint64_t least = 4096;
  const std::uint64_t each = memory / (6 * inputs.size());
  if (each < least) {
    throw FormatError(inputs.back().path(),
                      fmt::format("expected at most {} counts to merge in {} bytes of memory, found {}; merge "
                                  "them in groups",
                                  memory / (6 * least), memory, inputs.size()));
  }
  return static_cast<std::size_t>(std::bit_floor(std::min(each, kChecksumBlockBytes)));
}

void add_totals(CorpusTotals& sum, const CorpusTotals& totals) {
  sum.documents += totals.documents;
  sum.entries += totals.entries;
  sum.text_bytes += totals.text_bytes;
  sum.skipped += totals.skipped;
  sum.bad_bytes += totals.bad_bytes;
}

void add_all(std::vector<std::string>& strings, const std::vector<std::string>& more) {
  std::vector<std::string> both;
  std::ranges::set_union(strings, more, std::back_inserter(both));
  strings = std::move(both);
}

[[noreturn]] void refuse_to_merge(const CountsFolder& input, const CountsFolder& first, std::string_view what) {
  throw FormatError(input.path(), fmt::format("expected counts {} those of {}, found others", what, first.path()));
}

}  // namespace

CountsManifest merged_manifest(const std::vector<CountsFolder>& inputs) {
  const CountsManifest& first = inputs.front().manifest();
  CountsManifest merged;
  merged.program_version = first.program_version;
  merged.plan = first.plan;
  merged.recipe = first.recipe;
  merged.all_parts = first.all_parts;
  std::vector<std::pair<std::int64_t, const CountsFolder*>> owners;
  for (const CountsFolder& input : inputs) {
    const CountsManifest& counts = input.manifest();
    if (counts.program_version != first.program_version)
      refuse_to_merge(input, inputs.front(), "of the same version of the program as");
    if (counts.recipe != first.recipe) refuse_to_merge(input, inputs.front(), "by the same recipe as");
    if (counts.plan != first.plan) refuse_to_merge(input, inputs.front(), "by the same plan as");
    add_totals(merged.totals, counts.totals);
    merged.has_ids = merged.has_ids || counts.has_ids;
    merged.has_texts = merged.has_texts || counts.has_texts;
    merged.has_fields = merged.has_fields || counts.has_fields;
    add_all(merged.fields, counts.fields);
    add_all(merged.labels_seen, counts.labels_seen);
    merged.parts.insert(merged.parts.end(), counts.parts.begin(), counts.parts.end());
    for (const CountedPart& part : counts.parts) owners.emplace_back(part.part, &input);
  }
  std::ranges::sort(owners, {}, [](const auto& owner) { return owner.first; });
  const auto twice =
      std::ranges::adjacent_find(owners, [](const auto& one, const auto& other) { return one.first == other.first; });
  if (twice != owners.end()) {
    throw FormatError(std::next(twice)->second->path(),
                      fmt::format("expected parts that are in no other counts, found part {}, which is in {}, too", twice->first,
                                  twice->second->path()));
  }
  std::ranges::sort(merged.parts, {}, &CountedPart::part);
  return merged;
}

CountsManifest merge_counts(const std::vector<CountsFolder>& inputs, std::uint64_t memory, PoolStaging& staging,
                            const std::function<void(std::uint64_t done, std::uint64_t total)>& progress) {
  using Occurrences = CountsWriter::Occurrences;
  constexpr std::uint64_t terms_between_calls = 1U << 16U;
  CountsManifest merged = merged_manifest(inputs);
  const bool has_occurrences = inputs.front().has(CountsFile::occurrences);
  const std::size_t piece = piece_bytes(inputs, memory);
  std::vector<CountsStream> streams;
  streams.reserve(inputs.size());
  std::set<std::string> labels;
  std::uint64_t total = 0;
  for (const CountsFolder& input : inputs) {
    streams.emplace_back(input, piece);
    total += static_cast<std::uint64_t>(input.manifest().terms);
    for (std::string& label : labels_of(input)) labels.insert(std::move(label));
  }
  std::vector<MergeCursor> heap;  // the cursor that comes first is at its front
  for (CountsStream& stream : streams) {
    if (!stream.next()) continue;
    heap.push_back({.stream = &stream});
    heap.back().set_head();
  }
  std::ranges::make_heap(heap, comes_after);

  CountsWriter writer(staging, has_occurrences ? Occurrences::are_counted : Occurrences::are_not);
  std::vector<MergeCursor> same;  // cursors that are at the same term
  std::uint64_t done = 0;
  while (!heap.empty()) {
    std::int64_t documents = 0;
    std::int64_t occurrences = 0;
    do {
      std::ranges::pop_heap(heap, comes_after);
      same.push_back(heap.back());
      heap.pop_back();
      documents += same.back().stream->documents();
      occurrences += same.back().stream->occurrences();
    } while (!heap.empty() && same_term(heap.front(), same.front()));
    writer.append(same.front().stream->term(), documents, occurrences);
    for (MergeCursor& cursor : same) {
      if (++done % terms_between_calls == 0) progress(done, total);
      if (!cursor.stream->next()) continue;
      cursor.set_head();
      heap.push_back(cursor);
      std::ranges::push_heap(heap, comes_after);
    }
    same.clear();
  }
  for (const CountsFolder& input : inputs) input.check_unchanged();
  writer.publish({labels.begin(), labels.end()}, merged);
  return merged;
}

}  // namespace inkling
