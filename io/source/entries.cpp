#include "io/source/entries.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/stat.h>
#include <sys/types.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

struct stat status_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) throw SystemError(path, errno, "cannot read");
  return status;
}

std::string without_trailing_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

void read_to_end(InputStream& stream) {
  std::vector<char> block(std::size_t{1} << 16U);
  while (stream.read(block) == block.size()) {
  }
}

// A path within an archive without the parts that mean nothing ("./a//b"); empty where it is hidden.
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

}  // namespace

std::string joined_path(const std::string& folder, const std::string& name) {
  if (folder.empty()) return name;
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

// Regular files below a folder, ascending by path. Hidden ones (a name that begins with a point) are left out, and
// so are links to nothing; links to folders are followed, but not back into themselves. Keeps the names of one
// folder a level, not those of the whole tree. Failures throw SystemError.
class FolderWalk {
 public:
  explicit FolderWalk(std::string root) : root_(std::move(root)) {
    const struct stat status = status_of(root_);
    enter("", {status.st_dev, status.st_ino});
  }

  struct File {
    std::string path;  // below the root
    std::uint64_t size;
  };
  [[nodiscard]] std::optional<File> next() {
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.next == level.names.size()) {
        levels_.pop_back();
        continue;
      }
      const Name& name = level.names[level.next++];
      std::string path = level.prefix + name.text;
      if (!path.ends_with('/')) return File{std::move(path), name.size};
      if (!is_inside(name.id)) enter(std::move(path), name.id);
    }
    return std::nullopt;
  }

 private:
  struct FolderId {
    dev_t device;
    ino_t number;
    bool operator==(const FolderId&) const = default;
  };
  // A file, or a folder whose name ends in a slash, so that names sort as paths do.
  struct Name {
    std::string text;
    std::uint64_t size;
    FolderId id;
  };
  struct Level {
    std::string prefix;  // below the root, with a slash at its end
    FolderId id;
    std::vector<Name> names;
    std::size_t next = 0;
  };

  void enter(std::string prefix, FolderId id) {
    const std::string folder = joined_path(root_, prefix);
    const auto check = [&](const std::error_code& error) {
      if (error) throw SystemError(folder, error.value(), "cannot read the folder");
    };
    std::vector<Name> names;
    std::error_code error;
    std::filesystem::directory_iterator entry(folder, error);
    check(error);
    for (; entry != std::filesystem::directory_iterator(); entry.increment(error), check(error)) {
      std::string name = entry->path().filename().string();
      if (name.starts_with('.')) continue;
      struct stat status = {};
      if (::stat(entry->path().c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ELOOP) continue;
        throw SystemError(entry->path().string(), errno, "cannot read");
      }
      if (S_ISDIR(status.st_mode)) name += '/';
      if (S_ISDIR(status.st_mode) || S_ISREG(status.st_mode))
        names.push_back(
            {std::move(name), static_cast<std::uint64_t>(status.st_size), {status.st_dev, status.st_ino}});
    }
    std::ranges::sort(names, {}, &Name::text);
    levels_.push_back({std::move(prefix), id, std::move(names)});
  }

  [[nodiscard]] bool is_inside(FolderId id) const { return std::ranges::count(levels_, id, &Level::id) > 0; }

  std::string root_;
  std::vector<Level> levels_;
};

namespace {

std::uint64_t bytes_below(const std::string& path) {
  const struct stat status = status_of(path);
  if (!S_ISDIR(status.st_mode))
    return S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  std::uint64_t bytes = 0;
  for (FolderWalk walk(path); const auto file = walk.next();) bytes += file->size;
  return bytes;
}

}  // namespace

/// A file on disk and what unpacks it.
struct Entries::OpenFile {
  OpenFile(std::string its_root, std::string its_path)
      : root(std::move(its_root)), path(std::move(its_path)), file(joined_path(root, path)) {}

  std::string root;
  std::string path;
  FileStream file;
  std::unique_ptr<ArchiveReader> decompressed;
  std::unique_ptr<InputStream> content;    // of `decompressed`
  std::unique_ptr<ArchiveReader> archive;  // where it is many files and not one
};

Entries::Entries(std::vector<std::string> paths, UnpackingLimits limits)
    : paths_(std::move(paths)), limits_(limits) {
  for (const std::string& path : paths_) total_bytes_ += bytes_below(path);
}

Entries::~Entries() = default;

std::optional<Entry> Entries::next() {
  for (;;) {
    if (open_ && open_->archive) {
      if (std::optional<Entry> entry = next_in_archive()) return entry;
    }
    if (!open_next_file()) return std::nullopt;
    if (open_->archive) continue;
    InputStream& content = open_->content ? *open_->content : open_->file;
    return Entry{open_->root, open_->path, &content};
  }
}

void Entries::note_progress() {
  const std::uint64_t of_open = open_ ? open_->file.bytes_read() : 0;
  bytes_read_.store(bytes_of_closed_ + of_open, std::memory_order_relaxed);
}

bool Entries::open_next_file() {
  if (open_) bytes_of_closed_ += open_->file.can_seek() ? open_->file.size() : 0;
  open_.reset();
  note_progress();
  for (;;) {
    if (walk_) {
      if (std::optional<FolderWalk::File> file = walk_->next()) {
        open_file(folder_, std::move(file->path));
        return true;
      }
      walk_.reset();
    }
    if (next_path_ == paths_.size()) return false;
    const std::string path = paths_[next_path_++];
    if (S_ISDIR(status_of(path).st_mode)) {
      folder_ = without_trailing_slashes(path);
      walk_ = std::make_unique<FolderWalk>(folder_);
      continue;
    }
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos)
      open_file("", path);
    else
      open_file(path.substr(0, slash == 0 ? 1 : slash), path.substr(slash + 1));
    return true;
  }
}

void Entries::open_file(std::string root, std::string path) {
  open_ = std::make_unique<OpenFile>(std::move(root), std::move(path));
  FileStream& file = open_->file;
  InputStream* packed = &file;
  Packing packing = packing_of(file.head());
  if (packing == Packing::compressed) {
    open_->decompressed =
        std::make_unique<ArchiveReader>(Packing::compressed, file, file, limits_, decompressed_);
    if (std::string unnamed; !open_->decompressed->next_file(unnamed)) {
      open_->content = std::make_unique<MemoryStream>("");
      return;
    }
    auto content = std::make_unique<PeekedStream>(*open_->decompressed);
    packing = packing_of(content->head());
    open_->content = std::move(content);
    packed = open_->content.get();
  }
  if (packing != Packing::archive) return;
  open_->archive = std::make_unique<ArchiveReader>(Packing::archive, *packed, file, limits_, extracted_);
}

std::optional<Entry> Entries::next_in_archive() {
  std::string path;
  while (open_->archive->next_file(path)) {
    note_progress();
    path = visible_path(path);
    if (path.empty()) continue;
    if (walk_) return Entry{open_->root, joined_path(open_->path, path), open_->archive.get()};
    return Entry{open_->file.path(), std::move(path), open_->archive.get()};
  }
  // An archive may end before its compressed file does, whose end tells whether it is intact.
  if (open_->content) read_to_end(*open_->content);
  return std::nullopt;
}

}  // namespace inkling
