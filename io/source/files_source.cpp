#include "io/source/files_source.hpp"

#include <algorithm>
#include <utility>

#include "io/source/files_parser.hpp"
#include "io/source/record_parser.hpp"

namespace inkling {
namespace {

constexpr std::size_t most_members = 4096;

}  // namespace

FilesSource::FilesSource(std::vector<std::string> paths, SourceOptions options)
    : options_(std::move(options)),
      entries_(std::move(paths), {.most_expansion = options_.most_expansion,
                                  .most_unpacked_bytes = options_.most_unpacked_bytes}) {}

bool FilesSource::read(Chunk& chunk) {
  if (!next_ && !find_next()) return false;
  chunk.bytes.clear();
  chunk.members.clear();
  chunk.dropped_lines = 0;
  chunk.origin = std::make_shared<const std::string>(next_->root);
  do {
    append_member(chunk);
    next_.reset();
    entries_.note_progress();
  } while (chunk.bytes.size() < options_.chunk_bytes && chunk.members.size() < most_members && find_next() &&
           next_->root == *chunk.origin);
  return true;
}

ChunkOutcome FilesSource::parse(const Chunk& chunk, const DocumentVisitor& visit) const {
  return parse_files(chunk, options_, visit);
}

bool FilesSource::find_next() {
  do {
    next_ = entries_.next();
  } while (next_ && !keeps_label(options_, label_of_path(next_->path)));
  return next_.has_value();
}

// What is longer than a document may be is cut, but stays longer than that, whatever mark it begins with.
void FilesSource::append_member(Chunk& chunk) {
  constexpr std::uint64_t byte_order_mark = 3;
  constexpr std::size_t block = std::size_t{1} << 18U;
  const std::uint64_t most = options_.most_document_bytes + byte_order_mark + 1;
  Chunk::Member member = {.name = std::move(next_->path), .begin = chunk.bytes.size(), .size = 0};
  while (member.size < most) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(block, most - member.size));
    const std::size_t got = next_->stream->read({chunk.bytes.extend(wanted), wanted});
    member.size += got;
    chunk.bytes.truncate(member.begin + member.size);
    if (got < wanted) break;
  }
  chunk.members.push_back(std::move(member));
}

}  // namespace inkling
