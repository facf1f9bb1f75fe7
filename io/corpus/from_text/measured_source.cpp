#include "io/corpus/from_text/measured_source.hpp"

#include <memory>
#include <utility>

#include <tbb/task_arena.h>

#include "engine/core/ordered_pipeline.hpp"
#include "io/corpus/text/padded_text.hpp"

namespace inkling {

void ParsedChunk::append(const SourceDocument& document) {
  documents.push_back({.begin = bytes.size(),
                       .text = document.text.size(),
                       .id = document.id.size(),
                       .label = document.label.size(),
                       .fields = document.fields.size(),
                       .title = document.title_bytes,
                       .id_is_pmid = document.id_is_pmid});
  bytes += document.text;
  bytes.append(kTextPadding, '\0');
  for (const std::string_view part : {document.id, document.label, document.fields}) bytes += part;
}

void ParsedChunk::visit_all(const DocumentVisitor& visit) const {
  for (const Document& one : documents) {
    std::string_view left = std::string_view(bytes).substr(one.begin);
    const auto take = [&left](std::size_t size) { return std::exchange(left, left.substr(size)).substr(0, size); };
    SourceDocument document = {.text = take(one.text), .id = {}, .label = {}};
    static_cast<void>(take(kTextPadding));
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
        const auto parsed = std::make_shared<ParsedChunk>();
        work.text = 0;
        parsed->outcome = source_.parse(work.chunk, [&](const SourceDocument& document) {
          parsed->append(document);
          work.text += document.text.size();
        });
        parsed->bytes.shrink_to_fit();
        work.chunk.bytes = PaddedText();
        work.chunk.parsed = parsed;
      },
      [&](Work& work) {
        text += work.text;
        held_bytes_ += work.chunk.parsed->bytes.size();
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
  held_bytes_ -= chunk.parsed->bytes.size();
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
