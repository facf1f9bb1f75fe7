// Documents in files that hold many of them.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "io/source/entries.hpp"
#include "io/source/record_format.hpp"

namespace inkling {
namespace {

class RecordSource final : public DocumentSource {
 public:
  /// Requires: options.format names a record format.
  RecordSource(std::vector<std::string> paths, SourceOptions options);

  [[nodiscard]] bool read(Chunk& chunk) override;
  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override;
  [[nodiscard]] std::uint64_t total_bytes() const override { return entries_.total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return entries_.bytes_read(); }

 private:
  [[nodiscard]] bool open_next_file();
  void take_header(Chunk& chunk);

  SourceOptions options_;
  const RecordFormat& format_;
  Entries entries_;
  std::optional<RecordChunks> file_;
  std::shared_ptr<const std::string> origin_;  // of the open file, and its header once that is read
  std::shared_ptr<const std::string> header_;
};

RecordSource::RecordSource(std::vector<std::string> paths, SourceOptions options)
    : options_(std::move(options)),
      format_(record_format(options_.format)),
      entries_(std::move(paths), {.most_expansion = options_.most_expansion,
                                  .most_unpacked_bytes = options_.most_unpacked_bytes}) {}

bool RecordSource::read(Chunk& chunk) {
  for (;;) {
    if (!file_ && !open_next_file()) return false;
    const bool more = file_->read(chunk.bytes, chunk.dropped_lines);
    entries_.note_progress();
    // An empty file lacks its header. A chunk without bytes lets the parser say so.
    if (more || (format_.has_columns && !header_ && has_header_line(options_))) break;
    file_.reset();
  }
  chunk.origin = origin_;
  chunk.members.clear();
  chunk.header_bytes = 0;
  if (format_.has_columns && !header_) take_header(chunk);
  chunk.header = header_;
  return true;
}

ChunkOutcome RecordSource::parse(const Chunk& chunk, const DocumentVisitor& visit) const {
  return format_.parse(chunk, options_, visit);
}

bool RecordSource::open_next_file() {
  const std::optional<Entry> entry = entries_.next();
  if (!entry) return false;
  origin_ = std::make_shared<const std::string>(entry->name());
  header_ = nullptr;
  file_.emplace(*entry->stream, format_.record_end,
                RecordLimits{options_.chunk_bytes, options_.most_document_bytes});
  return true;
}

void RecordSource::take_header(Chunk& chunk) {
  const std::string_view bytes = chunk.bytes.view();
  header_ = std::make_shared<const std::string>(bytes.substr(0, first_record(bytes, format_.record_end)));
  if (has_header_line(options_)) chunk.header_bytes = header_->size();
}

}  // namespace

std::unique_ptr<DocumentSource> open_records(const std::vector<std::string>& paths,
                                             const SourceOptions& options) {
  return std::make_unique<RecordSource>(paths, options);
}

}  // namespace inkling
