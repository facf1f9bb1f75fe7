// `inkling search` on a pipe, as other programs use it.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/read_documents.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

// A folder with the pool that is searched; the files live as long as this object.
struct Piped {
  // `inkling search POOL ARGS < LINES`
  [[nodiscard]] ProgramResult search(const std::string& lines, const Args& args = {}) const {
    const std::string input = write(folder.file("lines"), lines);
    const Args shell = {"-c", R"(exec "$0" search "$@" < "$INPUT")", kInklingProgram, pool};
    return run_program("/bin/sh", shell + args, {"INPUT=" + input});
  }

  TemporaryFolder folder;
  std::string pool = folder.file("pool");
};

// A pool of the tiny corpus.
struct PipedPool : Piped {
  PipedPool() { succeeded(inkling({"build", kTinyCorpus, "--keep-text", "--out", pool})); }
};

// A file of records instead of a pool.
struct PipedRecords : Piped {
  explicit PipedRecords(const std::string& records) { write(pool, records); }
};

const std::string kNext = "{\"next\": true}\n";

struct InPipedPool {
  const PipedPool searched;
};

TEST_CASE_FIXTURE(InPipedPool, "a search on a pipe goes on where it ended and shows the same as one without a break") {
  const std::string first = kNext + "{\"rate\": 1, \"words\": [\"soil\"]}\n{\"skip\": true}\n";
  const std::string second = kNext + "{\"rate\": 0}\n{\"undo\": 1}\n";
  const ProgramResult whole = succeeded(searched.search(first + second, {"--searches", searched.folder.file("whole")}));
  REQUIRE(lines_in(whole.out).size() == 6);
  const std::string part = succeeded(searched.search(first)).out;
  CHECK(part + searched.search(second).out == whole.out);
  CHECK(searched.search(kNext, {"--searches", searched.pool + ".search"}).out ==
        lines_in(whole.out).back().substr(0, lines_in(whole.out).back().find(",\"answered\"")) + "}\n");
}

constexpr const char* kThreeRecords = "id,text\na,gold and silver\nb,roses and soil\nc,gold mines\n";

TEST_CASE("a file of records is searched through a pool that is made beside it once") {
  const PipedRecords searched(kThreeRecords);
  const ProgramResult first = succeeded(searched.search("{\"rate\": 1, \"document\": \"c\"}\n"));
  CHECK(holds(first.err, searched.pool + ".pool: 3 documents of"));
  CHECK(lines_in(first.out).size() == 1);
  const ProgramResult again = searched.search("{\"progress\": true}\n");
  CHECK(again.err.empty());
  CHECK(holds(again.out, "\"rated\":1,\"good\":1"));
  CHECK(holds(succeeded(inkling({"sessions", searched.pool})).out, "1 rating in"));
}

TEST_CASE("records in Chinese are searched by their words") {
  const PipedRecords records("{\"text\":\"第一年出产了两千盎司黄金。\"}\n{\"text\":\"同年白银价格下跌。\"}\n");
  CHECK(holds(succeeded(records.search("{\"next\":true}\n", {"--words", "黄金"})).out, "黄金"));
  CHECK(holds(inkling({"info", records.pool + ".pool"}).out, "by dictionary where no blanks stand"));
  const ProgramResult whole = inkling({"build", records.pool, "--out", records.folder.file("whole")});
  CHECK(holds(whole.err, "--tokens dictionary makes them words"));
}

TEST_CASE("a changed file of records gets a new pool or new records in its pool if that has searches") {
  const PipedRecords searched(kThreeRecords);
  const std::string pool = searched.pool + ".pool";
  REQUIRE(searched.search("").exit_code == 0);
  std::filesystem::remove(pool + ".search");
  write(searched.pool, std::string(kThreeRecords) + "d,more gold\n");
  CHECK(holds(searched.search(kNext).err, ".pool: 4 documents of"));
  REQUIRE(searched.search("{\"rate\": 1, \"document\": \"d\"}\n").exit_code == 0);
  write(searched.pool, "id,text\ne,\"silver, gold and roses\"\na,gold and silver\n");
  const ProgramResult more = succeeded(searched.search("{\"progress\": true}\n{\"rate\": 0, \"document\": \"e\"}\n"));
  CHECK(holds(more.err, "5 documents, 1 of them new; 1 were there already"));
  CHECK(holds(lines_in(more.out).front(), "\"rated\":1,\"good\":1"));
  CHECK(holds(inkling({"info", pool}).out, "5 documents"));
}

TEST_CASE("a file without records is refused with what to do and leaves nothing behind") {
  const PipedRecords searched("PAR1\x15");
  check_refused(searched.search(kNext), 3, {"a Parquet file"});
  write(searched.pool, "just a line\nand another\n");
  check_refused(searched.search(kNext), 2, {"inkling build"});
  CHECK(searched.folder.entries() == 2);  // the file and the lines of the pipe
}

TEST_CASE_FIXTURE(InPipedPool, "the documents of a search are exported with the best first") {
  REQUIRE(searched
              .search("{\"rate\": 0.5, \"document\": 3}\n{\"rate\": 0.25, \"document\": 4}\n"
                      "{\"rate\": 1, \"document\": 5}\n")
              .exit_code == 0);
  const ProgramResult found = succeeded(searched.search("", {"--out", "-", "--which", "good"}));
  REQUIRE(lines_in(found.out).size() == 2);
  CHECK(lines_in(found.out)[0].starts_with("{\"id\":\""));
  CHECK(holds(lines_in(found.out)[0], "\"rating\":1,\"included\":1,"));
  CHECK(holds(lines_in(found.out)[1], "\"rating\":0.5,\"included\":1,"));
  CHECK(lines_in(searched.search("", {"--out", "-"}).out).size() == 3);
  CHECK(lines_in(searched.search("", {"--out", "-", "--which", "unread"}).out).size() == 17);
  CHECK(searched.search("", {"--out", searched.pool + ".search"}).exit_code == 2);
  check_refused(searched.search("", {"--out", searched.folder.file("found.txt")}), 2,
                {"expected a name that ends in .csv, .jsonl, .ris or .xlsx"});
}

// Records of a review, two of them already screened.
struct Reviewed {
  Reviewed() {
    write(source,
          "{\"id\":\"a\",\"title\":\"Gold mines\",\"abstract\":\"ounces of "
          "gold\",\"year\":1999,\"doi\":\"10.1/a\",\"authors\":[\"Ada\",\"Bob\"],\"included\":\"1\"}\n"
          "{\"id\":\"b\",\"title\":\"=1+1\",\"abstract\":\"silver, \\\"sterling\\\"\",\"year\":2001,\"included\":\"0\"}\n"
          "{\"id\":\"c\",\"title\":\"Copper\",\"abstract\":\"wires\",\"note\":\"old\",\"included\":\"\"}\n"
          "{\"id\":\"d\",\"title\":\"Gold rush\",\"abstract\":\"ounces\",\"included\":\"-1\"}\n");
  }
  [[nodiscard]] ProgramResult build(const Args& args = {}) const {
    return inkling(Args{"build", source, "--out", pool, "--keep-text", "--text-field", "title,abstract"} + args);
  }
  [[nodiscard]] static ProgramResult search(const Args& args, const std::string& lines = {}) {
    return run_program("/bin/sh", Args{"-c", R"(printf '%s' "$LINES" | exec "$0" search "$@")", kInklingProgram} + args,
                       {"LINES=" + lines});
  }

  TemporaryFolder folder;
  std::string source = folder.file("in.jsonl");
  std::string pool = folder.file("pool");
};

struct InReviewed {
  const Reviewed reviewed;
};

TEST_CASE_FIXTURE(InReviewed, "records are exported with all answers in every format") {
  CHECK(holds(succeeded(reviewed.build()).err, "the field included holds ratings"));
  const ProgramResult told =
      Reviewed::search({reviewed.pool},
                       "{\"query\": [\"gold\", {\"word\": \"copper\", \"rate\": -0.5}]}\n"
                       "{\"rate\": 0.75, \"document\": \"a\", \"words\": [{\"word\": \"ounces\", "
                       "\"confidence\": 0.5}, {\"word\": \"mines\", \"rate\": -1}], \"note\": \"a, b\"}\n"
                       "{\"rate\": 0, \"document\": \"b\", \"tags\": [\"animals\", \"no, not it\"]}\n{\"tags\": true}\n");
  CHECK(holds(told.out, "{\"tags\":[{\"tag\":\"animals\",\"documents\":1},{\"tag\":\"no, not it\",\"documents\":1}]}"));
  const std::string none = reviewed.folder.file("none.csv");
  REQUIRE(Reviewed::search({reviewed.pool, "--searches", reviewed.folder.file("none.search")}).exit_code == 0);
  REQUIRE(Reviewed::search({reviewed.pool, "--searches", reviewed.folder.file("none.search"), "--out", none}).exit_code == 0);
  CHECK(text_of(none) == "id,rating,included,words_for,words_against,tags,note,rated_at,chosen\r\n");
  CHECK(holds(told.err, "the field included holds ratings; --rated-by included"));
  const std::string csv = reviewed.folder.file("work.csv");
  succeeded(Reviewed::search({reviewed.pool, "--out", csv}));
  const std::vector<std::string> rows = lines_in(text_of(csv));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] ==
        "id,title,year,doi,authors,abstract,rating,included,words_for,words_against,looked_for,tags,note,rated_at,chosen\r");
  CHECK(rows[1].starts_with(
      "a,Gold mines,1999,10.1/a,\"Ada; Bob\",ounces of gold,0.75,1,ounces (0.5),mines,\"gold; copper (-0.5)\",,\"a, b\",20"));
  CHECK(rows[1].ends_with("Z,score\r"));
  CHECK(rows[2].starts_with("b,'=1+1,2001,,,\"silver, \"\"sterling\"\"\",0,0,,,,\"animals; no, not it\",,20"));
  const std::string ris = reviewed.folder.file("work.ris");
  REQUIRE(Reviewed::search({reviewed.pool, "--out", ris}).exit_code == 0);
  CHECK(text_of(ris).starts_with(
      "TY  - JOUR\r\nN1  - ASReview_relevant\r\nID  - a\r\nAB  - ounces of gold\r\nTI  - Gold mines\r\nPY  - 1999\r\n"
      "DO  - 10.1/a\r\nAU  - Ada\r\nAU  - Bob\r\nN1  - a, b\r\nN1  - inkling_fields: {\"rating\":0.75,\"included\":1,"
      "\"words_for\":[{\"feature\":\"ounces\",\"confidence\":0.5}],"));
  check_holds(text_of(ris), {"N1  - ASReview_irrelevant\r\n", R"("tags":["animals","no, not it"])"});
  const std::string unread = reviewed.folder.file("unread.csv");
  REQUIRE(inkling({"sessions", reviewed.pool, "--write", "work", "--which", "unread", "--out", unread}).exit_code == 0);
  CHECK(lines_in(text_of(unread)).size() == 3);
  CHECK(holds(text_of(unread), "note_before"));
}

TEST_CASE_FIXTURE(InReviewed, "an export teaches the same as the search in a pool that was built again") {
  REQUIRE(reviewed.build().exit_code == 0);
  REQUIRE(Reviewed::search({reviewed.pool},
                           "{\"query\": [\"gold\", {\"word\": \"copper\", \"rate\": -0.5}]}\n"
                           "{\"rate\": 0.75, \"document\": \"a\", \"words\": [{\"word\": \"ounces\", "
                           "\"confidence\": 0.5}, {\"word\": \"mines\", \"rate\": -1}]}\n"
                           "{\"rate\": 0, \"document\": \"b\"}\n")
              .exit_code == 0);
  const std::string ratings = reviewed.folder.file("ratings.jsonl");
  REQUIRE(inkling({"sessions", reviewed.pool, "--write", "ratings", "--out", ratings}).exit_code == 0);
  const std::string scores = inkling({"score", reviewed.pool, "--events", ratings, "--out", "-"}).out;
  REQUIRE_FALSE(scores.empty());
  for (const std::string name : {"work.csv", "work.jsonl", "work.xlsx"}) {
    CAPTURE(name);
    const std::string file = reviewed.folder.file(name);
    REQUIRE(Reviewed::search({reviewed.pool, "--out", file}).exit_code == 0);
    const ProgramResult again = inkling({"score", reviewed.pool, "--events", file, "--out", "-"});
    CAPTURE(again.err);
    CHECK(again.out == scores);
    const ProgramResult imported =
        Reviewed::search({reviewed.pool, "--searches", reviewed.folder.file(name + ".search"), "--import", file},
                         "{\"progress\": true}\n{\"words\": true}\n");
    CAPTURE(imported.err);
    check_holds(imported.out, {"\"rated\":2,\"good\":1", "\"word\":\"copper\""});
  }
  const std::string everything = reviewed.folder.file("work.jsonl");
  const std::string other = reviewed.folder.file("other");
  REQUIRE(inkling({"build", everything, "--out", other, "--rated-by", "rating"}).exit_code == 0);
  CHECK(holds(Reviewed::search({other}, "{\"progress\": true}\n").out, "\"rated\":2,\"good\":1"));
}

TEST_CASE_FIXTURE(InReviewed, "a pool built from an export in any format has every field and goes on with the ratings") {
  write(reviewed.source,
        "{\"id\":\"a\",\"title\":\"Gold mines\",\"abstract\":\"ounces \\u0007 of gold\",\"year\":1999,\"DOI\":\"10.1/a\","
        "\"authors\":[\"Ada\",\"Bob; C\"],\"AU\":[\"Ad "
        "A\"],\"VL\":\"85\",\"N1\":[\"seen\",\"ASReview_irrelevant\"],\"colour\":\"=red_x0041_\","
        "\"lines\":\"one\\ntwo\",\"url\":\"https://a.org\",\"Year\":\"later\",\"number\":12345678901234567890}\n"
        "{\"id\":\"b\",\"title\":\"=1+1\",\"abstract\":\"silver\"}\n");
  REQUIRE(reviewed.build().exit_code == 0);
  REQUIRE(Reviewed::search({reviewed.pool},
                           "{\"rate\": 0.75, \"document\": \"a\", \"words\": [\"ounces\"], \"note\": \"a, b\"}\n"
                           "{\"rate\": 0, \"document\": \"b\"}\n")
              .exit_code == 0);
  for (const std::string ending : {"csv", "jsonl", "ris", "xlsx"}) {
    CAPTURE(ending);
    const std::string file = reviewed.folder.file("work." + ending);
    REQUIRE(Reviewed::search({reviewed.pool, "--out", file}).exit_code == 0);
    const std::string other = reviewed.folder.file("other-" + ending);
    succeeded(inkling({"build", file, "--out", other, "--keep-text", "--rated-by", "rating"}));
    CHECK(holds(Reviewed::search({other}, "{\"progress\": true}\n").out, "\"rated\":2,\"good\":1"));
    const std::vector<std::string> records = lines_in(Reviewed::search({other, "--out", "-"}).out);
    REQUIRE(records.size() == 2);
    const std::string& record = records[0];
    const bool is_ris = ending == "ris";
    for (const std::string part :
         {"\"id\":\"a\"", "\"title\":\"Gold mines\"", "\"abstract\":\"ounces \\u0007 of gold\"", "1999", "10.1/a", "Ada",
          "Bob; C", "Ad A", "85", "seen", "=red_x0041_", "one\\ntwo", "https://a.org", "later", "12345678901234567890", "ounces",
          "\"note_before\":\"a, b\"", "\"rating\":0.75,\"included\":1", "\"chosen_before\":\"named\""}) {
      CAPTURE(part);
      CHECK(holds(record, part));
    }
    CHECK(holds(record, "ASReview_irrelevant") != is_ris);
    if (is_ris) CHECK(holds(record, "\"authors\":[\"Ada\",\"Bob; C\"]"));
    CHECK(holds(records[1], "\"title\":\"=1+1\""));
  }
}

TEST_CASE_FIXTURE(InPipedPool, "options about text are refused for a workbook by name") {
  REQUIRE(searched.search("{\"rate\": 1, \"document\": 3}\n").exit_code == 0);
  const std::string file = searched.folder.file("work.xlsx");
  REQUIRE(searched.search("", {"--out", file}).exit_code == 0);
  for (const Args& option : {Args{"--encoding", "latin-1"}, Args{"--delimiter", "semicolon"}}) {
    check_refused(inkling(Args{"build", file, "--out", searched.folder.file("other")} + option), 2,
                  {option.front(), "work.xlsx' is a workbook, which needs none"});
  }
}

TEST_CASE_FIXTURE(InReviewed, "a value longer than a cell is in two cells, which are one again where it is read") {
  write(reviewed.source,
        "{\"id\":\"a\",\"title\":\"Gold\",\"abstract\":\"mines\",\"long\":\"" + std::string(32768, 'x') + "\"}\n");
  REQUIRE(reviewed.build().exit_code == 0);
  REQUIRE(Reviewed::search({reviewed.pool}, "{\"rate\": 1, \"document\": \"a\"}\n").exit_code == 0);
  const std::string file = reviewed.folder.file("work.xlsx");
  REQUIRE(Reviewed::search({reviewed.pool, "--out", file}).exit_code == 0);
  const test::ReadDocuments read = test::read_documents({file}, {.format = "csv"});
  REQUIRE(read.documents.size() == 1);
  CHECK(holds(read.documents[0].fields, "\"long\":\"" + std::string(32768, 'x') + "\",\""));
  CHECK_FALSE(holds(read.documents[0].fields, "continued"));
}

TEST_CASE("a review that was begun in ASReview or Rayyan goes on with its ratings") {
  const std::string head = "TY  - JOUR\nTI  - ";
  struct Begun {
    std::string name, field, bytes;
  };
  const std::vector<Begun> all = {
      {"asreview.csv", "asreview_label",
       "title,abstract,asreview_label,asreview_time,asreview_note\nGold,a,1,2025-01-01,x\nSilver,b,0,2025-01-01,\nCopper,c,,,\n"},
      {"older.csv", "included", "title,abstract,included\nGold,a,1.0\nSilver,b,0.0\nCopper,c,-1\nTin,d,\n"},
      {"asreview.ris", "N1",
       head + "Gold\nN1  - ASReview_relevant\nN1  - asreview_time: \"2025-01-01\"\nER  - \n" + head +
           "Silver\nN1  - <p>ASReview_irrelevant</p>\nER  - \n" + head + "Copper\nN1  - ASReview_not_seen\nER  - \n" + head +
           "Tin\nER  - \n"},
      {"rayyan.csv", "notes",
       "key,title,year,authors,abstract,notes,doi\n1,Gold,2001,A,a,\"RAYYAN-INCLUSION: {\"\"Ann\"\"=>\"\"Included\"\"} | "
       "RAYYAN-LABELS: x\",\n2,Silver,2002,B,b,\"RAYYAN-INCLUSION: {\"\"Ann\"\"=>\"\"Excluded\"\"} | RAYYAN-EXCLUSION-REASONS: "
       "y\",\n3,Copper,2003,C,c,\"RAYYAN-INCLUSION: {\"\"Ann\"\"=>\"\"Maybe\"\"}\",\n4,Tin,2004,D,d,,\n"},
      {"rayyan.ris", "N1",
       head + "Gold\nN1  - RAYYAN-INCLUSION: {\"Ann\"=>\"Included\"}\nER  - \n" + head +
           "Silver\nN1  - seen\nN1  - RAYYAN-INCLUSION: {\"Ann\"=>\"Excluded\"}\nER  - \n" + head + "Copper\nER  - \n"}};
  for (const Begun& begun : all) {
    CAPTURE(begun.name);
    const TemporaryFolder folder;
    const std::string file = write(folder.file(begun.name), begun.bytes);
    CHECK(holds(Reviewed::search({file, "--searches", folder.file("other.search")}).err, "--rated-by " + begun.field));
    const ProgramResult went_on = Reviewed::search({file, "--rated-by", begun.field}, "{\"progress\": true}\n");
    CAPTURE(went_on.err);
    CHECK(holds(went_on.out, "\"rated\":2,\"good\":1"));
    const std::string csv = folder.file("work.csv");
    REQUIRE(Reviewed::search({file, "--out", csv}).exit_code == 0);
    const std::vector<std::string> rows = lines_in(text_of(csv));
    REQUIRE(rows.size() == 3);
    check_holds(rows[1], {"Gold", ",1,1,"});
    check_holds(rows[2], {"Silver", ",0,0,"});
  }
}

TEST_CASE_FIXTURE(InReviewed, "an invalid file of answers is refused with its line") {
  REQUIRE(reviewed.build().exit_code == 0);
  const auto problem_of = [&](const std::string& text) {
    const std::string file = write(reviewed.folder.file("bad.csv"), text);
    return inkling({"score", reviewed.pool, "--events", file, "--out", "-"}).err;
  };
  CHECK(holds(problem_of("id,year\na,1\n"), "bad.csv:1:1: expected events as JSON lines, or a table"));
  CHECK(holds(problem_of("id,rating\na,1\nb\n"), "bad.csv:3:1: expected 2 fields, found 1"));
  CHECK(holds(problem_of("id,rating\n\"a\",good\n"), "bad.csv:2:1: expected a number as the rating"));
  CHECK(holds(problem_of("id,rating\nx,1\n"), "bad.csv:2:"));
  CHECK(holds(problem_of("id,rating,words_for\na,1,nothing\n"), "expected a word of the pool's vocabulary"));
}

TEST_CASE_FIXTURE(InReviewed, "ratings in records begin a search as one import") {
  REQUIRE(reviewed.build({"--rated-by", "included"}).exit_code == 0);
  const ProgramResult gone_on = Reviewed::search({reviewed.pool}, "{\"progress\": true}\n{\"found\": true}\n{\"events\": 100}\n");
  CAPTURE(gone_on.err);
  check_holds(gone_on.out, {"\"rated\":2,\"good\":1", "{\"documents\":[{\"document\":0,\"id\":\"a\",\"rating\":1}]}"});
  check_refused(reviewed.build({"--rated-by", "included", "--force"}), 2, {"expected no searches of this pool yet"});
  CHECK(Reviewed::search({reviewed.pool, "--rated-by", "included"}).exit_code == 2);
  const ProgramResult other =
      Reviewed::search({reviewed.pool, "--name", "other", "--rated-by", "included"}, "{\"progress\": true}\n");
  CHECK(holds(other.out, "\"rated\":2,\"good\":1"));
  const ProgramResult none = Reviewed::search({reviewed.pool, "--name", "none", "--rated-by", "includet"});
  CHECK(none.exit_code != 0);
  check_holds(none.err, {"expected a field of the records", "did you mean included"});
  CHECK(holds(Reviewed::search({reviewed.pool, "--name", "none", "--rated-by", "title"}).err,
              "expected 0 or 1, yes or no, included or excluded, or nothing, found \"Gold mines\" in document 0"));
}

TEST_CASE_FIXTURE(InPipedPool, "a search can only go on with the policy and seed and pool that it began with") {
  REQUIRE(searched.search(kNext, {"--policy", "soft-marks", "--seed", "5"}).exit_code == 0);
  CHECK(searched.search(kNext).exit_code == 0);
  CHECK(searched.search(kNext, {"--policy", "soft-marks", "--seed", "5"}).exit_code == 0);
  check_refused(searched.search(kNext, {"--policy", "ff-oful"}), 2,
                {"--policy: the search \"search\" was begun with soft-marks: expected --policy soft-marks"});
  check_refused(searched.search(kNext, {"--seed", "6"}), 2,
                {"--seed: the search \"search\" was begun with 5: expected --seed 5"});
  const std::string other = searched.folder.file("other");
  REQUIRE(inkling({"build", kTinyCorpus, "--min-df", "2", "--out", other}).exit_code == 0);
  check_refused(run_program("/bin/sh", {"-c", R"(exec "$0" search "$@" < /dev/null)", kInklingProgram, other, "--searches",
                                        searched.pool + ".search"}),
                2, {"is one of another pool"});
}

TEST_CASE_FIXTURE(InPipedPool, "one file keeps several searches by name and a new one may begin with events") {
  REQUIRE(searched.search(kNext, {"--name", "one"}).exit_code == 0);
  const std::string events = write(searched.folder.file("events.jsonl"),
                                   "{\"document\": 0, \"reward\": 1, \"features\": [\"soil\"]}\n"
                                   "{\"document\": 2, \"reward\": 0}\n");
  const ProgramResult imported = searched.search("{\"progress\": true}\n", {"--name", "two", "--import", events});
  CAPTURE(imported.err);
  CHECK(holds(imported.out, "\"rated\":2,\"good\":1"));
  CHECK(searched.search("", {"--name", "two", "--import", events}).exit_code == 2);
  CHECK(holds(searched.search("{\"progress\": true}\n", {"--name", "two"}).out, "\"rated\":2"));
  check_refused(searched.search(kNext), 2, {"keeps 2 searches: expected --name with one of one, two"});
}

TEST_CASE_FIXTURE(InPipedPool, "a search goes on by its id as by its name") {
  succeeded(searched.search(kNext, {"--name", "ann"}));
  succeeded(searched.search("{\"rate\": 1}\n", {"--name", "ben"}));
  const std::string listed = succeeded(inkling({"sessions", searched.pool, "--name", "ben", "--json"})).out;
  const std::size_t id = listed.find("\"id\":\"") + 6;
  const Args by_id = {"--name", listed.substr(id, listed.find('"', id) - id)};
  CHECK(holds(succeeded(searched.search("{\"progress\": true}\n", by_id)).out, "\"rated\":1"));
  CHECK(lines_in(succeeded(inkling({"sessions", searched.pool, "--json"})).out).size() == 2);
}

TEST_CASE("an export before any search says that there is none") {
  const PipedRecords searched(kThreeRecords);
  const ProgramResult result = searched.search("", {"--out", searched.folder.file("work.csv")});
  CHECK(result.exit_code == 2);
  CHECK(holds(result.err, searched.pool + ".pool: no search of it was begun yet"));
}

TEST_CASE_FIXTURE(InPipedPool,
                  "a search may begin with words that are kept and repeated without harm and exported and imported") {
  const ProgramResult begun = succeeded(searched.search(kNext, {"--words", "soil, -the"}));
  const ProgramResult again = succeeded(searched.search(kNext + "{\"words\": true}\n", {"--words", "soil, -the"}));
  CHECK(lines_in(again.out).front() == lines_in(begun.out).front());
  check_holds(again.out, {"\"word\":\"soil\"", "\"marked\":-1,\"query\":true"});
  check_refused(searched.search(kNext, {"--words", "rope"}), 2,
                {"--words: the search \"search\" is there already and does not look for all of these"});
  const std::string events = searched.folder.file("events.jsonl");
  REQUIRE(inkling({"sessions", searched.pool, "--write", "ratings", "--out", events}).exit_code == 0);
  CHECK(holds(text_of(events), ",\"reward\":-1}]}\n"));
  const ProgramResult imported = searched.search(kNext, {"--name", "two", "--import", events});
  CAPTURE(imported.err);
  CHECK(imported.out == begun.out);
  CHECK(holds(inkling({"sessions", searched.pool}).out, "0 ratings and 2 words in 2 events"));
  CHECK(inkling({"score", searched.pool, "--events", events}).exit_code == 0);
}

TEST_CASE_FIXTURE(InPipedPool, "a search begins with the words that its pool has and reports those that it leaves out") {
  for (const std::string wrong : {"composst", "-", "composst, -zzzz"})
    check_refused(searched.search(kNext, {"--words", wrong}), 2, {"--words: expected words of the pool between commas, found "});
  CHECK(holds(searched.search(kNext, {"--words", "composst"}).err, "did you mean \"compost\"?"));
  CHECK(inkling({"sessions", searched.pool}).out.empty());
  const ProgramResult begun = succeeded(searched.search(kNext + "{\"words\": true}\n", {"--words", "soil composst, -zzzz"}));
  CHECK(holds(begun.err, "begins without \"composst\" (in no document; did you mean \"compost\"?), \"zzzz\" (in no document)\n"));
  CHECK(holds(begun.out, "\"word\":\"soil\""));
  CHECK(searched.search(kNext, {"--words", "soil composst"}).exit_code == 0);  // the same words again
}

TEST_CASE_FIXTURE(InPipedPool, "policies that cannot search are refused by name and an invalid line is answered by an error") {
  check_refused(searched.search(kNext, {"--policy", "oful-subset"}), 2, {"--policy"});
  const ProgramResult wrong = succeeded(searched.search("{\"rate\": tru}\n" + kNext));
  REQUIRE(lines_in(wrong.out).size() == 2);
  CHECK(lines_in(wrong.out)[0].starts_with("{\"error\":\"column 10"));
}

TEST_CASE_FIXTURE(InPipedPool, "an answer that cannot be written ends a search with an error but its rating is kept") {
  const std::string lines = write(searched.folder.file("lines"), "{\"rate\": 1, \"document\": 3}\n");
  const Args shell = {"-c", R"(exec "$0" search "$1" < "$2" > /dev/full)", kInklingProgram, searched.pool, lines};
  check_refused(run_program("/bin/sh", shell), 4, {"standard output: cannot write"});
  CHECK(holds(searched.search("{\"progress\": true}\n").out, "\"rated\":1,\"good\":1"));
}

TEST_CASE_FIXTURE(InPipedPool, "a search keeps its settings and refuses those that its policy does not use") {
  const std::string rate = "{\"rate\": 1, \"document\": 0, \"words\": [\"soil\"]}\n";
  const ProgramResult plain = searched.search(rate, {"--name", "plain", "--policy", "ff-oful"});
  const ProgramResult ridge = searched.search(rate, {"--name", "ridge", "--policy", "ff-oful", "--ridge", "8"});
  REQUIRE(plain.exit_code == 0);
  REQUIRE(ridge.exit_code == 0);
  const std::string words = "{\"words\": true}\n";
  CHECK(searched.search(words, {"--name", "plain"}).out != searched.search(words, {"--name", "ridge"}).out);
  CHECK(searched.search(words, {"--name", "ridge", "--ridge", "8"}).exit_code == 0);
  check_refused(searched.search(words, {"--name", "ridge", "--ridge", "4"}), 2, {"was begun with the model {\"ridge\":8}"});
  check_refused(searched.search(words, {"--name", "new", "--mark-probability", "0.5"}), 2,
                {"--mark-probability: expected with the policy soft-marks"});
  CHECK(holds(searched.search(words).err, "plain, ridge"));  // the refused one was not begun
}

}  // namespace
}  // namespace inkling::test
