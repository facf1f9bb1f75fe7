// `inkling build`, `info`, `verify` and `export` as a user meets them.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

namespace fs = std::filesystem;

TEST_CASE_FIXTURE(InFolder, "the tiny corpus becomes a pool for info and verify and export") {
  const std::string pool = folder.file("tiny");
  const ProgramResult built = succeeded(inkling({"build", kTinyCorpus, "--out", pool, "--keep-text"}));
  CHECK(built.out.empty());
  check_holds(built.err, {"documents    20\n", "MB/s"});

  const ProgramResult info = succeeded(inkling({"info", pool}));
  check_holds(info.out, {"20 documents x 324 features", "gardening", "words yes, ids yes, labels yes, texts yes"});
  const ProgramResult json = inkling({"info", pool, "--json"});
  CHECK(json.out.starts_with(R"({"pool":")"));
  check_holds(json.out, {R"("documents":20,"features":324)", R"("recipe":{"sources":[)"});
  CHECK(json.out.ends_with("}\n"));

  CHECK(holds(succeeded(inkling({"verify", pool})).out, "intact. 20 documents, 324 features"));

  for (const std::string format : {"svmlight", "mtx", "npz"}) {
    CAPTURE(format);
    const std::string file = folder.file("tiny." + format);
    const std::string words = folder.file("words");
    CHECK(inkling({"export", pool, "--to", format, "--out", file}).exit_code == 0);
    CHECK(inkling({"export", pool, "--to", "words", "--out", words}).exit_code == 0);
    const std::string again = folder.file("again");
    CHECK(inkling({"build", file, "--format", format, "--vocabulary", words, "--force", "--out", again}).exit_code == 0);
    for (const std::string array : {"indptr.npy", "indices.npy", "data.npy", "by_feature/data.npy", "vocabulary.txt"})
      CHECK(text_of(fs::path(pool) / array) == text_of(fs::path(again) / array));
  }
}

TEST_CASE_FIXTURE(InFolder, "other fields of records are kept and listed and shown and left out on request") {
  const std::string source =
      write(folder.file("in.jsonl"),
            "{\"id\":\"a\",\"text\":\"gold mines\",\"year\":1999,\"authors\":[\"Ada\",\"Bob\\u001b[2J\"]}\n"
            "{\"id\":\"b\",\"text\":\"silver mines\",\"year\":2001}\n");
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", source, "--out", pool}).exit_code == 0);
  CHECK(holds(inkling({"info", pool}).out, "year (2), authors (1)"));
  CHECK(holds(inkling({"info", pool, "--json"}).out,
              R"("fields":[{"field":"year","documents":2},{"field":"authors","documents":1}])"));
  CHECK(holds(inkling({"show", pool, "0"}).out, "document 0: a\nyear: 1999\nauthors: Ada; Bob\\x1B[2J\n"));
  CHECK(holds(inkling({"show", pool, "0", "--json"}).out, R"("fields":{"year":"1999","authors":"Ada; Bob\u001b[2J"})"));
  CHECK(inkling({"verify", pool}).exit_code == 0);
  CHECK(inkling({"build", source, "--out", pool, "--force", "--no-fields"}).exit_code == 0);
  CHECK_FALSE(fs::exists(fs::path(pool) / "documents/fields.npy"));
  CHECK_FALSE(holds(inkling({"info", pool}).out, "  fields"));
}

TEST_CASE_FIXTURE(InFolder, "info describes the recipe of a pool and given options override --like-scikit-learn") {
  const std::string pool = folder.file("pool");
  struct Case {
    Args options;
    std::string features, weights;
  };
  const std::string runs = "; min-df-runs 3 (other runs count in the length of a row)";
  const std::string ours = "n-grams 1,2; title-weight 3; min-df 1; max-df 95%, or 19 documents if that is more" + runs;
  const std::string theirs = "n-grams 1; title-weight 1; min-df 1; max-df 100%";
  const std::string sublinear = "1 + ln(count) (tf sublinear) x idf (smooth), rows of length 1";
  const std::string raw = "count (tf raw) x idf (smooth), rows of length 1";
  for (const Case& made : std::vector<Case>{
           {{}, ours, sublinear},
           {{"--like-scikit-learn"}, theirs, raw},
           {{"--tf", "raw", "--title-weight", "1", "--ngrams", "1", "--max-df", "1.0"}, theirs, raw},
           {{"--like-scikit-learn", "--tf", "sublinear"}, theirs, sublinear},
           {{"--ngrams", "1,2", "--like-scikit-learn"}, "n-grams 1,2; title-weight 1; min-df 1; max-df 100%", raw},
           {{"--ngrams", "1,2", "--max-df", "9"}, "n-grams 1,2; title-weight 3; min-df 1; max-df 9" + runs, sublinear},
           {{"--ngrams", "1", "--max-df", "0.95", "--min-df", "2"},
            "n-grams 1; title-weight 3; min-df 2; max-df 95%",
            sublinear}}) {
    CAPTURE(made.features);
    REQUIRE(inkling(Args{"build", kTinyCorpus, "--force", "--out", pool} + made.options).exit_code == 0);
    const ProgramResult text = inkling({"info", pool});
    check_holds(text.out, {"tokens       words of 2+ characters, lower case, no stop words\n",
                           "features     " + made.features + "\n", "weights      " + made.weights + "\n"});
    CHECK(holds(inkling({"info", pool, "--json"}).out,
                R"("features":")" + made.features + R"(","weights":")" + made.weights + "\"}"));
  }
}

TEST_CASE_FIXTURE(InFolder, "a build with --json prints its summary as JSON on standard output") {
  const ProgramResult built = succeeded(inkling({"build", kTinyCorpus, "--out", folder.file("pool"), "--json"}));
  CHECK(built.err.empty());
  CHECK(built.out.starts_with(R"({"pool":")"));
  check_holds(built.out, {R"("documents":20)", R"("peak_memory_bytes":)"});
}

TEST_CASE_FIXTURE(InFolder, "labels choose documents and folders are read in order of their names") {
  for (const std::string topic : {"b", "a", "c"}) {
    std::filesystem::create_directories(folder.path() / "corpus" / topic);
    write(folder.file("corpus/" + topic + "/2"), "second of " + topic);
    write(folder.file("corpus/" + topic + "/1"), "first of " + topic);
  }
  REQUIRE(inkling({"build", folder.file("corpus"), "--topics", "a,c", "--out", folder.file("pool")}).exit_code == 0);
  CHECK(text_of(folder.file("pool/documents/ids.npy")).ends_with("a/1a/2c/1c/2"));
  CHECK(text_of(folder.file("pool/documents/label_names.txt")) == "a\nc\n");
}

TEST_CASE_FIXTURE(InFolder, "a dry run says what a build would take and writes nothing") {
  const ProgramResult plan = succeeded(inkling({"build", kTinyCorpus, "--out", folder.file("pool"), "--dry-run"}));
  check_holds(plan.out, {"Nothing was written", "on disk"});
  CHECK(folder.entries() == 0);
  CHECK(holds(inkling({"build", kTinyCorpus, "--dry-run", "--json"}).out, R"("pool_bytes":)"));
}

TEST_CASE_FIXTURE(InFolder, "one text is explained by its tokens and by the counts of a pool or of the sources") {
  const ProgramResult alone = succeeded(inkling({"build", "--explain", "The soil I dig", "--stop-words", "english"}));
  check_holds(alone.out, {"the  (stop word)", "i  (too short)"});
  const ProgramResult by_source = inkling({"build", kTinyCorpus, "--explain", "soil zebra", "--json"});
  check_holds(by_source.out, {R"({"term":"soil","count":1,"feature":)", R"({"term":"zebra","count":1,"weight":0})"});
  REQUIRE(inkling({"build", kTinyCorpus, "--out", folder.file("pool")}).exit_code == 0);
  CHECK(inkling({"build", "--out", folder.file("pool"), "--explain", "soil zebra", "--json"}).out == by_source.out);
}

TEST_CASE_FIXTURE(InFolder, "bad input is refused with its place and leaves the old pool as it was") {
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", kTinyCorpus, "--out", pool}).exit_code == 0);
  const std::string before = text_of(pool + "/manifest.json");
  struct Case {
    std::string name, text, place;
  };
  const std::vector<Case> cases = {
      {"bad.jsonl", "{\"text\":\"ok\"}\n{\"text\":3}\n", "bad.jsonl:2:"},
      {"bad.csv", "text,label\nok,a\nno,b,c\n", "bad.csv:3:"},
      {"bad.svm", "1 1:0.5\n1 2:nan\n", "bad.svm:2:5"},
      {"bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", "bad.mtx:3:"},
      {"bad.npz", "PK no archive", "bad.npz"},
  };
  for (const Case& bad : cases) {
    CAPTURE(bad.name);
    write(folder.file(bad.name), bad.text);
    const ProgramResult result = inkling({"build", folder.file(bad.name), "--out", pool, "--force", "--strict"});
    CHECK(result.exit_code == 3);
    CHECK(result.out.empty());
    CHECK(holds(result.err, bad.place));
    CHECK(std::ranges::count(result.err, '\n') == 1);
    CHECK(text_of(pool + "/manifest.json") == before);
  }
  const ProgramResult skipping = succeeded(inkling({"build", folder.file("bad.jsonl"), "--out", pool, "--force"}));
  CHECK(holds(skipping.err, "left out     1 record that could not be read (--strict refuses them)"));
  CHECK(holds(skipping.err, "inkling build: " + folder.file("bad.jsonl") + ":2: left out: expected"));
  CHECK(holds(succeeded(inkling({"info", pool})).out, "1 left out, unreadable (the first: expected"));
  CHECK(holds(succeeded(inkling({"info", pool, "--json"})).out, R"("left_out":1,"why":"expected)"));
}

TEST_CASE_FIXTURE(InFolder, "bad bytes are replaced and counted or refused with their place") {
  write(folder.file("latin.txt"), "caf\xE9 au lait\ngood words\n");
  const ProgramResult replaced =
      succeeded(inkling({"build", folder.file("latin.txt"), "--out", folder.file("pool"), "--encoding", "utf-8"}));
  CHECK(holds(replaced.err, "bad bytes    1 "));
  check_refused(
      inkling({"build", folder.file("latin.txt"), "--out", folder.file("other"), "--format", "lines", "--bad-bytes", "error"}), 3,
      {"latin.txt:1:4: "});
  CHECK_FALSE(std::filesystem::exists(folder.file("other")));
  CHECK(
      inkling({"build", folder.file("latin.txt"), "--out", folder.file("pool"), "--encoding", "latin-1", "--force"}).exit_code ==
      0);
  CHECK(holds(text_of(folder.file("pool/vocabulary.txt")), "caf\xC3\xA9\n"));
  const ProgramResult found = inkling({"build", folder.file("latin.txt"), "--out", folder.file("found")});
  CHECK(holds(found.err, "latin.txt: read as windows-1252 (detected; --encoding names another)"));
  CHECK(holds(text_of(folder.file("found/vocabulary.txt")), "caf\xC3\xA9\n"));
  check_refused(inkling({"build", folder.file("latin.txt"), "--out", folder.file("other"), "--encoding", "latin-99"}), 2,
                {"--encoding", "a name that ICU has"});
}

TEST_CASE_FIXTURE(InFolder, "a damaged pool is named with its file and exits 5") {
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", kTinyCorpus, "--out", pool}).exit_code == 0);
  std::string values = text_of(pool + "/data.npy");
  values[values.size() / 2] = static_cast<char>(values[values.size() / 2] ^ 1);
  write(pool + "/data.npy", values);
  for (const std::vector<std::string>& args : {std::vector<std::string>{"verify", pool}, {"info", pool}})
    check_refused(inkling(args), 5, {"data.npy"});
  std::filesystem::resize_file(pool + "/indices.npy", 200);
  check_refused(inkling({"info", pool, "--trust"}), 5, {"indices.npy: truncated"});
}

TEST_CASE_FIXTURE(InFolder, "a folder that is not a pool is never replaced") {
  std::filesystem::create_directory(folder.path() / "thesis");
  write(folder.file("thesis/chapter1"), "years of work");
  check_refused(inkling({"build", kTinyCorpus, "--out", folder.file("thesis")}), 4, {"not a pool"});
  CHECK(text_of(folder.file("thesis/chapter1")) == "years of work");
  CHECK(inkling({"build", kTinyCorpus, "--out", folder.file("missing/pool")}).exit_code == 4);
}

TEST_CASE_FIXTURE(InFolder, "contradictory options of build are refused in one line") {
  write(folder.file("data.bin"), "x");
  struct Case {
    std::vector<std::string> args;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{"build"}, "SOURCE"},
      {{"build", kTinyCorpus}, "--out"},
      {{"build", folder.file("data.bin"), "--out", "p"}, "--format"},
      {{"build", kTinyCorpus, "--out", "p", "--ngrams", "2,1"}, "--ngrams"},
      {{"build", kTinyCorpus, "--out", "p", "--min-df", "1.5"}, "--min-df"},
      {{"build", kTinyCorpus, "--out", "p", "--max-df", "nan"}, "--max-df"},
      {{"build", kTinyCorpus, "--out", "p", "--memory", "12"}, "at least 128M"},
      {{"build", kTinyCorpus, "--out", "p", "--memory", "-1"}, "--memory"},
      {{"build", "a.svm", "--out", "p", "--tokens", "letters"}, "--tokens"},
      {{"build", "a.svm", "--out", "p", "--like-scikit-learn"}, "--like-scikit-learn"},
      {{"export", "p", "--to", "pdf", "--out", "x"}, "--to"},
  };
  for (const Case& wrong : cases) {
    CAPTURE(wrong.message);
    check_refused(inkling(wrong.args), 2, {wrong.message});
  }
}

}  // namespace
}  // namespace inkling::test
