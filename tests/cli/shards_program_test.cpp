// A corpus built in parts by the commands, as a person or a scheduler of jobs runs them.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "io/corpus/pool/format/sealed_json.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/support/io/shard_builds.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

// Plan and counts of a small corpus in three parts.
class PartsOfTiny {
 public:
  explicit PartsOfTiny(const Args& recipe = {}) {
    run({"parts", "plan", kTinyCorpus, "--parts", "3", "--out", plan()}, recipe);
    for (int part = 0; part < 3; ++part) run(counting(part));
    run(merging());
  }

  [[nodiscard]] std::string plan() const { return folder_.file("plan.json"); }
  [[nodiscard]] std::string counts(int part) const { return folder_.file("counts" + std::to_string(part)); }
  [[nodiscard]] std::string all_counts() const { return folder_.file("all"); }
  [[nodiscard]] std::string shard(int part) const { return folder_.file("shard" + std::to_string(part)); }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::ptrdiff_t entries() const { return folder_.entries(); }

  [[nodiscard]] Args counting(int part) const {
    return {"parts", "count", plan(), "--part", std::to_string(part), "--out", counts(part)};
  }
  [[nodiscard]] Args merging() const { return {"parts", "merge", counts(0), counts(1), counts(2), "--out", all_counts()}; }
  [[nodiscard]] Args building(int part) const {
    return {"parts", "build", plan(), "--part", std::to_string(part), "--counts", all_counts(), "--out", shard(part)};
  }
  [[nodiscard]] Args joining() const { return {"parts", "join", shard(2), shard(0), shard(1), "--out", file("set.json")}; }

  static void run(const Args& args, const Args& more = {}) { CHECK(succeeded(inkling(args + more)).out == ""); }

 private:
  TemporaryFolder folder_;
};

TEST_CASE("a corpus that is planned and counted and merged and built and joined equals the pool of one build") {
  for (const Args& recipe : {Args{}, Args{"--like-scikit-learn"}, Args{"--keep-text", "--min-df", "2", "--ngrams", "1,2"},
                             Args{"--max-features", "20", "--stop-words", "english", "--tf", "sublinear"}}) {
    const PartsOfTiny parts(recipe);
    for (int part = 0; part < 3; ++part) PartsOfTiny::run(parts.building(part));
    PartsOfTiny::run(parts.joining());
    REQUIRE(inkling(Args{"build", kTinyCorpus, "--out", parts.file("pool")} + recipe).exit_code == 0);
    CHECK(difference_to_pool({parts.shard(0), parts.shard(1), parts.shard(2)}, parts.file("pool")) == "");
    CHECK(inkling({"verify", parts.shard(1)}).exit_code == 0);
  }
}

TEST_CASE("a shard built from kept rows equals one built from text") {
  const PartsOfTiny parts({"--keep-text"});
  const std::string own = parts.file("own");
  const Args counting = {"parts", "count", parts.plan(), "--part", "1", "--keep-rows", "--out", own};
  PartsOfTiny::run(counting);
  CHECK(holds(inkling(counting).err, "it exists already, nothing to do"));
  PartsOfTiny::run(parts.building(1));
  const Args from_rows = {"parts", "build", parts.plan(), "--part", "1", "--counts", parts.all_counts()};
  CHECK(holds(inkling(from_rows + Args{"--rows", own, "--out", parts.file("same"), "--json"}).out, "\"from_rows\":true"));
  CHECK(text_of(parts.file("same") + "/manifest.json") == text_of(parts.shard(1) + "/manifest.json"));
  // Counts of this part without kept rows, counts of another part with its rows, and damaged rows.
  const ProgramResult again = inkling(from_rows + Args{"--rows", parts.counts(1), "--out", parts.file("again"), "--json"});
  CHECK(holds(again.out, "\"from_rows\":false"));
  check_refused(inkling(from_rows + Args{"--rows", parts.counts(0), "--out", parts.file("x")}), 3,
                {parts.counts(0) + ": expected the counts of part 1"});
  flip_bit_of(own + "/rows.bin", 9);
  check_refused(inkling(from_rows + Args{"--rows", own, "--out", parts.file("x")}), 5, {own + "/rows.bin: "});
  CHECK_FALSE(std::filesystem::exists(parts.file("x")));
}

TEST_CASE("a step whose output exists ends at once and says so and never touches another output") {
  const PartsOfTiny parts;
  PartsOfTiny::run(parts.building(0));
  const std::ptrdiff_t entries = parts.entries();
  const Args planning = {"parts", "plan", kTinyCorpus, "--parts", "3", "--out", parts.plan()};
  for (const Args& again : {planning, parts.counting(1), parts.merging(), parts.building(0)}) {
    CHECK(holds(succeeded(inkling(again)).err, "it exists already, nothing to do"));
    CHECK(holds(succeeded(inkling(again + Args{"--json"})).out, "\"found\":true"));
  }
  const std::vector<Args> others = {
      {"parts", "plan", kTinyCorpus, "--parts", "2", "--out", parts.plan()},
      {"parts", "count", parts.plan(), "--part", "0", "--out", parts.counts(1)},
      {"parts", "merge", parts.counts(0), parts.counts(1), "--out", parts.all_counts()},
      {"parts", "build", parts.plan(), "--part", "1", "--counts", parts.all_counts(), "--out", parts.shard(0)}};
  for (const Args& other : others) check_refused(inkling(other), 2, {"An output is never replaced"});
  CHECK(parts.entries() == entries);
}

TEST_CASE("an existing shard counts as done only if every byte of it is right") {
  const PartsOfTiny parts({"--keep-text"});
  PartsOfTiny::run(parts.building(0));
  for (const char* const name : {"data.npy", "indices.npy", "vocabulary.txt", "documents/texts.npy"}) {
    const std::string file = parts.shard(0) + "/" + name;
    CAPTURE(file);
    flip_bit_of(file, 8 * static_cast<std::streamoff>(std::filesystem::file_size(file)) - 5);
    check_refused(inkling(parts.building(0)), 5, {file + ": "});
    flip_bit_of(file, 8 * static_cast<std::streamoff>(std::filesystem::file_size(file)) - 5);
  }
  CHECK(inkling(parts.building(0)).exit_code == 0);
}

TEST_CASE("options that the plan sets, and a plan of another version of the program, are refused in later steps") {
  const PartsOfTiny parts;
  CHECK(holds(inkling(parts.building(0) + Args{"--min-df", "3"}).err, "unknown option '--min-df'"));
  CHECK(holds(inkling(parts.building(0) + Args{kTinyCorpus}).err, "unexpected argument"));
  CHECK(holds(inkling({"parts", "build", parts.plan(), "--out", parts.shard(0)}).err, "--part: is required"));
  CHECK(holds(inkling({"build", kTinyCorpus, "--part", "1", "--out", parts.shard(0)}).err, "unknown option '--part'"));
  CHECK_FALSE(std::filesystem::exists(parts.shard(0)));

  std::string text = text_of(parts.plan());
  const std::size_t at = text.find("\"program\": \"");
  REQUIRE(at != std::string::npos);
  text.insert(at + 12, "9");
  text.resize(text.rfind("  \"checksum\""));
  const std::string other = write(parts.file("other.json"), sealed_json(text));
  check_refused(inkling({"parts", "count", other, "--part", "0", "--out", parts.file("x")}), 3,
                {other + ": expected a plan that inkling "});
  CHECK(inkling({"parts", "build", other, "--part", "0", "--counts", parts.all_counts(), "--out", parts.file("x")}).exit_code ==
        3);
}

TEST_CASE("fields and labels that no document has and an empty corpus are refused when the corpus is built") {
  const TemporaryFolder folder;
  const auto built_of = [&folder](const std::string& name, const std::string& text, const Args& more) {
    const std::string plan = folder.file(name + ".plan");
    const std::string counts = folder.file(name + ".counts");
    const std::string source = write(folder.file(name + ".jsonl"), text);
    CHECK(inkling(Args{"parts", "plan", source, "--parts", "2", "--out", plan} + more).exit_code == 0);
    std::vector<std::string> all;
    const int parts = text.empty() ? 1 : 2;
    for (int part = 0; part < parts; ++part) {
      all.push_back(counts + std::to_string(part));
      CHECK(inkling({"parts", "count", plan, "--part", std::to_string(part), "--out", all.back()}).exit_code == 0);
    }
    CHECK(inkling(Args{"parts", "merge", "--out", counts} + all).exit_code == 0);
    return inkling({"parts", "build", plan, "--part", "0", "--counts", counts, "--out", folder.file(name)});
  };
  const std::string two = "{\"text\": \"a word, and more\", \"label\": \"x\"}\n{\"text\": \"and another\", \"label\": \"y\"}\n";
  CHECK(holds(built_of("field", two, {"--id-field", "name"}).err, "expected records with the field \"name\""));
  CHECK(holds(built_of("label", two, {"--topics", "x,z"}).err, "expected documents with the label \"z\""));
  CHECK(built_of("good", two, {"--topics", "x,y", "--label-field", "label"}).exit_code == 0);
  CHECK(holds(built_of("empty", "", {}).err, "expected documents, found none"));
  CHECK(built_of("may be empty", "", {"--allow-empty"}).exit_code == 0);
}

TEST_CASE_FIXTURE(InFolder, "a plan predicts the time of its job and says that it is a prediction") {
  const Args planning = {"parts", "plan", kTinyCorpus, "--parts", "3", "--out"};
  CHECK(holds(inkling(planning + Args{folder.file("p")}).err, "a prediction, not a measurement: "));
  CHECK(holds(inkling(planning + Args{folder.file("q"), "--json"}).out, "\"predicted_core_seconds\":"));
}

TEST_CASE_FIXTURE(InFolder, "a plan refuses matrices and pipes and pools as sources") {
  const std::string matrix = write(folder.file("a.svm"), "1 1:0.5 2:1\n");
  CHECK(holds(inkling({"parts", "plan", matrix, "--out", folder.file("p")}).err, "svmlight matrix is taken as it is"));
  CHECK(holds(inkling({"parts", "plan", "-", "--out", folder.file("p")}).err, "standard input (-) cannot be planned"));
  CHECK_FALSE(std::filesystem::exists(folder.file("p")));
}

// A corpus as a set, and as one pool.
struct SetOfTiny {
  SetOfTiny() {
    for (int part = 0; part < 3; ++part) PartsOfTiny::run(parts.building(part));
    PartsOfTiny::run(parts.joining());
    REQUIRE(inkling(Args{"build", kTinyCorpus, "--out", pool} + recipe).exit_code == 0);
  }

  // `inkling search WHAT --searches FILE < LINES`
  [[nodiscard]] ProgramResult search(const std::string& what, const std::string& session, const std::string& lines,
                                     const Args& args = {}) const {
    const std::string input = write(parts.file("lines"), lines);
    const Args shell = {"-c", R"(exec "$0" search "$@" < "$INPUT")", kInklingProgram, what, "--searches", parts.file(session)};
    return run_program("/bin/sh", shell + args, {"INPUT=" + input});
  }

  Args recipe = {"--keep-text"};
  PartsOfTiny parts{recipe};
  std::string set = parts.file("set.json");
  std::string pool = parts.file("pool");
};

// The output of `info --json` without the members that differ between a set and a pool.
std::string common_facts(const std::string& json) {
  const auto between = [&json](std::string_view from, std::string_view to) {
    const std::size_t begin = json.find(from);
    const std::size_t end = json.find(to);
    REQUIRE(begin != std::string::npos);
    REQUIRE(end > begin);
    return json.substr(begin, end - begin);
  };
  return between("\"documents\":", "\"bytes\":") + between("\"has_vocabulary\":", "\"recipe\":");
}

TEST_CASE("info and a search of a set equal those of its pool, and it continues in either and in no other") {
  const SetOfTiny tiny;
  const ProgramResult of_set = succeeded(inkling({"info", tiny.set, "--json"}));
  const ProgramResult of_pool = inkling({"info", tiny.pool, "--json"});
  CHECK(common_facts(of_set.out) == common_facts(of_pool.out));
  CHECK(holds(of_set.out, "\"shards\":3"));
  CHECK(holds(common_facts(of_set.out), "\"has_texts\":true"));
  CHECK_FALSE(holds(of_pool.out, "\"shards\":"));
  check_holds(inkling({"info", tiny.set}).out, {tiny.set + ": 20 documents", "words yes, ids yes"});

  const std::string first = "{\"next\": true}\n{\"rate\": 1, \"words\": [\"soil\"]}\n{\"skip\": true}\n{\"rate\": 0}\n";
  const std::string second = "{\"undo\": 1}\n{\"rate\": 1}\n{\"rate\": 0.5}\n{\"rate\": 1, \"document\": 19}\n";
  std::string shown;
  for (const std::string& lines : {first, second}) {
    const ProgramResult answers = succeeded(tiny.search(tiny.set, "of_set", lines));
    CHECK(answers.out == tiny.search(tiny.pool, "of_pool", lines).out);
    CHECK_FALSE(holds(answers.out, "error"));
    shown += answers.out;
  }
  CHECK(holds(shown, "\"text\":"));
  const auto work = [&tiny](const std::string& searched, const std::string& log) {
    std::string out = tiny.search(searched, log, "", {"--out", "-"}).out;
    for (std::size_t at = 0; (at = out.find("\"rated_at\":\"", at)) != std::string::npos;)
      out.erase(at, out.find("\"chosen\"", at) - at);
    return out;
  };
  CHECK(work(tiny.set, "of_set") == work(tiny.pool, "of_pool"));
  check_refused(tiny.search(tiny.parts.shard(1), "of_pool", first), 2, {"is one of another pool"});
  CHECK(succeeded(tiny.search(tiny.set, "of_pool", second)).out == tiny.search(tiny.pool, "of_set", second).out);
  check_refused(tiny.search(tiny.set, "shard1/log", first), 2, {"--searches"});
}

}  // namespace
}  // namespace inkling::test
