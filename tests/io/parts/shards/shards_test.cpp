#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/system/file.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/parts/shards/build_part.hpp"
#include "io/parts/shards/counts_folder.hpp"
#include "io/parts/shards/join_set.hpp"
#include "io/parts/shards/merge_counts.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/shard_builds.hpp"
#include "tests/support/io/shard_sources.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::file_with, test::four_parts, test::InFolder, test::random_corpus, test::random_recipe_of_parts, test::TemporaryFolder;

TEST_CASE("shards of any number, formats and recipes are together the pool that one build makes, byte for byte" *
          doctest::test_suite("slow without sanitizers")) {
  RandomStream random(41, 0, RandomRole::pool);
  for (int trial = 0; trial < test::cases(100); ++trial) {
    const TemporaryFolder folder;
    const std::string place = folder.path().generic_string();
    const std::string format = std::vector<std::string>{"lines", "csv", "jsonl", "tsv", "dir"}[random.below(5)];
    const std::int64_t parts = std::vector<std::int64_t>{1, 2, 3, 7, 16}[random.below(5)];
    CAPTURE(trial);
    CAPTURE(format);
    CAPTURE(parts);
    SourceOptions source = {.format = format};
    const std::vector<std::string> sources = random_corpus(place, format, random);
    const BuildPlan plan = test::plan_for(sources, source, random_recipe_of_parts(random),
                                          random.coin(0.5) ? TextKeeping::keep : TextKeeping::drop, parts);
    test::build_at_once(folder.file("pool"), plan);
    const std::vector<std::string> shards =
        test::with_threads(trial % 2 == 0 ? 1 : 4, [&] { return test::build_shards(place, plan, random); });
    REQUIRE(test::difference_to_pool(shards, folder.file("pool")) == "");
    const SetFile set = joined_set(shards, folder.file("set.json"), "1.2.3");
    const Pool pool = Pool::open(folder.file("pool"));
    CHECK(set.rows == pool.manifest().rows);
    CHECK(set.columns == pool.manifest().columns);
    CHECK(set.nonzeros == pool.manifest().nonzeros);
    for (const ShardRecord& shard : set.shards)
      CHECK(Pool::open(shard_path(folder.file("set.json"), shard)).manifest_checksum() == shard.manifest);
  }
}

TEST_CASE_FIXTURE(InFolder, "counts merged in any order and in any groups have the same checksum") {
  RandomStream random(42, 0, RandomRole::pool);
  TextRecipe recipe;
  recipe.max_features = 5;
  const std::vector<std::string> sources = random_corpus(folder.path().generic_string(), "jsonl", random);
  SourceOptions source = {.format = "jsonl"};
  const BuildPlan plan = test::plan_for(sources, source, recipe, TextKeeping::drop, 12);
  REQUIRE(plan.parts.size() == 12);
  std::vector<std::string> counts;
  for (std::int64_t part = 0; part < 12; ++part) {
    counts.push_back(folder.file("counts" + std::to_string(part)));
    test::count_into(counts.back(), plan, part);
  }
  std::set<std::uint64_t> checksums;
  for (int grouping = 0; grouping < 100; ++grouping)
    checksums.insert(CountsFolder(test::merge_randomly(folder.path().generic_string(), counts, random)).checksum());
  CHECK(checksums.size() == 1);
}

TEST_CASE_FIXTURE(InFolder, "counts equal a plain count of each term") {
  TextRecipe recipe;
  recipe.max_features = 100;
  SourceOptions lines;
  lines.format = "lines";
  const std::string path = file_with(folder.path().generic_string(), "a", "one two two\ntwo three\n\nthree three three\n");
  const BuildPlan plan = test::plan_for({path}, lines, recipe, TextKeeping::drop, 1);
  test::count_into(folder.file("counts"), plan, 0);
  const CountsFolder counts(folder.file("counts"));
  CHECK(counts.manifest().totals.documents == 4);
  CHECK(counts.manifest().totals.entries == 5);
  std::string found;
  for (CountsStream stream(counts, 4096); stream.next();)
    found +=
        std::string(stream.term()) + ' ' + std::to_string(stream.documents()) + ' ' + std::to_string(stream.occurrences()) + '\n';
  CHECK(found == "one 1 1\nthree 2 4\ntwo 2 3\n");
}

TEST_CASE_FIXTURE(InFolder, "a term that lies in two pieces of a file is read whole") {
  std::string text;
  for (int n = 0; n < 4000; ++n) text += "term" + std::to_string(n * 7919) + "\n";
  SourceOptions lines;
  lines.format = "lines";
  const BuildPlan plan = test::plan_for({file_with(folder.path().generic_string(), "a", text)}, lines, {}, TextKeeping::drop, 1);
  test::count_into(folder.file("counts"), plan, 0);
  const CountsFolder counts(folder.file("counts"));
  std::string terms;
  for (CountsStream stream(counts, 4096); stream.next();) terms += std::string(stream.term()) + '\n';
  CHECK(terms == test::text_of(folder.file("counts") + "/terms.txt"));
  CHECK(terms.size() > 10 * 4096);
}

TEST_CASE_FIXTURE(InFolder, "merging refuses by name parts counted twice and other plans and recipes and programs") {
  const BuildPlan plan = four_parts(folder);
  for (std::int64_t part = 0; part < 4; ++part) test::count_into(folder.file(std::to_string(part)), plan, part);
  test::merge_into(folder.file("01"), {folder.file("0"), folder.file("1")});
  const auto merging = [&](const std::string& one, const std::string& other) {
    return test::error_of<std::exception>([&] { test::merge_into(folder.file("out"), {folder.file(one), folder.file(other)}); });
  };
  test::check_holds(merging("01", "1"), {"found part 1, which is in " + folder.file("01") + ", too"});
  test::check_holds(merging("2", "2"), {"found part 2"});

  BuildPlan other = plan;
  other.recipe.min_documents.value = 2.0;
  other = parse_plan("PLAN", plan_text(other));
  test::count_into(folder.file("other recipe"), other, 2);
  test::check_holds(merging("01", "other recipe"), {"expected counts by the same recipe as"});
  other = plan;
  other.sources = {"elsewhere"};
  other = parse_plan("PLAN", plan_text(other));
  test::count_into(folder.file("other plan"), other, 2);
  test::check_holds(merging("01", "other plan"), {"expected counts by the same plan as"});
  other.program_version = "9.9.9";
  other = parse_plan("PLAN", plan_text(other));
  test::count_into(folder.file("other program"), other, 2);
  test::check_holds(merging("01", "other program"), {"expected counts of the same version of the program as"});
  CHECK_FALSE(std::filesystem::exists(folder.file("out")));
}

TEST_CASE_FIXTURE(InFolder, "a shard is refused if counts are not of all parts or of another recipe or plan") {
  const BuildPlan plan = four_parts(folder);
  test::count_into(folder.file("0"), plan, 0);
  test::count_into(folder.file("2"), plan, 2);
  test::merge_into(folder.file("02"), {folder.file("0"), folder.file("2")});
  const auto building = [&](const BuildPlan& by, std::int64_t part) {
    return test::error_of<std::exception>([&] { test::build_into(folder.file("out"), by, part, folder.file("02")); });
  };
  test::check_holds(building(plan, 0), {"expected counts of all 4 parts, found those of 2; part 1 is missing"});
  test::check_holds(building(plan, 4), {"expected a part of the plan, 0 to 3, got 4"});
  BuildPlan other = plan;
  other.recipe.idf = IdfKind::plain;
  test::check_holds(building(parse_plan("P", plan_text(other)), 0), {"expected counts by the recipe of the plan"});
  other = plan;
  other.parts.pop_back();
  test::check_holds(building(parse_plan("P", plan_text(other)), 0), {"expected counts of this plan"});
  other.program_version = "9";
  test::check_holds(building(parse_plan("P", plan_text(other)), 0), {"expected counts that inkling 9 made"});
  CHECK_FALSE(std::filesystem::exists(folder.file("out")));
}

TEST_CASE_FIXTURE(InFolder, "a source that changed after the plan or between the passes is refused by name") {
  const BuildPlan plan = four_parts(folder);
  std::vector<std::string> counts;
  for (std::int64_t part = 0; part < 4; ++part) {
    counts.push_back(folder.file("counts" + std::to_string(part)));
    test::count_into(counts.back(), plan, part);
  }
  test::merge_into(folder.file("all"), counts);
  const std::string source = plan.sources.front();
  const auto before = std::filesystem::last_write_time(source);
  const std::string text = test::text_of(source);
  const std::size_t at = text.find("w1");
  REQUIRE(at != std::string::npos);
  const auto changed = [&](const std::string& now) {
    std::ofstream(source, std::ios::binary) << now;
    std::filesystem::last_write_time(source, before);
  };
  const auto building = [&] {
    return test::error_of<std::exception>([&] { test::build_into(folder.file("shard"), plan, 0, folder.file("all")); });
  };
  changed(text + "more\n");
  test::check_holds(building(), {source + ": expected the file as it was when the plan was made"});
  test::check_holds(test::error_of<std::exception>([&] { test::count_into(folder.file("again"), plan, 1); }),
                    {"(part 1 of the plan)"});
  // Of the same length and time: only reading it shows the change.
  std::string other = text;
  other[at + 1] = '2';
  changed(other);
  test::check_holds(building(), {"part 0 of the plan: expected the", source});
  CHECK_FALSE(std::filesystem::exists(folder.file("shard")));
  changed(text);
  CHECK(building() == "none");
}

TEST_CASE_FIXTURE(InFolder, "a step that finds its own output changes nothing and another output is kept") {
  const BuildPlan plan = four_parts(folder);
  for (std::int64_t part = 0; part < 4; ++part) test::count_into(folder.file(std::to_string(part)), plan, part);
  const std::string manifest = test::text_of(folder.file("0") + "/manifest.json");
  test::count_into(folder.file("0"), plan, 0);  // as a second program at the same time would
  CHECK(test::text_of(folder.file("0") + "/manifest.json") == manifest);
  test::check_holds(test::error_of<std::exception>([&] { test::count_into(folder.file("0"), plan, 1); }),
                    {"will not be replaced"});
  CHECK(test::text_of(folder.file("0") + "/manifest.json") == manifest);

  test::merge_into(folder.file("all"), {folder.file("0"), folder.file("1"), folder.file("2"), folder.file("3")});
  test::build_into(folder.file("shard"), plan, 0, folder.file("all"));
  const std::string shard = test::text_of(folder.file("shard") + "/manifest.json");
  test::build_into(folder.file("shard"), plan, 0, folder.file("all"));
  CHECK(test::text_of(folder.file("shard") + "/manifest.json") == shard);
  test::check_holds(test::error_of<std::exception>([&] { test::build_into(folder.file("shard"), plan, 1, folder.file("all")); }),
                    {"will not be replaced"});
  CHECK(test::text_of(folder.file("shard") + "/manifest.json") == shard);
  CHECK(folder.entries() == 7);  // no partial output is left
}

TEST_CASE_FIXTURE(InFolder, "joining refuses shards that are not all parts of one corpus, each once") {
  RandomStream random(43, 0, RandomRole::pool);
  const BuildPlan plan = four_parts(folder);
  const std::vector<std::string> shards = test::build_shards(folder.path().generic_string(), plan, random);
  const auto joining = [&](const std::vector<std::string>& some) {
    return test::error_of<std::exception>([&] { static_cast<void>(joined_set(some, folder.file("set.json"), "1")); });
  };
  CHECK(joining({shards[2], shards[0], shards[3], shards[1]}) == "none");
  test::check_holds(joining({shards[0], shards[1], shards[3]}), {"found part 3 without part 2"});
  test::check_holds(joining({shards[0], shards[1], shards[2]}), {"part 3 is missing"});
  test::check_holds(joining({shards[0], shards[1], shards[1], shards[3]}), {"expected each part once, found part 1"});
  test::build_at_once(folder.file("pool"), plan);
  test::check_holds(joining({shards[0], folder.file("pool")}), {"found a pool that was built by itself"});
  std::filesystem::remove(shards[1] + "/data.npy");
  test::check_holds(joining(shards), {shards[1] + "/data.npy: missing"});
}

TEST_CASE_FIXTURE(InFolder, "a plan with a flipped bit or of another program is refused") {
  const std::string text = plan_text(four_parts(folder));
  RandomStream random(44, 0, RandomRole::pool);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::string damaged = test::with_flipped_bit(text, random.below(8 * text.size()));
    CHECK_THROWS_AS(static_cast<void>(parse_plan("P", damaged)), FormatError);
  }
  const std::string path = file_with(folder.path().generic_string(), "plan.json", text);
  CHECK_NOTHROW(static_cast<void>(read_plan(path, "1.2.3", 0)));
  test::check_holds(test::error_of<std::exception>([&] { static_cast<void>(read_plan(path, "1.2.4", 0)); }),
                    {"expected a plan that inkling 1.2.4 made, found one of inkling 1.2.3"});
  CHECK(plan_text(parse_plan("P", text)) == text);
}

TEST_CASE_FIXTURE(InFolder,
                  "a plan read for one part has the files of that part and the number of parts and every bit is checked") {
  const BuildPlan plan = four_parts(folder);
  const std::string text = plan_text(plan);
  const std::string path = file_with(folder.path().generic_string(), "plan.json", text);
  for (std::int64_t part = 0; part < 4; ++part) {
    const BuildPlan read = read_plan(path, "1.2.3", part);
    REQUIRE(read.parts.size() == 4);
    CHECK(read.checksum == plan.checksum);
    for (std::size_t n = 0; n < 4; ++n)
      CHECK(read.parts[n] == (static_cast<std::int64_t>(n) == part ? plan.parts[n] : PlanPart()));
  }
  CHECK(read_plan(path, "1.2.3", 4).parts.size() == 4);
  RandomStream random(46, 0, RandomRole::pool);
  for (int trial = 0; trial < 500; ++trial) {
    file_with(folder.path().generic_string(), "plan.json", test::with_flipped_bit(text, random.below(8 * text.size())));
    CHECK_THROWS_AS(static_cast<void>(read_plan(path, "1.2.3", 2)), CorruptFileError);
  }
  for (const std::string& other : {text.substr(0, text.size() / 2), text + "{}\n", text + text, std::string("{}"), std::string(),
                                   std::string(100'000, 'x')}) {
    file_with(folder.path().generic_string(), "plan.json", other);
    CHECK_THROWS_AS(static_cast<void>(read_plan(path, "1.2.3", 2)), CorruptFileError);
  }
}

TEST_CASE_FIXTURE(InFolder, "counts with a flipped bit are refused when they are merged") {
  TextRecipe recipe;
  recipe.max_features = 5;
  const BuildPlan plan = four_parts(folder, recipe);
  test::count_into(folder.file("0"), plan, 0);
  test::count_into(folder.file("1"), plan, 1);
  RandomStream random(45, 0, RandomRole::pool);
  for (const std::string name : {"manifest.json", "terms.txt", "document_frequency.npy", "occurrences.npy"}) {
    const std::string path = folder.file("0") + "/" + name;
    const auto bits = static_cast<std::uint64_t>(8 * std::filesystem::file_size(path));
    for (int trial = 0; trial < 100; ++trial) {
      const auto bit = static_cast<std::streamoff>(random.below(bits));
      test::flip_bit_of(path, bit);
      CHECK_THROWS_AS(test::merge_into(folder.file("out"), {folder.file("0"), folder.file("1")}), FormatError);
      test::flip_bit_of(path, bit);
    }
  }
  test::merge_into(folder.file("out"), {folder.file("0"), folder.file("1")});
}

}  // namespace
}  // namespace inkling
