#include "io/doors/commands/build_target.hpp"

#include <string_view>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/file_identity.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

// The number that follows `"NAME": ` in the lines at the beginning of a manifest.
std::optional<std::int64_t> number_in_manifest(std::string_view text, std::string_view name) {
  const std::string key = fmt::format("\n  \"{}\": ", name);
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at + key.size());
  return parse_integer(rest.substr(0, rest.find(',')));
}

std::string beginning_of_manifest(const std::string& folder) {
  constexpr std::size_t enough = 1024;
  const std::string path = pool_file_path(folder, PoolFile::manifest);
  try {
    const File file = open_regular_file(path);
    std::string text(enough, '\0');
    text.resize(file.read_at(std::as_writable_bytes(std::span(text)), 0));
    return text;
  } catch (const SystemError&) {
    return {};
  }
}

std::string shown_pool(const std::string& path, const ExistingPool& pool) {
  const std::string documents = pool.documents ? fmt::format(" of {} documents", digit_groups(*pool.documents)) : "";
  return fmt::format("{} is a pool{}{} already", in_quotes(path), documents, pool.has_texts ? " and their texts" : "");
}

}  // namespace

std::optional<ExistingPool> pool_at(const std::string& path) {
  const std::optional<FileStatus> status = status_at(path.c_str());
  if (!status || !status->is_folder()) return std::nullopt;
  const std::string text = beginning_of_manifest(path);
  if (!looks_like_manifest(text)) return std::nullopt;
  const std::string texts_path = pool_file_path(path, PoolFile::bytes_of(PoolFile::texts));
  return ExistingPool{number_in_manifest(text, "rows"), status_at(texts_path.c_str()).has_value()};
}

void refuse_pool_as_source(const ParsedOptions& options, const std::string& source) {
  if (options.has("explain"))
    throw UsageError(
        fmt::format("{} is a pool; say 'inkling build --explain TEXT --like POOL' to explain a text "
                    "by it",
                    in_quotes(source)));
  throw UsageError(
      fmt::format("{} is a pool, not documents; 'inkling info POOL' shows it, 'inkling score POOL' "
                  "ranks its documents, 'inkling build NEW... --like POOL --out SHARD' makes new "
                  "documents that fit it",
                  in_quotes(source)));
}

const std::string& pool_to_build(const ParsedOptions& options) {
  if (!options.has("out"))
    throw UsageError::option("out", "expected the name of the pool to build (or --dry-run, or --explain TEXT)");
  const std::string& out = options.text("out");
  if (out == "-") throw UsageError::option("out", "a pool is a folder and cannot go to standard output; say its name");
  const std::optional<ExistingPool> pool = pool_at(out);
  if (pool && !options.flag("force")) throw UsageError::option("out", shown_pool(out, *pool) + "; --force replaces it");
  if (pool && options.has("like") && identity_of(out) == identity_of(options.text("like")))
    throw UsageError::option("out", fmt::format("{} is the pool of --like; say another name", in_quotes(out)));
  return out;
}

}  // namespace inkling
