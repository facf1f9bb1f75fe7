#include "bench/speed/generated_counts.hpp"

#include <fmt/format.h>

#include "io/build/text_recipe.hpp"
#include "io/cli/build_info.hpp"
#include "io/shards/counts_folder.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kSharedEvery = 16;

bool is_shared(std::int64_t term) { return term % kSharedEvery == 0; }

void write_part(const GeneratedCounts& counts, std::int64_t part, const std::string& folder,
                const std::function<void()>& check_interruption) {
  constexpr std::int64_t terms_between_checks = std::int64_t{1} << 16U;
  PoolStaging staging(folder, WriteCalls::of_system(), staged_counts());
  CountsWriter writer(staging, CountsWriter::Occurrences::are_not);
  std::string text;
  for (std::int64_t term = 0; term < counts.terms; ++term) {
    if (term % terms_between_checks == 0) check_interruption();
    if (!is_shared(term) && term % counts.parts != part) continue;
    text.clear();
    fmt::format_to(std::back_inserter(text), "term{:010}", term);
    writer.append(text, 1 + term % 7, 0);
  }
  CountsManifest manifest;
  manifest.program_version = program_version;
  manifest.recipe = recipe_json(TextRecipe());
  manifest.all_parts = counts.parts;
  manifest.totals.documents = 7;
  manifest.parts = {{.part = part, .documents = 7, .text = 0}};
  writer.publish({}, manifest);
}

}  // namespace

std::vector<std::string> write_generated_counts(const GeneratedCounts& counts, const std::string& folder,
                                                const std::function<void()>& check_interruption) {
  std::vector<std::string> folders;
  for (std::int64_t part = 0; part < counts.parts; ++part) {
    folders.push_back(fmt::format("{}/{}", folder, part));
    write_part(counts, part, folders.back(), check_interruption);
  }
  return folders;
}

std::int64_t terms_to_read(const GeneratedCounts& counts) {
  const std::int64_t shared = (counts.terms + kSharedEvery - 1) / kSharedEvery;
  return counts.terms - shared + shared * counts.parts;
}

}  // namespace inkling::bench
