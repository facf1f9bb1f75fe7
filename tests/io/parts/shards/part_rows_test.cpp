#include "io/parts/shards/part_rows.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/parts/shards/build_part.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/shard_builds.hpp"
#include "tests/support/io/shard_sources.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;
using test::InFolder, test::TemporaryFolder;

// The counts of all parts of a plan with their rows, and the merged counts.
class CountsWithRows {
 public:
  CountsWithRows(const TemporaryFolder& folder, const BuildPlan& plan) : folder_(folder), plan_(plan) {
    std::vector<std::string> all;
    for (std::int64_t part = 0; part < std::ssize(plan.parts); ++part) {
      all.push_back(of(part));
      test::count_into(all.back(), plan, part, PartRowKeeping::keep);
    }
    test::merge_into(merged(), all);
  }

  [[nodiscard]] std::string of(std::int64_t part) const { return folder_.file("rows of " + std::to_string(part)); }
  [[nodiscard]] std::string merged() const { return folder_.file("all"); }

  // The error about the shard; "none" if it was built.
  [[nodiscard]] std::string refusal(std::int64_t part, const std::string& own_counts) const {
    const std::string out = folder_.file("refused");
    fs::remove_all(out);
    try {
      test::build_into(out, plan_, part, merged(), own_counts);
    } catch (const FormatError& error) {
      CHECK_FALSE(fs::exists(out));
      return error.what();
    }
    return "none";
  }

 private:
  const TemporaryFolder& folder_;
  const BuildPlan& plan_;
};

void write_bytes(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// The names and contents of all files in a folder as one text.
std::string files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) names.push_back(entry.path().generic_string());
  std::ranges::sort(names);
  std::string all;
  for (const std::string& name : names) all += name.substr(folder.size()) + '\n' + test::text_of(name);
  return all;
}

// The record that the writer of these bytes would make.
FileRecord record_of_bytes(std::string_view name, const std::string& bytes) {
  FileRecord record = {.name = std::string(name), .bytes = bytes.size()};
  for (std::size_t begin = 0; begin < bytes.size(); begin += kChecksumBlockBytes)
    record.checksums.push_back(checksum_of(
        std::as_bytes(std::span(bytes).subspan(begin).first(std::min<std::size_t>(kChecksumBlockBytes, bytes.size() - begin)))));
  return record;
}

// Replaces kept rows by other bytes, with checksums that fit.
void forge_rows(const std::string& counts, const std::string& bytes) {
  const std::string manifest = counts + "/rows.json";
  RowsManifest rows = parse_rows_manifest(manifest, test::text_of(manifest));
  rows.files = {record_of_bytes("rows.bin", bytes)};
  write_bytes(manifest, rows_manifest_text(rows));
  write_bytes(counts + "/rows.bin", bytes);
}

TEST_CASE("shards from kept rows equal those from the text byte for byte with any source and recipe" *
          doctest::test_suite("slow without sanitizers")) {
  RandomStream random(51, 0, RandomRole::pool);
  for (int trial = 0; trial < test::cases(100); ++trial) {
    const TemporaryFolder folder;
    const std::string format = std::vector<std::string>{"lines", "csv", "jsonl", "tsv", "dir"}[random.below(5)];
    const std::int64_t parts = std::vector<std::int64_t>{1, 2, 3, 7}[random.below(4)];
    CAPTURE(trial);
    CAPTURE(format);
    CAPTURE(parts);
    SourceOptions source = {.format = format};
    BuildPlan plan =
        test::plan_for(test::random_corpus(folder.path().generic_string(), format, random), source,
                       test::random_recipe_of_parts(random), random.coin(0.5) ? TextKeeping::keep : TextKeeping::drop, parts);
    plan.source.reading.chunk_bytes = 1 + random.below(1500);  // small, so that several threads number the terms
    test::with_threads(trial % 2 == 0 ? 1 : 4, [&] {
      const CountsWithRows counts(folder, plan);
      const std::uint64_t memory = random.coin(0.5) ? 1U << 28U : 1U << 20U;
      for (std::int64_t part = 0; part < std::ssize(plan.parts); ++part) {
        const std::string from_text = folder.file("text" + std::to_string(part));
        const std::string from_rows = folder.file("rows" + std::to_string(part));
        test::build_into(from_text, plan, part, counts.merged());
        test::build_into(from_rows, plan, part, counts.merged(), counts.of(part), memory);
        REQUIRE(files_in(from_rows) == files_in(from_text));
      }
    });
  }
}

TEST_CASE_FIXTURE(InFolder, "rows that fill several blocks of checksums read back in blocks of any size") {
  RandomStream random(52, 0, RandomRole::pool);
  std::string text;
  for (int line = 0; line < 30'000; ++line) {
    for (std::uint64_t word = random.below(60); word > 0; --word)
      text += "w" + std::to_string(random.below(1 + random.below(20'000))) + ' ';
    text += '\n';
  }
  SourceOptions lines;
  lines.format = "lines";
  const BuildPlan plan =
      test::plan_for({test::file_with(folder.path().generic_string(), "a", text)}, lines, {}, TextKeeping::drop, 1);
  const CountsWithRows counts(folder, plan);
  REQUIRE(fs::file_size(counts.of(0) + "/rows.bin") > 2 * kChecksumBlockBytes);
  test::build_into(folder.file("text"), plan, 0, counts.merged());
  for (const int threads : {1, 3}) {
    const std::string out = folder.file("from rows " + std::to_string(threads));
    test::with_threads(threads, [&] {
      test::build_into(out, plan, 0, counts.merged(), counts.of(0),
                       threads == 1 ? std::uint64_t{1} << 24U : std::uint64_t{1} << 30U);
    });
    CHECK(files_in(out) == files_in(folder.file("text")));
  }
}

struct InCountedParts : InFolder {
  const BuildPlan plan = test::four_parts(folder);
  const CountsWithRows counts{folder, plan};
};

TEST_CASE_FIXTURE(InCountedParts, "counts are the same whether rows are kept or not, and merging does not look at rows") {
  test::count_into(folder.file("without"), plan, 2);
  for (const std::string name : {"manifest.json", "terms.txt", "document_frequency.npy"})
    CHECK(test::text_of(folder.file("without") + "/" + name) == test::text_of(counts.of(2) + "/" + name));
  fs::remove(counts.of(1) + "/rows.bin");
  write_bytes(counts.of(2) + "/rows.json", "anything");
  test::merge_into(folder.file("again"), {counts.of(0), counts.of(1), counts.of(2), counts.of(3)});
  CHECK(files_in(folder.file("again")) == files_in(counts.merged()));
  // Counts part 0 a second time, as a program that runs at the same time would.
  test::count_into(counts.of(0), plan, 0);
  test::count_into(folder.file("without"), plan, 2, PartRowKeeping::keep);
  CHECK_FALSE(fs::exists(folder.file("without") + "/rows.json"));
}

TEST_CASE_FIXTURE(InCountedParts, "without all kept rows of a part its text is cut into words again") {
  test::build_into(folder.file("expected"), plan, 0, counts.merged());
  const CountsFolder all(counts.merged());
  const auto are_there = [&] { return kept_rows(all, 0, counts.of(0)) != nullptr; };
  CHECK(are_there());
  const std::string rows = test::text_of(counts.of(0) + "/rows.bin");
  fs::remove(counts.of(0) + "/rows.bin");
  CHECK_FALSE(are_there());
  write_bytes(counts.of(0) + "/rows.bin", rows);
  fs::remove(counts.of(0) + "/rows.json");
  CHECK_FALSE(are_there());
  test::build_into(folder.file("shard"), plan, 0, counts.merged(), counts.of(0));
  CHECK(files_in(folder.file("shard")) == files_in(folder.file("expected")));
}

TEST_CASE_FIXTURE(InCountedParts, "rows of another part, plan or text are refused by name") {
  test::check_holds(counts.refusal(1, counts.of(2)), {counts.of(2) + ": expected the counts of part 1"});
  test::check_holds(counts.refusal(1, counts.merged()), {counts.merged() + ": expected the counts of part 1"});
  BuildPlan other = plan;
  other.sources = {"elsewhere"};
  other = parse_plan("PLAN", plan_text(other));
  test::count_into(folder.file("other plan"), other, 1, PartRowKeeping::keep);
  test::check_holds(counts.refusal(1, folder.file("other plan")), {"expected the counts of part 1"});
  // Replaces only the kept rows beside the counts of the right part.
  for (const std::string& from : {counts.of(2), folder.file("other plan")}) {
    for (const std::string name : {"rows.json", "rows.bin"})
      write_bytes(pool_file_path(counts.of(1), name), test::text_of(pool_file_path(from, name)));
    test::check_holds(counts.refusal(1, counts.of(1)), {counts.of(1) + "/rows.json: expected the rows of the counts beside it"});
  }
}

TEST_CASE_FIXTURE(InCountedParts,
                  "a source that changed after it was counted is refused by name even if its kept rows are used") {
  const std::string source = plan.sources.front();
  const auto before = std::filesystem::last_write_time(source);
  std::string text = test::text_of(source);
  const std::size_t at = text.find("w1");
  REQUIRE(at != std::string::npos);
  text[at + 1] = '2';
  write_bytes(source, text);
  std::filesystem::last_write_time(source, before);
  test::check_holds(counts.refusal(0, counts.of(0)), {"part 0 of the plan: expected the", source});
}

TEST_CASE_FIXTURE(InCountedParts, "rows with a flipped bit or of another length are refused by name") {
  RandomStream random(53, 0, RandomRole::pool);
  for (const std::string name : {"rows.json", "rows.bin"}) {
    const std::string path = counts.of(3) + "/" + name;
    const std::string whole = test::text_of(path);
    for (int trial = 0; trial < test::cases(200); ++trial) {
      const auto bit = static_cast<std::streamoff>(random.below(8 * whole.size()));
      test::flip_bit_of(path, bit);
      test::check_holds(counts.refusal(3, counts.of(3)), {path});
      test::flip_bit_of(path, bit);
    }
    for (const std::string& other : {std::string(), whole.substr(0, whole.size() / 2), whole + "x"}) {
      write_bytes(path, other);
      test::check_holds(counts.refusal(3, counts.of(3)), {path});
    }
    write_bytes(path, whole);
  }
  CHECK(counts.refusal(3, counts.of(3)) == "none");
}

TEST_CASE_FIXTURE(InFolder, "forged rows with right checksums are refused or give a shard and nothing is read out of bounds" *
                                doctest::test_suite("slow without sanitizers")) {
  BuildPlan plan = test::four_parts(folder);
  plan.texts = TextKeeping::drop;
  plan = parse_plan("PLAN", plan_text(plan));
  const CountsWithRows counts(folder, plan);
  const std::string whole = test::text_of(counts.of(1) + "/rows.bin");
  const RowsManifest kept = parse_rows_manifest("rows.json", test::text_of(counts.of(1) + "/rows.json"));
  const std::size_t behind = static_cast<std::size_t>(kept.segments) * 24 + static_cast<std::size_t>(kept.terms) * sizeof(TermId);
  const auto strings = static_cast<std::size_t>(kept.strings);
  REQUIRE(strings > 0);
  // Documents, strings, and the segments and numbers at the end: all are changed equally often.
  const std::array<std::size_t, 4> begins = {0, whole.size() - behind - strings, whole.size() - behind, whole.size()};
  RandomStream random(54, 0, RandomRole::pool);
  std::array<int, 3> tried = {};
  std::array<int, 3> refused = {};
  const int trials = test::cases(2000);
  for (int trial = 0; trial < trials; ++trial) {
    CAPTURE(trial);
    std::string forged = whole;
    const std::size_t region = random.below(3);
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n)
      forged[begins[region] + random.below(begins[region + 1] - begins[region])] = static_cast<char>(random.below(256));
    if (random.coin(0.1)) forged.resize(random.below(forged.size()));
    forge_rows(counts.of(1), forged);
    tried[region] += 1;
    refused[region] += counts.refusal(1, counts.of(1)) == "none" ? 0 : 1;
  }
  CHECK(refused[0] + refused[2] > (tried[0] + tried[2]) / 2);
  CHECK(refused[1] > 0);  // most of the strings are marks and ids, of which any are possible
  forge_rows(counts.of(1), whole);
  CHECK(counts.refusal(1, counts.of(1)) == "none");
}

TEST_CASE_FIXTURE(InCountedParts, "rows that do not agree with how many documents have each term are refused") {
  const std::string path = counts.of(1) + "/document_frequency.npy";
  std::string numbers = test::text_of(path);
  const std::size_t last = numbers.size() - sizeof(std::int64_t);
  numbers[last] = static_cast<char>(numbers[last] + 1);
  write_bytes(path, numbers);
  const std::string manifest = counts.of(1) + "/manifest.json";
  CountsManifest forged = parse_counts_manifest(manifest, test::text_of(manifest));
  for (FileRecord& file : forged.files)
    if (file.name == CountsFile::document_frequency) file = record_of_bytes(file.name, numbers);
  write_bytes(manifest, counts_manifest_text(forged));
  test::check_holds(counts.refusal(1, counts.of(1)), {"rows.bin: expected rows with as many documents of each term"});
}

}  // namespace
}  // namespace inkling
