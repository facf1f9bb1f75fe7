// Documents that come from Python, one after the other, as a source that a
// build reads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <nanobind/nanobind.h>

#include "io/corpus/source/document_source.hpp"

namespace inkling::python {

/// Asks an iterator for (text, id, label, fields, bytes of the title), each but
/// the last a str, for more documents; ids, labels and fields may be empty.
/// Fields are a JSON object on one line. Lifetime: lends the iterator. Thread safety: as its
/// base; `read` takes Python's lock.
class PythonTexts final : public DocumentSource {
 public:
  /// `total_bytes`: 0 if it is not known.
  PythonTexts(nanobind::handle iterator, std::uint64_t total_bytes) : iterator_(iterator), total_bytes_(total_bytes) {}

  [[nodiscard]] bool read(Chunk& chunk) override;
  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override;
  [[nodiscard]] std::uint64_t total_bytes() const override { return total_bytes_; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_; }

 private:
  void append(Chunk& chunk, nanobind::handle document);

  nanobind::handle iterator_;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t bytes_ = 0;
  std::int64_t documents_ = 0;
  std::shared_ptr<const std::string> origin_ = std::make_shared<const std::string>("texts");
};

}  // namespace inkling::python
