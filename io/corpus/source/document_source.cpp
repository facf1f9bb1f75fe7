#include "io/corpus/source/document_source.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/system/folder.hpp"
#include "io/corpus/fields/record_fields.hpp"
#include "io/corpus/source/decoded_stream.hpp"
#include "io/corpus/source/member_parser.hpp"
#include "io/corpus/source/record_format.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostMembers = 4096;

// The options for the later part of a file, whose beginning says how it is encoded and how its lines end.
SourceOptions options_of_part(const std::string& path, SourceOptions options) {
  FileStream file(path);
  DecodedStream decoded(file, path, options);
  options.has_returns = decoded.has_returns();
  if (!detects_encoding(options)) return options;
  std::string block(std::size_t{1} << 18U, '\0');
  while (options.other_encoding.empty() && !decoded.is_decided() && decoded.read(block) == block.size()) {
  }
  options.usual_encoding = decoded.usual();
  if (record_format(options.format).record_end == RecordEnd::before_mail) return options;
  options.other_encoding = decoded.take_found();
  options.encoding = TextEncoding::utf8;
  return options;
}

// Where the header of a table is in its first records.
struct HeaderPlace {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The first record that can be the header among so many as programs write lines before one; else the first record. Reads more
// records into `bytes` if they are needed.
HeaderPlace find_header(RecordChunks& records, PaddedText& bytes, std::int64_t& dropped_lines, const RecordFormat& format,
                        const SourceOptions& options) {
  constexpr int most_lines = 20;
  HeaderPlace first;
  HeaderPlace place;
  for (int line = 0; line < most_lines; ++line) {
    if (place.end == bytes.size() && line > 0) {
      PaddedText more;
      if (dropped_lines > 0 || !records.read(more, dropped_lines)) break;
      bytes.append(more.view());
    }
    place.begin = place.end;
    const std::string_view rest = bytes.view().substr(place.begin);
    place.end += std::min(first_record(rest, format.record_end), rest.size());
    if (line == 0) first = place;
    if (!has_header_line(options) || is_header_line(rest.substr(0, place.end - place.begin), options, line > 0)) return place;
  }
  return first;
}

std::int64_t lines_before(const std::string& path, std::uint64_t position, RecordEnd rule) {
  FileStream file(path);
  LimitedStream before(file, position);
  std::string block(std::size_t{1} << 18U, '\0');
  LineCount count(rule);
  for (std::size_t got = before.read(block); got > 0; got = before.read(block)) count.add(std::string_view(block).substr(0, got));
  return count.lines();
}

// What the records of a later part need: the header of the table, or what earlier records define; null for all other formats.
std::shared_ptr<const std::string> header_of_part(const std::string& path, std::uint64_t position, const RecordFormat& format,
                                                  const SourceOptions& options) {
  if (!format.has_columns && format.definitions == nullptr) return nullptr;
  FileStream file(path);
  LimitedStream raw(file, format.has_columns ? std::numeric_limits<std::uint64_t>::max() : position);
  DecodedStream decoded(raw, path, options);
  RecordChunks records(decoded, format.record_end, options.reading);
  PaddedText bytes;
  std::string found;
  std::int64_t dropped_lines = 0;
  while (records.read(bytes, dropped_lines)) {
    if (format.has_columns) {
      const HeaderPlace place = find_header(records, bytes, dropped_lines, format, options);
      return std::make_shared<const std::string>(bytes.view().substr(place.begin, place.end - place.begin));
    }
    format.definitions(bytes.view(), found);
  }
  return std::make_shared<const std::string>(std::move(found));
}

// The fields with the title among them, if the text is made of several fields: the text that a pool keeps does not tell
// where its title ends. A title that is there already stays.
std::string_view fields_with_title(const SourceDocument& document, std::string& scratch) {
  if (document.title_bytes == 0) return document.fields;
  for (JsonPieces pieces({document.fields, 0}); pieces.has_next();)
    if (role_of_field(string_of_json(pieces.next_member().name.text)) == FieldRole::title) return document.fields;
  JsonWriter title;
  title.begin_object().member("title", document.text.substr(0, document.title_bytes)).end_object();
  scratch = title.take();
  if (!document.fields.empty()) {
    scratch.back() = ',';
    scratch += document.fields.substr(1);
  }
  return scratch;
}

// Documents of files, packed or not.
class EntriesSource : public DocumentSource {
 public:
  /// `files`: paths or pieces.
  template <typename Files>
  EntriesSource(Files files, const SourceOptions& options)
      : options_(options), entries_(std::move(files), options.reading.unpacking, options.reading.check_interruption) {}

  [[nodiscard]] std::uint64_t total_bytes() const override { return entries_.total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return entries_.bytes_read(); }
  [[nodiscard]] std::int64_t links_left_out() const override { return entries_.links_left_out(); }
  [[nodiscard]] std::uint64_t unpacking_memory() const override { return entries_.unpacking_memory(); }

 protected:
  SourceOptions options_;
  Entries entries_;
};

// Documents that are a file each, many small ones to a chunk.
class FilesSource final : public EntriesSource {
 public:
  using EntriesSource::EntriesSource;

  [[nodiscard]] bool read(Chunk& chunk) override {
    if (!next_ && !find_next()) return false;
    chunk.bytes.clear();
    chunk.members.clear();
    chunk.dropped_lines = 0;
    chunk.part_begin = 0;
    chunk.origin = std::make_shared<const std::string>(next_->root);
    chunk.format = options_.format;
    do {
      append_member(chunk);
      next_.reset();
      entries_.note_progress();
    } while (chunk.bytes.size() < options_.reading.chunk_bytes && chunk.members.size() < kMostMembers && find_next() &&
             next_->root == *chunk.origin);
    return true;
  }

  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override {
    return parse_members(chunk, options_, visit);
  }

 private:
  // Goes to the next file whose label is wanted.
  [[nodiscard]] bool find_next() {
    do {
      next_ = entries_.next();
    } while (next_ && !keeps_label(options_, label_of_path(next_->path)));
    return next_.has_value();
  }

  // Appends the next file. Of a file that is longer than a document may be, keeps so much that it is longer than the limit even
  // without a byte order mark.
  void append_member(Chunk& chunk) {
    constexpr std::uint64_t byte_order_mark = 3;
    constexpr std::size_t block = std::size_t{1} << 18U;
    const std::uint64_t most = options_.reading.most_document_bytes + byte_order_mark + 1;
    Chunk::Member member = {.name = std::move(next_->path), .begin = chunk.bytes.size(), .size = 0, .is_utf16 = next_->is_utf16};
    while (member.size < most) {
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(block, most - member.size));
      const std::size_t got = next_->stream->read({chunk.bytes.extend(wanted), wanted});
      member.size += got;
      chunk.bytes.truncate(member.begin + member.size);
      if (got < wanted) break;
    }
    chunk.members.push_back(std::move(member));
  }

  std::optional<Entry> next_;  // found and not read
};

// Documents in files that hold many of them.
class RecordSource final : public EntriesSource {
 public:
  template <typename Files>
  RecordSource(Files files, const SourceOptions& options)
      : EntriesSource(std::move(files), options), format_(record_format(options.format)) {}

  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override {
    std::string fields;
    const DocumentVisitor visit_with_fields = [&](SourceDocument document) {
      document.fields = options_.keep_fields ? fields_with_title(document, fields) : std::string_view();
      visit(document);
    };
    ChunkOutcome outcome = format_.parse(chunk, options_, visit_with_fields);
    outcome.bad_bytes += chunk.bad_bytes;
    if (!chunk.encoding_remark.empty()) {
      const ChunkProblem remark = {.expectation = chunk.encoding_remark, .is_of_file = true};
      outcome.remarks.insert(outcome.remarks.begin(), remark);
    }
    if (chunk.lines_before_header > 0)
      outcome.remarks.insert(
          outcome.remarks.begin(),
          {.line = chunk.lines_before_header,
           .expectation = fmt::format(
               "this is the header; {} before it left out",
               chunk.lines_before_header == 1 ? "1 line was" : fmt::format("{} lines were", chunk.lines_before_header))});
    if (chunk.is_last && chunk.has_ends) note_cut(chunk, outcome);
    if (chunk.part_begin > 0 && (outcome.problem || !outcome.remarks.empty())) {
      const std::int64_t before = lines_before_part(chunk);
      if (outcome.problem) outcome.problem->line += before;
      for (ChunkProblem& remark : outcome.remarks) remark.line += before;
    }
    return outcome;
  }

  [[nodiscard]] bool read(Chunk& chunk) override {
    for (;;) {
      if (!file_ && !open_next_file()) return false;
      const bool more = file_->read(chunk.bytes, chunk.dropped_lines);
      entries_.note_progress();
      // An empty file lacks its header: it makes a chunk without bytes, so that the parser reports that.
      if (more || (format_.has_columns && !header_ && has_header_line(options_))) break;
      file_.reset();
    }
    chunk.origin = origin_;
    chunk.format = options_.format;
    chunk.members.clear();
    chunk.header_bytes = 0;
    chunk.lines_before_header = 0;
    chunk.part_begin = part_begin_;
    chunk.disk_bytes = entries_.bytes_read();
    if (format_.has_columns && !header_) take_header(chunk);
    chunk.header = header_;
    chunk.is_within = is_within_;
    chunk.is_last = file_->is_done();
    has_ends_ = has_ends_ || (!format_.last_tag.empty() && last_tag_in(chunk.bytes.view()) != std::string_view::npos);
    chunk.has_ends = has_ends_;
    chunk.encoding_remark = std::exchange(utf16_remark_, {});
    if (const std::string found = decoded_->take_found(); !found.empty()) chunk.encoding_remark = encoding_remark(found);
    chunk.usual_encoding = usual_encoding_.empty() ? decoded_->usual() : usual_encoding_;
    chunk.bad_bytes = decoded_->take_bad_bytes();
    if (format_.definitions != nullptr) take_definitions(chunk);
    return true;
  }

 private:
  [[nodiscard]] bool open_next_file() {
    const std::optional<Entry> entry = entries_.next();
    if (!entry) return false;
    origin_ = std::make_shared<const std::string>(entry->name());
    has_ends_ = false;
    part_begin_ = entry->begin;
    is_within_ = entry->is_within;
    const SourceOptions reading = part_begin_ > 0 ? options_of_part(*origin_, options_) : options_;
    header_ = part_begin_ > 0 ? header_of_part(*origin_, part_begin_, format_, reading) : nullptr;
    utf16_remark_ = entry->is_utf16 ? kUtf16Remark : std::string();
    usual_encoding_ = reading.usual_encoding;
    decoded_.emplace(*entry->stream, *origin_, reading);
    file_.emplace(*decoded_, format_.record_end, options_.reading,
                  part_begin_ > 0 ? StreamBegin::within_file : StreamBegin::at_file_begin);
    return true;
  }

  // Hands what this chunk defines on to the chunks after it.
  void take_definitions(const Chunk& chunk) {
    std::string more = header_ ? *header_ : std::string();
    const std::size_t before = more.size();
    format_.definitions(chunk.bytes.view(), more);
    if (more.size() > before) header_ = std::make_shared<const std::string>(std::move(more));
  }

  // Where a line begins with the tag that ends records; npos if none does.
  [[nodiscard]] std::size_t last_tag_in(std::string_view text) const {
    const std::string line = "\n" + std::string(format_.last_tag) + "  -";
    return std::min(text.find(line), text.find('\r' + line.substr(1)));
  }

  // Whether the last record of a file ends as the others do. The download may have ended before.
  void note_cut(const Chunk& chunk, ChunkOutcome& outcome) const {
    const std::string_view bytes = chunk.bytes.view();
    const std::size_t last = last_mark(bytes, format_.record_end, 0);
    const std::size_t begin = last == std::string_view::npos ? 0 : last;
    if (outcome.problem || last_tag_in(bytes.substr(begin)) != std::string_view::npos) return;
    outcome.remarks.push_back(
        {.line = line_ends_in(bytes.substr(0, begin), format_.record_end),
         .expectation = fmt::format("the last record has no end ({}), as others have: the file may be cut", format_.last_tag)});
  }

  // Counted once for each part, because many of its chunks may have bad records.
  [[nodiscard]] std::int64_t lines_before_part(const Chunk& chunk) const {
    const std::lock_guard lock(counting_lines_);
    if (counted_origin_ != chunk.origin) {
      lines_before_ = lines_before(*chunk.origin, chunk.part_begin, format_.record_end);
      counted_origin_ = chunk.origin;
    }
    return lines_before_;
  }

  void take_header(Chunk& chunk) {
    const HeaderPlace place = find_header(*file_, chunk.bytes, chunk.dropped_lines, format_, options_);
    header_ = std::make_shared<const std::string>(chunk.bytes.view().substr(place.begin, place.end - place.begin));
    if (!has_header_line(options_)) return;
    chunk.header_bytes = place.end;
    chunk.lines_before_header = line_ends_in(chunk.bytes.view().substr(0, place.begin), RecordEnd::every_line);
  }

  const RecordFormat& format_;
  std::optional<DecodedStream> decoded_;
  std::string usual_encoding_;
  std::string utf16_remark_;  // until a chunk carries it
  std::optional<RecordChunks> file_;
  std::shared_ptr<const std::string> origin_;  // of the open file, and its header once that is read
  std::shared_ptr<const std::string> header_;
  std::uint64_t part_begin_ = 0;
  bool has_ends_ = false;   // of the open file
  bool is_within_ = false;  // the open file is in a folder or archive that was given
  mutable std::mutex counting_lines_;
  mutable std::shared_ptr<const std::string> counted_origin_;  // of the open part whose lines before it are counted
  mutable std::int64_t lines_before_ = 0;
};

// Sources of several formats, one after the other.
class MixedSource final : public DocumentSource {
 public:
  explicit MixedSource(std::vector<std::unique_ptr<DocumentSource>> sources) : sources_(std::move(sources)) {}

  [[nodiscard]] bool read(Chunk& chunk) override {
    for (; reading_ < sources_.size(); ++reading_) {
      if (!sources_[reading_]->read(chunk)) continue;
      chunk.reader = reading_;
      return true;
    }
    return false;
  }
  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override {
    return sources_[chunk.reader]->parse(chunk, visit);
  }
  [[nodiscard]] std::uint64_t total_bytes() const override { return sum(&DocumentSource::total_bytes); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return sum(&DocumentSource::bytes_read); }
  [[nodiscard]] std::int64_t links_left_out() const override { return sum(&DocumentSource::links_left_out); }
  [[nodiscard]] std::uint64_t unpacking_memory() const override { return sum(&DocumentSource::unpacking_memory); }

 private:
  template <typename Number>
  [[nodiscard]] Number sum(Number (DocumentSource::*of_source)() const) const {
    Number all = 0;
    for (const auto& source : sources_) all += ((*source).*of_source)();
    return all;
  }

  std::vector<std::unique_ptr<DocumentSource>> sources_;
  std::size_t reading_ = 0;
};

// `files`: paths or pieces.
template <typename File>
std::unique_ptr<DocumentSource> source_of(std::vector<File> files, const SourceOptions& options) {
  if (!options.kinds.empty()) {
    std::vector<std::unique_ptr<DocumentSource>> sources;
    for (std::size_t n = 0; n < options.kinds.size(); ++n)
      sources.push_back(source_of(std::vector{std::move(files[n])}, options.of_kind(options.kinds[n])));
    return std::make_unique<MixedSource>(std::move(sources));
  }
  if (is_file_format(options.format)) return std::make_unique<FilesSource>(std::move(files), options);
  return std::make_unique<RecordSource>(std::move(files), options);
}

}  // namespace

std::unique_ptr<DocumentSource> open_source(const std::vector<std::string>& paths, const SourceOptions& options) {
  return source_of(paths, options);
}

std::function<std::unique_ptr<DocumentSource>()> reading_again(const std::vector<std::string>& paths, SourceOptions options) {
  constexpr std::uint64_t few = std::uint64_t{1} << 16U;
  const auto can_be_read_again = [](const std::string& path) { return is_file_at(path) || is_folder_at(path); };
  if (!std::ranges::all_of(paths, can_be_read_again)) return {};
  options.reading.record_a_chunk = true;
  options.reading.chunk_bytes = few;
  return [paths, options = std::move(options)] { return open_source(paths, options); };
}

std::unique_ptr<DocumentSource> open_pieces(std::vector<FilePiece> pieces, const SourceOptions& options) {
  return source_of(std::move(pieces), options);
}

}  // namespace inkling
