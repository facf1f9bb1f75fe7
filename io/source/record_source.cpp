#include "io/source/record_source.hpp"

#include <algorithm>
#include <utility>

#include "io/source/csv_parser.hpp"
#include "io/source/jsonl_parser.hpp"
#include "io/source/lines_parser.hpp"

namespace inkling {
namespace {

RecordEnd record_end_of(const SourceOptions& options) {
  return options.format == SourceFormat::csv ? RecordEnd::outside_quotes : RecordEnd::every_line;
}

}  // namespace

RecordSource::RecordSource(std::vector<std::string> paths, SourceOptions options)
    : options_(std::move(options)),
      entries_(std::move(paths), {.most_expansion = options_.most_expansion,
                                  .most_unpacked_bytes = options_.most_unpacked_bytes}) {}

bool RecordSource::read(Chunk& chunk) {
  for (;;) {
    if (!file_ && !open_next_file()) return false;
    const bool more = file_->read(chunk.bytes, chunk.dropped_lines);
    entries_.note_progress();
    // An empty file that lacks its header is to be complained of, and so it needs a chunk.
    if (more || (has_header() && !header_ && has_header_line(options_))) break;
    file_.reset();
  }
  chunk.origin = origin_;
  chunk.members.clear();
  chunk.header_bytes = 0;
  if (has_header() && !header_) take_header(chunk);
  chunk.header = header_;
  return true;
}

ChunkOutcome RecordSource::parse(const Chunk& chunk, const DocumentVisitor& visit) const {
  if (options_.format == SourceFormat::jsonl) return parse_jsonl(chunk, options_, visit);
  if (options_.format == SourceFormat::lines) return parse_lines(chunk, options_, visit);
  return parse_csv(chunk, options_, visit);
}

bool RecordSource::open_next_file() {
  const std::optional<Entry> entry = entries_.next();
  if (!entry) return false;
  origin_ = std::make_shared<const std::string>(entry->name());
  header_ = nullptr;
  file_.emplace(*entry->stream, record_end_of(options_),
                RecordLimits{options_.chunk_bytes, options_.most_document_bytes});
  return true;
}

bool RecordSource::has_header() const {
  return options_.format == SourceFormat::csv || options_.format == SourceFormat::tsv;
}

void RecordSource::take_header(Chunk& chunk) {
  const std::string_view bytes = chunk.bytes.view();
  header_ =
      std::make_shared<const std::string>(bytes.substr(0, first_record(bytes, record_end_of(options_))));
  if (has_header_line(options_)) chunk.header_bytes = header_->size();
}

}  // namespace inkling
