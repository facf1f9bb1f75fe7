#include "tests/support/io/shard_builds.hpp"

#include <cstring>
#include <filesystem>
#include <utility>

#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/parts/shards/build_part.hpp"
#include "io/parts/shards/merge_counts.hpp"
#include "io/parts/shards/plan_cuts.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

constexpr std::uint64_t kTestMemory = std::uint64_t{1} << 28U;

void no_progress(BuildPhase /*phase*/, std::uint64_t /*done*/, std::uint64_t /*total*/, std::int64_t /*all*/) {}

SourceOptions in_this_process() {
  SourceOptions process = {.seen = std::make_shared<SeenNames>(0)};
  process.reading.check_interruption = [] {};
  return process;
}

// The bytes after the header of an array.
std::string numbers_in(const std::string& path) { return text_of(path).substr(static_cast<std::size_t>(kPoolNpyHeaderBytes)); }

// The differences between offsets; the first offset is 0.
std::string lengths_in(const std::string& path) {
  const std::string bytes = numbers_in(path);
  std::vector<std::int64_t> offsets(bytes.size() / sizeof(std::int64_t));
  std::memcpy(offsets.data(), bytes.data(), bytes.size());
  std::string lengths;
  for (std::size_t n = 1; n < offsets.size(); ++n) {
    const std::int64_t length = offsets[n] - offsets[n - 1];
    lengths.append(reinterpret_cast<const char*>(&length), sizeof(length));
  }
  return lengths;
}

}  // namespace

BuildPlan plan_for(const std::vector<std::string>& sources, const SourceOptions& source, const TextRecipe& recipe,
                   TextKeeping texts, std::int64_t parts) {
  BuildPlan plan;
  plan.program_version = "1.2.3";
  plan.sources = sources;
  plan.source = source;
  plan.recipe = recipe;
  plan.texts = texts;
  plan.may_be_empty = true;
  plan.parts = parts_of(planned_files(sources, false, kTestMemory, [] {}).files, source, {.parts = parts}, [] {});
  return parse_plan("PLAN", plan_text(plan));
}

void count_into(const std::string& out, const BuildPlan& plan, std::int64_t part, PartRowKeeping rows) {
  PoolStaging staging(out, staged_counts());
  static_cast<void>(count_part(plan, part, rows, in_this_process(), kTestMemory, staging, no_progress));
}

void merge_into(const std::string& out, const std::vector<std::string>& counts) {
  const std::vector<CountsFolder> inputs(counts.begin(), counts.end());
  PoolStaging staging(out, staged_counts());
  static_cast<void>(merge_counts(inputs, kTestMemory, staging, [](std::uint64_t, std::uint64_t) {}));
}

void build_into(const std::string& out, const BuildPlan& plan, std::int64_t part, const std::string& counts,
                const std::string& own_counts, std::uint64_t memory) {
  const CountsFolder folder(counts);
  const ShardOrigin origin = planned_shard(plan, folder, part);
  const std::unique_ptr<PartRows> rows = own_counts.empty() ? nullptr : kept_rows(folder, part, own_counts);
  PoolStaging staging(out, staged_shard());
  static_cast<void>(build_part(plan, folder, origin, rows.get(), in_this_process(), memory, staging, no_progress));
}

std::string merge_randomly(const std::string& folder, std::vector<std::string> counts, RandomStream& random) {
  static int number = 0;
  while (counts.size() > 1) {
    std::vector<std::string> group;
    for (std::uint64_t n = 2 + random.below(counts.size() - 1); n > 0 && !counts.empty(); --n) {
      const auto at = counts.begin() + static_cast<std::ptrdiff_t>(random.below(counts.size()));
      group.push_back(*at);
      counts.erase(at);
    }
    counts.push_back(folder + "/merged" + std::to_string(number++));
    merge_into(counts.back(), group);
  }
  return counts.front();
}

std::vector<std::string> build_shards(const std::string& folder, const BuildPlan& plan, RandomStream& random) {
  std::vector<std::string> counts;
  for (std::int64_t part = 0; part < std::ssize(plan.parts); ++part) {
    counts.push_back(folder + "/counts" + std::to_string(part));
    count_into(counts.back(), plan, part);
  }
  const std::string all = merge_randomly(folder, counts, random);
  std::vector<std::string> shards;
  for (std::int64_t part = 0; part < std::ssize(plan.parts); ++part) {
    shards.push_back(folder + "/shard" + std::to_string(part));
    build_into(shards.back(), plan, part, all);
  }
  return shards;
}

void build_at_once(const std::string& out, const BuildPlan& plan) {
  TextBuildOptions build = {
      .recipe = plan.recipe, .texts = plan.texts, .origin = {plan.sources, plan.source.format, plan.program_version}};
  PoolStaging staging(out);
  const std::unique_ptr<DocumentSource> source = open_source(plan.sources, plan.source);
  static_cast<void>(build_text_pool(*source, build, staging));
}

std::string difference_to_pool(const std::vector<std::string>& shards, const std::string& pool) {
  namespace fs = std::filesystem;
  using Read = std::string (*)(const std::string&);
  constexpr Read whole = text_of;
  const std::vector<std::pair<std::string, Read>> rows = {{"indptr.npy", lengths_in},
                                                          {"indices.npy", numbers_in},
                                                          {"data.npy", numbers_in},
                                                          {"documents/ids.npy", numbers_in},
                                                          {"documents/texts.npy", numbers_in},
                                                          {"documents/ids_indptr.npy", lengths_in},
                                                          {"documents/labels.npy", numbers_in},
                                                          {"documents/fields.npy", numbers_in},
                                                          {"documents/fields_indptr.npy", lengths_in},
                                                          {"documents/texts_indptr.npy", lengths_in}};
  const std::vector<std::pair<std::string, Read>> common = {
      {"vocabulary.txt", whole}, {"idf.npy", whole}, {"documents/label_names.txt", whole}};
  for (const auto& [name, read] : common) {
    for (const std::string& shard : shards)
      if (whole(shard + "/" + name) != whole(pool + "/" + name)) return name + " of " + shard;
  }
  for (const auto& [name, read] : rows) {
    std::string joined;
    for (const std::string& shard : shards) {
      if (fs::exists(shard + "/" + name) != fs::exists(pool + "/" + name)) return name + " of " + shard;
      if (fs::exists(shard + "/" + name)) joined += read(shard + "/" + name);
    }
    if (fs::exists(pool + "/" + name) && joined != read(pool + "/" + name)) return name;
  }
  return {};
}

}  // namespace inkling::test
