#include "io/parts/shards/plan_cuts.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/unpack/folder_walk.hpp"
#include "io/corpus/unpack/packing.hpp"
#include "io/corpus/unpack/zip_directory.hpp"
#include "io/corpus/vectors/vector_writer.hpp"

namespace inkling {
namespace {

constexpr std::size_t kScanBytes = std::size_t{1} << 18U;

// The wanted beginnings of parts, as positions in all files one after the other.
class CutPositions {
 public:
  CutPositions(std::uint64_t bytes, const PartRequest& request) : bytes_(bytes) {
    const std::uint64_t size = std::max<std::uint64_t>(request.bytes, 1);
    parts_ = request.parts ? static_cast<std::uint64_t>(*request.parts) : bytes / size + (bytes % size != 0 ? 1 : 0);
    parts_ = std::max<std::uint64_t>(parts_, 1);
  }

  /// The next position, if it is before `end`.
  [[nodiscard]] std::optional<std::uint64_t> next_before(std::uint64_t end) {
    if (next_ >= parts_) return std::nullopt;
    const std::uint64_t position = bytes_ / parts_ * next_ + bytes_ % parts_ * next_ / parts_;
    if (position >= end) return std::nullopt;
    ++next_;
    return position;
  }

 private:
  std::uint64_t bytes_;
  std::uint64_t parts_;
  std::uint64_t next_ = 1;
};

// Where one file can be cut.
class FileCuts {
 public:
  FileCuts(const PlannedFile& file, const SourceOptions& source) : size_(file.size) {
    if (is_file_format(source.format) || size_ == 0) return;
    if (record_format(source.format).record_end == RecordEnd::after_object) return;  // needs all that is before
    const std::string path = file.path();
    const FileStream stream(path);
    const bool is_packed = packing_of(stream.head()) != Packing::none || promise_of_name(path) != NamePromise() ||
                           find_zip_directory(stream, 0).has_value() || stream.head().find('\0') != std::string_view::npos;
    if (!is_packed) ends_.emplace(path, record_format(source.format).record_end);
  }

  /// The possible cut for this wanted position; 0 or the file's size if there is no cut within the file.
  [[nodiscard]] std::uint64_t near(std::uint64_t position) {
    if (position == 0) return 0;
    if (ends_) return std::min(ends_->at_or_after(position), size_);
    return position < size_ - position ? 0 : size_;
  }

 private:
  std::uint64_t size_;
  std::optional<RecordEnds> ends_;
};

// Memory per file while planning: one entry in each of two vectors, which grow, and one line in each of two texts.
std::uint64_t memory_of_planned_file(const PlannedFile& file) {
  constexpr std::uint64_t line = 160;
  const std::uint64_t names = file.piece.root.size() + file.piece.path.size();
  return 3 * (sizeof(PlannedFile) + names) + 3 * (line + names);
}

PlannedFile piece_from_to(const PlannedFile& file, std::uint64_t begin, std::uint64_t end) {
  PlannedFile piece = file;
  if (begin > 0 || end < file.size) piece.piece.range = FilePiece::Range{begin, end};
  return piece;
}

}  // namespace

std::uint64_t RecordEnds::at_or_after(std::uint64_t position) {
  if (position <= known_end_) return known_end_;
  // If a line ends just before the position, the position itself is the end of a record.
  const std::uint64_t from = position - 1;
  if (begins_with_mark(rule_)) return known_end_ = mark_after(from);
  if (rule_ == RecordEnd::every_line) counted_ = from;
  for (;;) {
    const std::string_view block = block_at(counted_);
    if (block.empty()) return known_end_ = std::max(counted_, file_.size());
    for (std::size_t end = 0; (end = next_end(block, end)) != std::string_view::npos;)
      if (counted_ + end >= position) return known_end_ = counted_ += end;
    counted_ += block.size();
  }
}

std::size_t RecordEnds::next_end(std::string_view block, std::size_t from) {
  if (rule_ == RecordEnd::outside_quotes) return lines_.next(block, from);
  const std::size_t end = block.find('\n', from);
  return end == std::string_view::npos ? end : end + 1;
}

// The first line that begins a record after the byte at `from`. Blocks overlap by the bytes needed to recognise one.
std::uint64_t RecordEnds::mark_after(std::uint64_t from) {
  for (;;) {
    const std::string_view block = block_at(from);
    const std::size_t mark = next_mark(block, rule_, 1);
    if (mark != std::string_view::npos) return from + mark;
    if (block.size() < kScanBytes) return std::max(from + block.size(), file_.size());
    from += block.size() - kLongestMark;
  }
}

std::string_view RecordEnds::block_at(std::uint64_t position) {
  block_.resize(kScanBytes);
  return std::string_view(block_).substr(0, file_.read_at(position, block_));
}

std::string planned_root(const std::string& source) {
  std::string root = std::filesystem::absolute(source.empty() ? "." : source).lexically_normal().generic_string();
  if (root.size() > 1 && root.ends_with('/')) root.pop_back();
  return root;
}

PlannedVectors planned_vectors(const std::string& path, const std::function<void()>& check_interruption) {
  const std::unique_ptr<VectorSource> source = vectors_in_file(path);
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  return {.file = planned_files({path}, false, any, check_interruption).files.front(),
          .centre = centre_of(*source, check_interruption)};
}

PlannedFiles planned_files(const std::vector<std::string>& sources, bool follow_links, std::uint64_t memory,
                           const std::function<void()>& check_interruption) {
  std::vector<PlannedFile> files;
  std::uint64_t needed = 0;
  const auto take = [&](FilePiece piece) {
    PlannedFile file = {.piece = std::move(piece)};
    const std::string path = file.path();
    if (!simdjson::validate_utf8(path)) throw FormatError(visible_text(path), "expected a name in UTF-8, which a plan can hold");
    const FileStatus status = status_of(path);
    if (!status.is_file())
      throw FormatError(path, "expected a file, of which every worker can read its part, found a pipe or a device");
    file.size = status.size;
    file.modified = status.modified.whole_nanoseconds();
    file.piece.root = planned_root(file.piece.root);
    needed += memory_of_planned_file(file);
    if (needed > memory) {
      throw FormatError(path, fmt::format("expected files of which a plan fits into --memory, found more than "
                                          "{}; pack small files into archives, or give it more memory",
                                          digit_groups(files.size())));
    }
    files.push_back(std::move(file));
  };
  const std::int64_t left_out = visit_files_of_sources(sources, follow_links, check_interruption, take);
  return {.files = std::move(files), .links_left_out = left_out};
}

std::vector<PlanPart> parts_of(const std::vector<PlannedFile>& files, const SourceOptions& source, const PartRequest& request,
                               const std::function<void()>& check_interruption) {
  std::uint64_t total = 0;
  for (const PlannedFile& file : files) total += file.size;
  CutPositions positions(total, request);
  std::vector<PlanPart> parts(1);
  std::uint64_t before = 0;  // the bytes of all files before
  for (const PlannedFile& file : files) {
    check_interruption();
    std::optional<FileCuts> cuts;
    std::uint64_t begin = 0;
    while (const std::optional<std::uint64_t> wanted = positions.next_before(before + file.size)) {
      if (!cuts) cuts.emplace(file, file.kind ? source.of_kind(*file.kind) : source);
      const std::uint64_t cut = cuts->near(*wanted > before ? *wanted - before : 0);
      if (cut > begin) parts.back().files.push_back(piece_from_to(file, begin, cut));
      begin = std::max(begin, cut);
      if (!parts.back().files.empty()) parts.emplace_back();
    }
    if (begin < file.size || file.size == 0) parts.back().files.push_back(piece_from_to(file, begin, file.size));
    before += file.size;
  }
  if (parts.size() > 1 && parts.back().files.empty()) parts.pop_back();
  return parts;
}

}  // namespace inkling
