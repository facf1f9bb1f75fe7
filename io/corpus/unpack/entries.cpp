#include "io/corpus/unpack/entries.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/unpack/archived_links.hpp"
#include "io/corpus/unpack/folder_walk.hpp"
#include "io/corpus/unpack/foreign_kinds.hpp"
#include "io/corpus/unpack/gzip_stream.hpp"
#include "io/corpus/unpack/old_workbook_stream.hpp"
#include "io/corpus/unpack/workbook_stream.hpp"

namespace inkling {
namespace {

std::string without_trailing_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// A path within an archive without parts that mean nothing ("a/b" for "./a//b"); empty if it is hidden.
std::string visible_path(std::string_view path) {
  std::string visible;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (part.starts_with('.') && part != "..") return {};
    if (!visible.empty()) visible += '/';
    visible += part;
  }
  return visible;
}

FilePiece piece_of_file(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {.root = "", .path = path};
  return {.root = path.substr(0, slash == 0 ? 1 : slash), .path = path.substr(slash + 1)};
}

[[noreturn]] void refuse_promise(const std::string& name, std::string_view ending, std::string_view kind, std::string_view head) {
  throw FormatError(name, fmt::format("expected {}, as the name says ({}), found {}; gzip, bzip2, xz, zstd, lz4, tar, "
                                      "zip and cpio can be read, and a plain file has a name without that ending",
                                      kind, ending, head.empty() ? "an empty file" : quoted_text(head.substr(0, 16))));
}

}  // namespace

std::int64_t visit_files_of_sources(const std::vector<std::string>& paths, bool follow_links,
                                    const std::function<void()>& check_interruption,
                                    const std::function<void(FilePiece)>& visit) {
  std::int64_t links_left_out = 0;
  for (const std::string& path : paths) {
    if (!status_of(path).is_folder()) {
      visit(piece_of_file(path));
      continue;
    }
    const std::string folder = without_trailing_slashes(path);
    FolderWalk walk(folder, FileFacts::name, follow_links, check_interruption);
    while (auto file = walk.next()) visit({.root = folder, .path = std::move(file->path), .in_folder = true});
    links_left_out += walk.links_left_out();
  }
  return links_left_out;
}

/// A file on disk, with the meters for the bytes that are unpacked from it.
struct Entries::OpenFile {
  OpenFile(std::string its_root, std::string its_path, const UnpackingLimits& limits,
           std::array<std::uint64_t, kMostLayers>& unpacked);

  std::string root;
  std::string path;
  FileStream file;
  std::vector<UnpackingMeter> meters;                // by layer
  std::vector<std::unique_ptr<OpenArchive>> within;  // archives, the outermost first
  std::unique_ptr<Content> content;                  // of the entry that was handed over last
  std::unique_ptr<InputStream> workbook;             // if the file is one
};

/// A file with all its compressions removed.
class Entries::Content {
 public:
  /// `layers`: how many layers of packing were removed before. Lifetime: lends `packed` and `open`.
  Content(std::string name, InputStream& packed, OpenFile& open, std::size_t layers)
      : name_(std::move(name)), stream_(&packed), open_(open), layers_(layers) {
    if (stream_ == &open.file)
      head_ = open.file.head();
    else
      peek(packed);
    const NamePromise promise = promise_of_name(name_);
    kind_ = packing_kind_of(head_);
    if (kind_ == PackingKind::none && ends_as_zip()) kind_ = PackingKind::zip;
    if (kind_ == PackingKind::none && !promise.compressed.empty())
      refuse_promise(name_, promise.compressed, "a compressed file", head_);
    while (packing_of(kind_) == Packing::compressed) take_off();
    const bool is_tar_by_name = promise.archive.starts_with(".t");
    if (kind_ == PackingKind::none && is_tar_by_name && is_empty_tar(head_)) kind_ = PackingKind::tar;
    if (kind_ == PackingKind::none && !promise.archive.empty()) refuse_promise(name_, promise.archive, "an archive", head_);
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] InputStream& stream() const { return *stream_; }
  [[nodiscard]] PackingKind kind() const { return kind_; }
  [[nodiscard]] bool is_utf16() const { return is_utf16_; }
  /// Whether it is the open file itself, and that file can seek.
  [[nodiscard]] bool is_plain() const { return stream_ == &open_.file && open_.file.can_seek(); }
  /// The kind of the file, if it is a zip file of an office program; else null.
  [[nodiscard]] const ForeignKind* zipped_kind() const {
    if (kind_ != PackingKind::zip) return nullptr;
    return is_plain() ? zipped_kind_in(open_.file) : zipped_kind_at(head_);
  }
  [[nodiscard]] std::size_t layers() const { return layers_; }

  /// The meter of the next layer. Throws if there are too many layers.
  [[nodiscard]] UnpackingMeter& next_meter() {
    if (layers_ == open_.meters.size()) {
      throw FormatError(name_, fmt::format("expected at most {} archives and compressed files within one another, found "
                                           "more",
                                           kMostLayers));
    }
    return open_.meters[layers_++];
  }

 private:
  void peek(InputStream& stream) {
    auto peeked = std::make_unique<PeekedStream>(stream);
    head_ = peeked->head();
    stream_ = peeked.get();
    streams_.push_back(std::move(peeked));
  }

  void take_off() {
    UnpackingMeter& meter = next_meter();
    std::unique_ptr<InputStream> unpacked;
    if (kind_ == PackingKind::utf16) {
      is_utf16_ = true;
      unpacked = std::make_unique<Utf16Stream>(name_, *stream_);
    } else if (kind_ == PackingKind::gzip) {
      unpacked = std::make_unique<GzipStream>(name_, *stream_, meter);
    } else {
      auto reader = std::make_unique<ArchiveReader>(kind_, *stream_, open_.file, name_, meter);
      if (std::string unnamed; reader->next_file(unnamed))
        unpacked = std::move(reader);
      else
        unpacked = std::make_unique<MemoryStream>("");
    }
    streams_.push_back(std::move(unpacked));
    peek(*streams_.back());
    kind_ = packing_kind_of(head_);
  }

  // A zip file may follow the program that unpacks it.
  [[nodiscard]] bool ends_as_zip() const {
    return stream_ == &open_.file && open_.file.can_seek() && find_zip_directory(open_.file, 0).has_value();
  }

  std::string name_;
  InputStream* stream_;
  OpenFile& open_;
  std::size_t layers_;
  std::string_view head_;
  PackingKind kind_ = PackingKind::none;
  bool is_utf16_ = false;
  std::vector<std::unique_ptr<InputStream>> streams_;  // each reads from the one before it
};

/// Requires: the content is an archive.
struct Entries::OpenArchive {
  OpenArchive(std::unique_ptr<Content> its_content, std::string its_prefix, OpenFile& open)
      : content(std::move(its_content)),
        prefix(std::move(its_prefix)),
        reader(content->kind(), content->stream(), open.file, content->name(), content->next_meter()) {}

  std::unique_ptr<Content> content;
  std::string prefix;  // of the paths of its files
  ArchiveReader reader;
  std::vector<std::string> names;  // of the file that the reader is at
};

Entries::OpenFile::OpenFile(std::string its_root, std::string its_path, const UnpackingLimits& limits,
                            std::array<std::uint64_t, kMostLayers>& unpacked)
    : root(std::move(its_root)), path(std::move(its_path)), file(joined_path(root, path)) {
  meters.reserve(unpacked.size());
  for (std::uint64_t& total : unpacked) meters.emplace_back(file, limits, total);
}

Entries::Entries(std::vector<std::string> paths, UnpackingLimits limits, std::function<void()> check_interruption)
    : paths_(std::move(paths)), limits_(limits), check_interruption_(std::move(check_interruption)) {
  limits_.needed_memory = &unpacking_memory_;
  for (const std::string& path : paths_) count_below(path);
}

Entries::Entries(std::vector<FilePiece> pieces, UnpackingLimits limits, std::function<void()> check_interruption)
    : pieces_(std::move(pieces)), limits_(limits), check_interruption_(std::move(check_interruption)) {
  limits_.needed_memory = &unpacking_memory_;
  for (const FilePiece& piece : pieces_)
    if (piece.range)
      total_bytes_ += piece.range->end - piece.range->begin;
    else
      count_below(joined_path(piece.root, piece.path));
}

Entries::~Entries() = default;

void Entries::count_below(const std::string& path) {
  const FileStatus status = status_of(path);
  if (status.is_file()) total_bytes_ += status.size;
  if (!status.is_folder()) return;
  FolderWalk walk(path, FileFacts::size, limits_.follow_links, check_interruption_);
  while (const auto file = walk.next()) total_bytes_ += file->size;
  links_left_out_ += walk.links_left_out();
}

std::optional<Entry> Entries::next() {
  for (;;) {
    while (open_ && !open_->within.empty())
      if (std::optional<Entry> entry = next_in_archive()) {
        entry->is_within = true;
        return entry;
      }
    if (!open_again() && !open_next_file()) return std::nullopt;
    auto content = std::make_unique<Content>(open_->file.path(), open_->file, *open_, 0);
    if (std::optional<Entry> entry = found(std::move(content), {})) {
      entry->is_within = in_folder_;
      return entry;
    }
  }
}

void Entries::note_progress() {
  const std::uint64_t of_open = open_ && round_ == 0 ? open_->file.bytes_read() : 0;
  bytes_read_.store(bytes_of_closed_ + of_open, std::memory_order_relaxed);
}

// Reads an archive once more if links lead to its files; false if none are left.
bool Entries::open_again() {
  constexpr std::size_t most_rounds = 100;
  if (!more_links_) return false;
  if (round_ == 0) bytes_of_closed_ += open_->file.size();
  if (++round_ > most_rounds) {
    throw FormatError(open_->file.path(),
                      fmt::format("expected at most {} links to one file, found more, such as {}: unpack it and name "
                                  "the folder",
                                  most_rounds, quoted_text(links_->first())));
  }
  more_links_ = false;
  open_file(std::string(open_->root), std::string(open_->path));
  return true;
}

void Entries::close_file() {
  if (open_ && range_)
    bytes_of_closed_ += range_->end - range_->begin;
  else if (open_ && round_ == 0)
    bytes_of_closed_ += open_->file.can_seek() ? open_->file.size() : 0;
  part_.reset();
  range_.reset();
  open_.reset();
  links_.reset();
  round_ = 0;
  more_links_ = false;
  note_progress();
}

bool Entries::open_next_file() {
  close_file();
  if (next_piece_ < pieces_.size()) {
    const FilePiece& piece = pieces_[next_piece_++];
    in_folder_ = piece.in_folder;
    open_file(piece.root, piece.path);
    range_ = piece.range;
    return true;
  }
  for (;;) {
    if (walk_) {
      if (std::optional<FolderWalk::File> file = walk_->next()) {
        in_folder_ = true;
        open_file(folder_, std::move(file->path));
        return true;
      }
      walk_.reset();
    }
    if (next_path_ == paths_.size()) return false;
    const std::string path = paths_[next_path_++];
    if (status_of(path).is_folder()) {
      folder_ = without_trailing_slashes(path);
      walk_ = std::make_unique<FolderWalk>(folder_, FileFacts::name, limits_.follow_links, check_interruption_);
      continue;
    }
    FilePiece piece = piece_of_file(path);
    in_folder_ = false;
    open_file(std::move(piece.root), std::move(piece.path));
    return true;
  }
}

void Entries::open_file(std::string root, std::string path) {
  open_ = std::make_unique<OpenFile>(std::move(root), std::move(path), limits_, unpacked_);
}

// Makes an entry of a file in an archive, or of the open file, whose path is empty. Returns nothing if it is itself an
// archive, which is then read next.
std::optional<Entry> Entries::found(std::unique_ptr<Content> content, std::string path) {
  const ForeignKind* const kind = content->zipped_kind();
  if (kind != nullptr && (!kind->is_workbook || !content->is_plain()))
    throw FormatError(content->name(),
                      fmt::format("expected documents or an archive of them, found {}; {}", kind->name, kind->remedy));
  if (kind != nullptr || (content->is_plain() && is_old_workbook(open_->file))) {
    open_->workbook = open_workbook(open_->file, limits_);
    return Entry{open_->root, open_->path, open_->workbook.get()};
  }
  if (packing_of(content->kind()) == Packing::archive) {
    // If an archive was given by itself, its name is the root of its files and not part of their paths.
    std::string prefix = path.empty() && in_folder_ ? open_->path : std::move(path);
    open_->within.push_back(std::make_unique<OpenArchive>(std::move(content), std::move(prefix), *open_));
    return std::nullopt;
  }
  open_->content = std::move(content);
  InputStream& stream = open_->content->stream();
  if (open_->within.empty() && range_) return part_of_open_file();
  const bool is_utf16 = open_->content->is_utf16();
  if (open_->within.empty()) return Entry{open_->root, open_->path, &stream, 0, is_utf16};
  return Entry{in_folder_ ? open_->root : open_->file.path(), std::move(path), &stream, 0, is_utf16};
}

// Only a file that is not packed can be read from its middle on.
Entry Entries::part_of_open_file() {
  FileStream& file = open_->file;
  if (&open_->content->stream() != &file || !file.can_seek())
    throw FormatError(file.path(), "expected a plain file, of which parts can be read, found a packed one");
  file.seek(range_->begin);
  part_.emplace(file, range_->end - range_->begin);
  return {open_->root, open_->path, &*part_, range_->begin};
}

std::optional<Entry> Entries::next_in_archive() {
  open_->content.reset();
  OpenArchive& archive = *open_->within.back();
  std::optional<std::string> path = next_visible_path(archive);
  if (!path) {
    end_archive();
    return std::nullopt;
  }
  note_progress();
  std::string whole = joined_path(archive.prefix, *path);
  auto content =
      std::make_unique<Content>(joined_path(archive.content->name(), *path), archive.reader, *open_, archive.content->layers());
  return found(std::move(content), std::move(whole));
}

// The path of the next file; while links are followed, the name by which a link leads to it. Nothing at the end.
std::optional<std::string> Entries::next_visible_path(OpenArchive& archive) {
  const bool by_links = round_ > 0 && open_->within.size() == 1;
  std::string path;
  while (archive.reader.next_file(path)) {
    if (check_interruption_) check_interruption_();
    if (by_links) {
      const std::vector<std::string> names = links_->names_of(tidy_path(path));
      more_links_ = more_links_ || names.size() > round_;
      if (names.size() >= round_) return names[round_ - 1];
      continue;
    }
    path = visible_path(path);
    if (!path.empty()) return path;
  }
  return std::nullopt;
}

// Takes the links of the archive, and leaves it.
void Entries::end_archive() {
  OpenArchive& archive = *open_->within.back();
  const bool outermost = open_->within.size() == 1;
  if (!outermost || round_ == 0) {
    const ArchivedLinks links(archive.content->name(), archive.reader.take_links());
    if (!links.empty() && (!outermost || !open_->file.can_seek())) {
      throw FormatError(joined_path(archive.content->name(), links.first()),
                        fmt::format("expected files, found a link in an archive that {}: unpack it and name the folder",
                                    outermost ? "comes through a pipe" : "is within another one"));
    }
    if (!links.empty()) {
      links_ = std::make_unique<ArchivedLinks>(links);
      more_links_ = true;
    }
  }
  open_->within.pop_back();
}

}  // namespace inkling
