#include "io/corpus/source/document_source.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/corpus/fields/record_fields.hpp"
#include "io/corpus/pages/html_text.hpp"
#include "io/corpus/pages/named_encoding.hpp"
#include "io/corpus/source/decoded_stream.hpp"
#include "io/corpus/source/mail_document.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/unpack/foreign_kinds.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostMembers = 4096;
constexpr const char* kUtf16Remark = "read as UTF-16, as its first two bytes say";

// The name of the folder that a file lies in, by its path below the source; empty where it lies in none.
std::string_view label_of_path(std::string_view path) {
  const std::size_t end = path.rfind('/');
  if (end == std::string_view::npos) return {};
  const std::string_view folder = path.substr(0, end);
  return folder.substr(folder.rfind('/') + 1);  // npos + 1 is 0
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

// Whether the name has an ending of that file format, in any case.
bool has_ending(std::string_view name, std::string_view format) {
  const std::string lower = ascii_lower_case(name.substr(name.size() - std::min<std::size_t>(name.size(), 8)));
  const auto* const known = std::ranges::find(kFileFormats, format, &FileFormat::name);
  return std::ranges::any_of(known->endings, [&](std::string_view ending) { return !ending.empty() && lower.ends_with(ending); });
}

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

/// Where the header of a table is in its first records.
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

// The header of a file of which only a later part is read.
std::string header_of_file(const std::string& path, const RecordFormat& format, const SourceOptions& options) {
  FileStream raw(path);
  DecodedStream file(raw, path, options);
  RecordChunks records(file, format.record_end, options.reading);
  PaddedText bytes;
  std::int64_t dropped_lines = 0;
  if (!records.read(bytes, dropped_lines)) return {};
  const HeaderPlace place = find_header(records, bytes, dropped_lines, format, options);
  return std::string(bytes.view().substr(place.begin, place.end - place.begin));
}

std::int64_t lines_before(const std::string& path, std::uint64_t position, RecordEnd rule) {
  FileStream file(path);
  LimitedStream before(file, position);
  std::string block(std::size_t{1} << 18U, '\0');
  LineCount count(rule);
  for (std::size_t got = before.read(block); got > 0; got = before.read(block)) count.add(std::string_view(block).substr(0, got));
  return count.lines();
}

// What the records before a part of a file define for the records in that part.
std::string definitions_before(const std::string& path, std::uint64_t position, const RecordFormat& format,
                               const SourceOptions& options) {
  FileStream file(path);
  LimitedStream raw(file, position);
  DecodedStream before(raw, path, options);
  RecordChunks records(before, format.record_end, options.reading);
  PaddedText bytes;
  std::string found;
  std::int64_t dropped_lines = 0;
  while (records.read(bytes, dropped_lines)) format.definitions(bytes.view(), found);
  return found;
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

// Reads one file after another. What it hands over is valid until the next one.
class MemberParser {
 public:
  /// `neighbours`: what files that name no encoding are likely in.
  MemberParser(const SourceOptions& options, std::string_view neighbours, const DocumentVisitor& visit)
      : options_(&options),
        usual_(detects_encoding(options) ? guessed_encoding(neighbours) : std::string()),
        visit_(&visit),
        budget_(budget_of_records(options.reading)) {}

  RecordVerdict parse(std::string_view bytes, const std::string& name) {
    const std::string_view content = without_byte_order_mark(bytes);
    if (content.size() > options_->reading.most_document_bytes) return too_long_record(options_->reading);
    if (RecordVerdict problem = unstorable_label(label_of_path(name))) return problem;
    if (const ForeignKind* const kind = foreign_kind_of(content); kind != nullptr && kind->is_document)
      return RecordProblem{fmt::format("expected a text, found {}; {}", kind->name, kind->remedy)};
    const bool names_encoding = is_letter(name) || is_page(name, content);
    std::string converted;
    found_ = encoding_of_text(content, *options_, usual_);
    if (names_encoding && !found_.starts_with("UTF-16")) found_.clear();
    if (!found_.empty()) {
      EncodingConverter converter(found_);
      converter.append(content, true, converted);
      if (RecordVerdict problem = refused_bytes(converter.replaced(), *options_)) return problem;
      replaced_ += converter.replaced();
    }
    const std::string_view readable = found_.empty() ? content : std::string_view(converted);
    if (is_letter(name)) return parse_letter(readable, valid_name(name));
    if (names_encoding) return within_budget([&] { return parse_page(readable, valid_name(name)); });
    // One decoder for each file: the end of a file and the beginning of the next could look like one character.
    TextDecoder decoder(readable, options_->encoding, options_->bad_bytes);
    std::optional<std::string_view> text = decoder.decode(readable, text_);
    if (!text) return bad_byte(readable, decoder.bad_at(), options_->encoding);
    if (!found_.empty()) {
      text_ = PaddedText(*text);
      text = text_.view();
    }
    replaced_ += decoder.replaced();
    const std::string_view id = valid_name(name);
    if (keeps_label(*options_, label_of_path(id))) (*visit_)({.text = *text, .id = id, .label = label_of_path(id)});
    return std::nullopt;
  }

  [[nodiscard]] std::int64_t replaced() const { return replaced_; }
  /// What the last file was found to be encoded in; empty for UTF-8, or if the options name it.
  [[nodiscard]] std::string take_found() { return options_->other_encoding.empty() ? std::exchange(found_, {}) : std::string(); }

 private:
  [[nodiscard]] bool is_letter(const std::string& name) const {
    return options_->format == "eml" || (options_->format == kFilesFormat && has_ending(name, "eml"));
  }
  [[nodiscard]] bool is_page(const std::string& name, std::string_view content) const {
    return options_->format == "html" ||
           (options_->format == kFilesFormat && (has_ending(name, "html") || begins_as_html(content)));
  }

  RecordVerdict parse_letter(std::string_view content, std::string_view id) {
    const std::string_view label = label_of_path(id);
    if (!keeps_label(*options_, label)) return std::nullopt;
    SourceOptions of_letter;
    of_letter.encoding = options_->encoding;
    of_letter.other_encoding = options_->other_encoding;
    of_letter.bad_bytes = options_->bad_bytes;
    of_letter.reading = options_->reading;
    of_letter.id_field = {};  // the path is the id, and the letter's own is one of the fields
    MailDocument letter(of_letter, usual_);
    const auto visit = [&](SourceDocument document) {
      document.id = id;
      document.label = label;
      (*visit_)(document);
    };
    RecordVerdict problem = within_budget([&] { return letter.parse(content, visit); });
    replaced_ += letter.replaced();
    if (!letter.detected().empty()) found_ = *letter.detected().begin();
    return problem;
  }

  RecordVerdict parse_page(std::string_view content, std::string_view id) {
    const std::string_view label = label_of_path(id);
    if (!keeps_label(*options_, label)) return std::nullopt;
    std::string decoded;
    const std::string named(encoding_of_html(content));
    UnnamedEncoding unnamed(content, options_->encoding, {}, usual_);
    const std::int64_t replaced = append_in_encoding(content, named.empty() ? options_->other_encoding : named, unnamed, decoded);
    if (!unnamed.detected().empty()) found_ = unnamed.detected();
    if (RecordVerdict problem = refused_bytes(replaced, *options_)) return problem;
    replaced_ += replaced;
    budget_.renew(content.size());
    const HtmlText page = html_text(decoded, budget_);
    text_.clear();
    text_.append(page.title);
    if (!page.title.empty() && !page.text.empty()) text_.append("\n");
    text_.append(page.text);
    fields_.clear();
    if (!page.title.empty()) fields_.add("title", page.title);
    (*visit_)({.text = text_.view(), .id = id, .label = label, .title_bytes = page.title.size(), .fields = fields_.json()});
    return std::nullopt;
  }

  // Names of files are bytes; those of documents are UTF-8.
  std::string_view valid_name(const std::string& name) {
    if (is_decoded(name, TextEncoding::utf8)) return name;
    name_.clear();
    append_replaced(name, name_);
    return name_.view();
  }

  const SourceOptions* options_;
  std::string usual_;
  const DocumentVisitor* visit_;
  ReadingBudget budget_;
  PaddedText text_;
  PaddedText name_;
  RecordFields fields_;
  std::string found_;
  std::int64_t replaced_ = 0;
};

// Documents that are a file each, many small ones to a chunk.
class FilesSource final : public DocumentSource {
 public:
  /// `files`: paths or pieces.
  template <typename Files>
  FilesSource(Files files, const SourceOptions& options)
      : options_(options), entries_(std::move(files), options.reading.unpacking, options.reading.check_interruption) {}

  [[nodiscard]] std::uint64_t total_bytes() const override { return entries_.total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return entries_.bytes_read(); }
  [[nodiscard]] std::int64_t links_left_out() const override { return entries_.links_left_out(); }
  [[nodiscard]] std::uint64_t unpacking_memory() const override { return entries_.unpacking_memory(); }

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
    ChunkOutcome outcome;
    MemberParser parser(options_, chunk.members.size() > 1 ? chunk.bytes.view() : std::string_view(), visit);
    for (const Chunk::Member& member : chunk.members) {
      const std::string_view bytes = chunk.bytes.view().substr(member.begin, member.size);
      const RecordVerdict problem = parser.parse(bytes, member.name);
      if (const std::string encoding = parser.take_found(); !encoding.empty())
        outcome.remarks.push_back({.member = member.name, .expectation = encoding_remark(encoding), .is_of_file = true});
      if (member.is_utf16) outcome.remarks.push_back({.member = member.name, .expectation = kUtf16Remark, .is_of_file = true});
      if (!problem) continue;
      ChunkProblem found = problem_at(without_byte_order_mark(bytes), *problem);
      found.member = member.name;
      if (!options_.reading.skip_bad) {
        outcome.problem = std::move(found);
        break;
      }
      leave_out(outcome, std::move(found));
    }
    outcome.bad_bytes = parser.replaced();
    return outcome;
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

  SourceOptions options_;
  Entries entries_;
  std::optional<Entry> next_;  // found and not read
};

// Documents in files that hold many of them.
class RecordSource final : public DocumentSource {
 public:
  /// `files`: paths or pieces.
  template <typename Files>
  RecordSource(Files files, const SourceOptions& options)
      : options_(options),
        format_(record_format(options.format)),
        entries_(std::move(files), options.reading.unpacking, options.reading.check_interruption) {}

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
  [[nodiscard]] std::uint64_t total_bytes() const override { return entries_.total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return entries_.bytes_read(); }
  [[nodiscard]] std::int64_t links_left_out() const override { return entries_.links_left_out(); }
  [[nodiscard]] std::uint64_t unpacking_memory() const override { return entries_.unpacking_memory(); }

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
    header_ = nullptr;
    has_ends_ = false;
    part_begin_ = entry->begin;
    is_within_ = entry->is_within;
    const SourceOptions reading = part_begin_ > 0 ? options_of_part(*origin_, options_) : options_;
    if (part_begin_ > 0 && format_.has_columns)
      header_ = std::make_shared<const std::string>(header_of_file(*origin_, format_, reading));
    if (part_begin_ > 0 && format_.definitions != nullptr)
      header_ = std::make_shared<const std::string>(definitions_before(*origin_, part_begin_, format_, reading));
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

  SourceOptions options_;
  const RecordFormat& format_;
  Entries entries_;
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
  // `open(n, options)` opens the n-th one.
  MixedSource(const SourceOptions& options, const auto& open) {
    for (std::size_t n = 0; n < options.kinds.size(); ++n) sources_.push_back(open(n, options.of_kind(options.kinds[n])));
  }

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

template <typename Files>
std::unique_ptr<DocumentSource> source_of(Files files, const SourceOptions& options) {
  if (is_file_format(options.format)) return std::make_unique<FilesSource>(std::move(files), options);
  return std::make_unique<RecordSource>(std::move(files), options);
}

}  // namespace

std::unique_ptr<DocumentSource> open_source(const std::vector<std::string>& paths, const SourceOptions& options) {
  if (options.kinds.empty()) return source_of(paths, options);
  return std::make_unique<MixedSource>(
      options, [&](std::size_t n, const SourceOptions& one) { return source_of(std::vector{paths[n]}, one); });
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
  if (options.kinds.empty()) return source_of(std::move(pieces), options);
  return std::make_unique<MixedSource>(
      options, [&](std::size_t n, const SourceOptions& one) { return source_of(std::vector{std::move(pieces[n])}, one); });
}

}  // namespace inkling
