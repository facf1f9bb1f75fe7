// A source that is looked at before it is read: how much text it holds decides what is counted in it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "io/corpus/source/document_source.hpp"

namespace inkling {

/// What parsing made of a chunk, to be handed over once more.
struct ParsedChunk {
  struct Document {
    std::size_t text = 0;  ///< sizes
    std::size_t id = 0;
    std::size_t label = 0;
    std::size_t fields = 0;
    std::size_t title = 0;
    bool id_is_pmid = false;
  };

  std::string bytes;  ///< of each document in turn its text, its id, its label and its fields; padding at the end
  std::vector<Document> documents;
  ChunkOutcome outcome;

  [[nodiscard]] std::size_t memory() const { return bytes.size() + documents.size() * sizeof(Document); }
  void append(const SourceDocument& document);
  /// No document comes after this one.
  void end();
  void visit_all(const DocumentVisitor& visit) const;
};

/// Reads another source. What was parsed to measure it is held in memory and handed over from there, so that a pipe can be measured,
/// too, and nothing is parsed twice, unless its documents take more than twice the bytes they were parsed from: many of a few bytes
/// do, and then the bytes are held. Lifetime: lends the other source.
class MeasuredSource final : public DocumentSource {
 public:
  explicit MeasuredSource(DocumentSource& source) : source_(source) {}

  /// Whether the texts of all documents together take at most `most_text` bytes, and what is held of them at most
  /// `most_held`. Reads on until that is known, and calls `between()` now and then, from one thread at a time. Call it once, before
  /// anything is read.
  [[nodiscard]] bool is_within(std::uint64_t most_text, std::uint64_t most_held, const std::function<void()>& between);

  [[nodiscard]] bool read(Chunk& chunk) override;
  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override;
  [[nodiscard]] std::uint64_t total_bytes() const override { return source_.total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override;
  [[nodiscard]] std::int64_t links_left_out() const override { return source_.links_left_out(); }
  /// With what is held.
  [[nodiscard]] std::uint64_t unpacking_memory() const override { return source_.unpacking_memory() + held_bytes_; }

 private:
  DocumentSource& source_;
  std::deque<Chunk> held_;
  std::atomic<std::uint64_t> held_bytes_ = 0;
  std::atomic<std::uint64_t> again_ = 0;  // bytes of files that were read again so far
};

}  // namespace inkling
