#include "bench/paper/data/prepared_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/mapped_file.hpp"
#include "io/base/process/build_info.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"

namespace inkling::bench {
namespace {

namespace fs = std::filesystem;

/// How the manifest of a pool made this way begins. If a later program writes it differently, the pool is built again.
std::string beginning_of_recipe(const PoolMaking& making) {
  JsonWriter json;
  json.begin_object().key("sources").begin_array().value(making.made_of).end_array();
  json.member("format", making.source_format).end_object();
  std::string text = json.take();
  text.back() = ',';
  return text;
}

bool is_made_so(const Manifest& manifest, const PoolMaking& making) {
  return !making.made_of.empty() && manifest.program_version == program_version &&
         manifest.recipe.starts_with(beginning_of_recipe(making)) && recipe_of_manifest(manifest.recipe) == making.recipe;
}

/// Empty if there is no such pool, another pool, or a damaged one.
std::optional<Pool> usable_pool(const std::string& folder, const PoolMaking& making) {
  std::error_code error;
  if (!fs::exists(fs::path(folder) / "manifest.json", error)) return std::nullopt;
  try {
    Pool pool = Pool::open(folder);
    if (is_made_so(pool.manifest(), making)) return pool;
  } catch (const CorruptFileError&) {  // as if it were not there
  }
  return std::nullopt;
}

}  // namespace

Pool prepared_pool(const std::string& folder, const PoolMaking& making,
                   const std::function<std::unique_ptr<DocumentSource>()>& open_documents,
                   const std::function<void()>& check_interruption) {
  if (std::optional<Pool> pool = usable_pool(folder, making)) return std::move(*pool);
  const std::unique_ptr<DocumentSource> source = open_documents();
  TextBuildOptions build;
  build.recipe = making.recipe;
  build.origin = {{making.made_of}, making.source_format, std::string(program_version)};
  PoolStaging staging(folder);
  const auto check = [&](BuildPhase, std::uint64_t, std::uint64_t, std::int64_t) { check_interruption(); };
  static_cast<void>(build_text_pool(*source, build, staging, check));
  return Pool::open(folder);
}

std::string content_of(std::string_view bytes) {
  return fmt::format("XXH3 {:016x}", checksum_of(std::as_bytes(std::span(bytes.data(), bytes.size()))));
}

std::string content_of_file(const std::string& path) {
  if (!fs::is_regular_file(path)) return {};
  const MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  return fmt::format("{}, {} bytes, {}", fs::path(path).filename().string(), bytes.size(),
                     content_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

}  // namespace inkling::bench
