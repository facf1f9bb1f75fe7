// What every source of documents offers: pieces read one after the other, parsed side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/fields/seen_names.hpp"
#include "io/corpus/text/decoding.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "io/corpus/unpack/entries.hpp"
#include "io/corpus/unpack/packing.hpp"

namespace inkling {

/// A document as a source holds it: valid UTF-8; a view is empty if the document has no such part. Lifetime: valid during
/// the call that hands it over. The text is padded (`kTextPadding`).
struct SourceDocument {
  std::string_view text;
  std::string_view id;
  std::string_view label;
  std::size_t title_bytes = 0;  ///< length of the first field, if the text is made of several; 0 otherwise
  /// What else the record holds: a JSON object on one line (RecordFields), or empty. The title is in it, too, if the text
  /// begins with one.
  std::string_view fields = {};
  bool id_is_pmid = false;  ///< whether the id is the number of PubMed
};

struct ParsedChunk;

/// Whole records of one source, as bytes. Move-only: megabytes.
struct Chunk {
  /// One file of several within the chunk, where each file is a document.
  struct Member {
    std::string name;  // below the source: "20news-bydate-train/sci.med/59284"; the document's id
    std::size_t begin = 0;
    std::size_t size = 0;
    bool is_utf16 = false;  // before it was read
  };

  /// The source's name for messages: "corpus.jsonl.gz", or the folder or archive that the members lie in.
  std::shared_ptr<const std::string> origin;
  std::string_view format = {};  ///< of its records. Lifetime: that of the source
  std::size_t reader = 0;        ///< which of several formats reads it
  PaddedText bytes;
  std::vector<Member> members;  ///< empty for formats with records in lines

  /// How many line ends of the last record were cut off, because the record was too long. What is kept of it, or of a
  /// member, is still longer than the limit.
  std::int64_t dropped_lines = 0;

  /// CSV and TSV: the header line of the file, or its first record if it has none, and how many bytes of this chunk are
  /// the header. BibTeX: what the chunks before this one define.
  std::shared_ptr<const std::string> header;
  std::size_t header_bytes = 0;
  std::int64_t lines_before_header = 0;  ///< in this chunk, within those bytes

  /// Where in its file the part that is read begins; 0 if the whole file is read.
  std::uint64_t part_begin = 0;

  bool is_within = false;            ///< a folder or archive that was given
  bool is_last = false;              ///< of its file, or of the part that is read
  bool has_ends = false;             ///< so far some record of the file had the last line that its format gives it
  std::string encoding_remark = {};  ///< what the file was found to be encoded in, in one chunk of it
  std::string usual_encoding = {};   ///< of its mailbox, for letters that name none
  std::int64_t bad_bytes = 0;        ///< that were no characters of its encoding, since the chunk before
  std::uint64_t disk_bytes = 0;      ///< read from files so far, packed as they are; 0 if the source is no files

  std::shared_ptr<const ParsedChunk> parsed = {};  ///< of a source that was measured (MeasuredSource), in place of the bytes
};

/// What is to be said of a record, and where within its chunk it is.
struct ChunkProblem {
  std::int64_t line = 0;         // from 0 within the chunk (within the member, for files)
  std::int64_t column = 1;       // in bytes, from 1
  std::string member = {};       // the member's name, or empty
  std::string expectation = {};  // "expected a JSON object, found '['"
  bool is_of_file = false;       // rather than of one line
};

/// The result of parsing one chunk, beside its documents.
struct ChunkOutcome {
  std::int64_t lines = 0;                    ///< line ends seen, so that the lines of later chunks can be counted
  std::int64_t skipped = 0;                  ///< bad records left out
  std::int64_t bad_bytes = 0;                ///< bytes that were no characters and became U+FFFD
  std::uint64_t disk_bytes = 0;              ///< of the chunk
  std::optional<ChunkProblem> problem = {};  ///< the first one; the rest of the chunk was not parsed
  /// Records that were left out, the first of many, and others that a person should look at.
  std::vector<ChunkProblem> remarks = {};
};

using DocumentVisitor = std::function<void(const SourceDocument&)>;

/// Documents in order, from one or more files. Failures of reading throw SystemError, and FormatError for broken
/// archives. Bad records are reported in the outcome with their line in the chunk: the caller knows how many lines came
/// before, and so can say where they are, for any number of threads.
class DocumentSource {
 public:
  DocumentSource() = default;
  virtual ~DocumentSource() = default;
  DocumentSource(const DocumentSource&) = delete;
  DocumentSource& operator=(const DocumentSource&) = delete;

  /// The next chunk into `chunk` (whose memory is used again), or false at the end. Chunks hold about
  /// `chunk_bytes`; a chunk never spans two files of lines. Thread safety: one thread at a time.
  [[nodiscard]] virtual bool read(Chunk& chunk) = 0;

  /// Documents of a chunk in order. Thread safety: any number of threads, each with its own chunk.
  [[nodiscard]] virtual ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const = 0;

  /// Bytes of the files on disk (compressed ones as they are), and how many of them are read so far.
  [[nodiscard]] virtual std::uint64_t total_bytes() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;

  /// Symbolic links in folders that are not followed.
  [[nodiscard]] virtual std::int64_t links_left_out() const { return 0; }

  /// The most memory that unpacking a file needed so far. Thread safety: any thread.
  [[nodiscard]] virtual std::uint64_t unpacking_memory() const { return 0; }
};

/// The format in which each file is a document: its path below the source is the id, and the name of its folder
/// the label. All others are in `record_formats()`.
inline constexpr std::string_view kFilesFormat = "dir";

/// Limits, and what to do with bad records, for every reader.
struct ReadingOptions {
  bool skip_bad = false;  ///< leave bad records out and count them, instead of stopping at the first
  std::uint64_t chunk_bytes = std::uint64_t{1} << 20U;
  bool record_a_chunk = false;  ///< then chunk_bytes says only how much is read at once; no effect on kFilesFormat
  std::uint64_t most_document_bytes = std::uint64_t{64} << 20U;  ///< a longer record is refused
  std::string_view most_document_option = "--max-document";      ///< where that limit comes from, for messages
  UnpackingLimits unpacking = {};
  void (*check_interruption)() = nullptr;  ///< called now and then while files are looked for; may throw
};

/// What a path holds: the name of its format, and of CSV what separates two fields.
struct SourceKind {
  std::string format;
  char delimiter = ',';

  bool operator==(const SourceKind&) const = default;
};

struct SourceOptions {
  std::string format{kFilesFormat};    ///< or the name of a record format
  std::vector<SourceKind> kinds = {};  ///< by path or piece, where they differ: in place of `format` and `delimiter`
  TextEncoding encoding = TextEncoding::utf8;
  /// The name that ICU has for another encoding, from which files are converted before they are read; usually empty.
  std::string other_encoding = {};
  /// What letters that name no encoding are likely in, if that is known; otherwise the beginning of their mailbox says so.
  std::string usual_encoding = {};
  /// Whether lines of the file end in "\r" alone, if that is known; otherwise its first bytes say so.
  std::optional<bool> has_returns = {};
  BadBytes bad_bytes = BadBytes::replace;
  /// The names of the fields, in formats that have fields. In references, "text" is the title and the abstract, and "id"
  /// the record's own identifier. If the text field is a number ("2"), CSV and TSV files have no header line and it is a
  /// column, counted from 1; id and label are then read only if they are numbers, too. In JSONL "a.b" is the field b of
  /// the object a. Several text fields, with commas between them, make one text of several lines.
  std::string text_field = "text";
  std::string id_field = "id";
  std::string label_field = "label";
  char delimiter = ',';                  ///< of CSV: what separates two fields
  std::vector<std::string> labels = {};  ///< keep only documents with one of these; all where empty
  bool keep_fields = true;               ///< hand over what records hold beside text, id and label
  std::shared_ptr<SeenNames> seen = {};  ///< collects the fields and labels that were met, unless null
  ReadingOptions reading = {};

  /// The same for one path of this kind.
  [[nodiscard]] SourceOptions of_kind(const SourceKind& kind) const {
    SourceOptions one = *this;
    one.kinds.clear();
    one.format = kind.format;
    one.delimiter = kind.delimiter;
    return one;
  }
};

/// Files, folders and archives (recognised by content, not name), in the order given. A byte order mark at
/// the beginning of a file is not part of its text. Throws SystemError where a path cannot be read.
[[nodiscard]] std::unique_ptr<DocumentSource> open_source(const std::vector<std::string>& paths, const SourceOptions& options);

/// Opens the same paths once more, with one record in each chunk, for `places_of`. Empty if one of them is a pipe, which
/// can be read only once.
[[nodiscard]] std::function<std::unique_ptr<DocumentSource>()> reading_again(const std::vector<std::string>& paths,
                                                                             SourceOptions options);

/// The same for given files and parts of files. Requires: parts begin and end between records.
[[nodiscard]] std::unique_ptr<DocumentSource> open_pieces(std::vector<FilePiece> pieces, const SourceOptions& options);

}  // namespace inkling
