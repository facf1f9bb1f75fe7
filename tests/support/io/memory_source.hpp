// A source of documents that are in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/corpus/source/document_source.hpp"

namespace inkling::test {

struct MemoryDocument {
  std::string text;
  std::string id = {};
  std::string label = {};
  std::size_t title_bytes = 0;
};

[[nodiscard]] inline std::vector<MemoryDocument> documents_of(const std::vector<std::string>& texts) {
  std::vector<MemoryDocument> documents;
  documents.reserve(texts.size());
  for (const std::string& text : texts) documents.push_back({text});
  return documents;
}

/// Gives a fixed number of documents for each chunk. A record named "BAD" is a problem at its line, column 1.
class MemorySource final : public DocumentSource {
 public:
  explicit MemorySource(std::vector<MemoryDocument> documents, std::size_t documents_per_chunk = 3)
      : documents_(std::move(documents)), per_chunk_(documents_per_chunk) {}

  [[nodiscard]] bool read(Chunk& chunk) override {
    if (next_ >= documents_.size()) return false;
    const std::size_t end = std::min(next_ + per_chunk_, documents_.size());
    chunk.origin = origin_;
    chunk.members = {{.name = {}, .begin = next_, .size = end - next_}};
    next_ = end;
    return true;
  }

  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override {
    ChunkOutcome outcome;
    const Chunk::Member& range = chunk.members.front();
    for (std::size_t n = range.begin; n < range.begin + range.size; ++n, ++outcome.lines) {
      const MemoryDocument& document = documents_[n];
      if (document.text == "BAD") {
        outcome.problem = ChunkProblem{.line = outcome.lines, .expectation = "expected a good document"};
        return outcome;
      }
      const PaddedText text(document.text);
      visit({text.view(), document.id, document.label, document.title_bytes});
    }
    return outcome;
  }

  [[nodiscard]] std::uint64_t total_bytes() const override { return documents_.size(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return next_; }

 private:
  std::vector<MemoryDocument> documents_;
  std::size_t per_chunk_;
  std::size_t next_ = 0;
  std::shared_ptr<const std::string> origin_ = std::make_shared<const std::string>("memory");
};

}  // namespace inkling::test
