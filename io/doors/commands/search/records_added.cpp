#include "io/doors/commands/search/records_added.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/from_text/pool_extension.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/doors/commands/build_target.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/search/events/pool_fingerprint.hpp"

namespace inkling {
namespace {

// A temporary pool of the new records. If a killed program left one, the next program replaces it.
class NewRecords {
 public:
  NewRecords(const Pool& pool, std::span<const std::string> sources, std::span<const std::string> reading, std::string path)
      : path_(std::move(path)) {
    static_cast<void>(remove_empty_folder(path_.c_str()));  // one that a killed program left
    std::vector<std::string> args;
    for (const std::string& source : sources) args.push_back(source.starts_with('-') ? "./" + source : source);
    args.insert(args.end(), {"--like", pool.path(), "--out", path_, "--force"});
    if (pool.texts()) args.emplace_back("--keep-text");
    if (std::ranges::find(reading, "--same-by") == reading.end())
      args.insert(args.end(), {"--same-by", same_by_text(same_by_of(pool.manifest()))});
    args.insert(args.end(), reading.begin(), reading.end());
    static_cast<void>(build_records(args));
  }
  NewRecords(const NewRecords&) = delete;
  NewRecords& operator=(const NewRecords&) = delete;
  ~NewRecords() { remove_pool(path_); }  // a rest that cannot be removed is replaced by the next one
  [[nodiscard]] Pool open() const { return Pool::open(path_, PoolTrust::structure); }

 private:
  std::string path_;
};

std::string added_text(const std::string& out, const PoolExtension& extension) {
  const std::string copies =
      extension.copies == 0 ? "" : fmt::format("; {} of the new ones repeat another record", digit_groups(extension.copies));
  const std::string known = extension.known == 0 ? "" : fmt::format("; {} were there already", digit_groups(extension.known));
  const std::string what = extension.added == 0 ? "no new records"
                                                : fmt::format("{} documents, {} of them new", digit_groups(extension.documents),
                                                              digit_groups(extension.added));
  return fmt::format("{}: {}{}{}\n", visible_text(out), what, copies, known);
}

void add_to(const std::string& pool_path, std::span<const std::string> sources, std::span<const std::string> reading,
            const std::string& out) {
  const Pool pool = Pool::open(pool_path, PoolTrust::remembered);
  if (!recipe_of_pool(pool.path(), pool.manifest()) || !pool.vocabulary() || pool.idf().empty())
    throw UsageError(fmt::format("expected a pool made from text, found one made from a matrix: {}", in_quotes(pool_path)));
  const bool brings_vectors = std::ranges::find(reading, "--vectors") != reading.end();
  if (brings_vectors && pool.vector_centre().empty())
    throw UsageError::option("vectors",
                             fmt::format("expected a pool that has vectors, found one without: {}", in_quotes(pool_path)));
  const NewRecords records(pool, sources, reading, out + ".added");
  const Pool more = records.open();
  PoolStaging staging(out);
  const PoolExtension extension =
      extend_pool(pool, pool_fingerprint(pool.manifest()), more, same_by_of(more.manifest()), staging);
  const bool lack_vectors = !pool.vector_centre().empty() && !brings_vectors && extension.added > 0;
  tell_summary(
      [&] { return added_text(out, extension) + (lack_vectors ? "The new ones have no vectors; --vectors gives them.\n" : ""); });
}

}  // namespace

void add_records(const std::string& pool_path, std::span<const std::string> sources, std::span<const std::string> reading,
                 const std::string& out) {
  add_to(pool_path, sources, reading, out);
  remove_leftovers_of_pool(out);  // some systems do not remove the old pool while it is mapped
}

}  // namespace inkling
