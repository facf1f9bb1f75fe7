#include "io/corpus/from_text/measured_source.hpp"

#include <memory>
#include <utility>

#include <tbb/task_arena.h>

#include "engine/core/ordered_pipeline.hpp"
#include "io/corpus/text/padded_text.hpp"

namespace inkling {
namespace {

std::uint64_t memory_of(const Chunk& chunk) {
  if (chunk.parsed) return chunk.parsed->memory();
  std::uint64_t memory = chunk.bytes.size() + chunk.members.size() * sizeof(Chunk::Member);
  for (const Chunk::Member& member : chunk.members) memory += member.name.size();
  return memory;
}

}  // namespace

void ParsedChunk::append(const SourceDocument& document) {
  documents.push_back({.text = document.text.size(),
                       .id = document.id.size(),
                       .label = document.label.size(),
                       .fields = document.fields.size(),
                       .title = document.title_bytes,
                       .id_is_pmid = document.id_is_pmid});
  for (const std::string_view part : {document.text, document.id, document.label, document.fields}) bytes += part;
}

void ParsedChunk::end() {
  bytes.append(kTextPadding, '\0');
  bytes.shrink_to_fit();
  documents.shrink_to_fit();
}

void ParsedChunk::visit_all(const DocumentVisitor& visit) const {
  std::string_view left = bytes;
  for (const Document& one : documents) {
    const auto take = [&left](std::size_t size) { return std::exchange(left, left.substr(size)).substr(0, size); };
    SourceDocument document = {.text = take(one.text), .id = {}, .label = {}};
    document.id = take(one.id);
    document.label = take(one.label);
    document.title_bytes = one.title;
    document.fields = take(one.fields);
    document.id_is_pmid = one.id_is_pmid;
    visit(document);
  }
}

bool MeasuredSource::is_within(std::uint64_t most_text, std::uint64_t most_held, const std::function<void()>& between) {
  struct Work {
    Chunk chunk;
    std::uint64_t text = 0;
  };
  std::vector<Work> chunks(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) + 1);
  std::atomic<bool> is_known = false;
  std::uint64_t text = 0;
  ordered_pipeline(
      chunks, [&](Work& work) { return !is_known && source_.read(work.chunk); },
      [&](Work& work) {
        auto parsed = std::make_shared<ParsedChunk>();
        const std::uint64_t most = 2 * memory_of(work.chunk);
        work.text = 0;
        const ChunkOutcome outcome = source_.parse(work.chunk, [&](const SourceDocument& document) {
          work.text += document.text.size();
          if (parsed) parsed->append(document);
          if (parsed && parsed->memory() > most) parsed.reset();
        });
        if (!parsed) return;
        parsed->outcome = outcome;
        parsed->end();
        work.chunk.bytes = PaddedText();
        work.chunk.parsed = parsed;
      },
      [&](Work& work) {
        text += work.text;
        held_bytes_ += memory_of(work.chunk);
        held_.push_back(std::exchange(work.chunk, Chunk()));
        if (text > most_text || held_bytes_ > most_held) is_known = true;
        between();
      });
  return text <= most_text && held_bytes_ <= most_held;
}

bool MeasuredSource::read(Chunk& chunk) {
  if (held_.empty()) {
    chunk.parsed.reset();
    return source_.read(chunk);
  }
  chunk = std::move(held_.front());
  held_.pop_front();
  held_bytes_ -= memory_of(chunk);
  again_ = chunk.disk_bytes;
  return true;
}

ChunkOutcome MeasuredSource::parse(const Chunk& chunk, const DocumentVisitor& visit) const {
  if (!chunk.parsed) return source_.parse(chunk, visit);
  chunk.parsed->visit_all(visit);
  return chunk.parsed->outcome;
}

std::uint64_t MeasuredSource::bytes_read() const { return held_bytes_ > 0 ? again_.load() : source_.bytes_read(); }

}  // namespace inkling
