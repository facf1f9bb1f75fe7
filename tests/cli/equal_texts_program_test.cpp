// Repeated records: ids must differ, and a text of several documents is offered once.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/io/small_sets.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

std::string record(const std::string& id, const std::string& text) {
  return fmt::format("{{\"id\":\"{}\",\"text\":\"{}\"}}\n", id, text);
}

// Five records with three texts: the last two repeat the first text, one of them with other blanks.
const std::string kThreeTexts = record("a", "dig the soil") + record("b", "cold sea") + record("", "a cold wind") +
                                record("c", "dig the soil") + record("d", " dig  the\\nsoil ");

ProgramResult search(const TemporaryFolder& folder, const std::string& pool, const std::string& lines, const Args& more = {}) {
  const std::string input = write(folder.file("lines"), lines);
  Args args = {"-c", R"(input="$1"; shift; exec "$0" "$@" < "$input")", kInklingProgram, input, "search", pool};
  return run_program("/bin/sh", args + more);
}

struct Repeated {
  Repeated() { REQUIRE(inkling({"build", source, "--keep-text", "--out", pool}).exit_code == 0); }

  TemporaryFolder folder;
  std::string source = write(folder.file("five.jsonl"), kThreeTexts);
  std::string pool = folder.file("pool");
};

TEST_CASE("a second record with the same id is refused with the places of both in every format") {
  const TemporaryFolder folder;
  const auto refusal = [&folder](const std::vector<std::string>& sources) {
    const ProgramResult built = inkling(Args{"build", "--strict", "--out", folder.file("pool")} + sources);
    CHECK(built.exit_code == 3);
    CHECK_FALSE(std::filesystem::exists(folder.file("pool")));
    return built.err;
  };
  const auto file = [&folder](const std::string& name, const std::string& text) { return write(folder.file(name), text); };
  const std::string one = file("one.jsonl", record("a", "x y") + "\n" + record("b", "two words"));
  const std::string two = file("two.jsonl", record("", "no id") + record("", "no id either") + record("b", "three"));
  CHECK(holds(refusal({one, two}), two + ":3: expected another id than \"b\", which " + one + ":3 has"));
  const std::string table = file("table.csv", "id,text\r\n7,\"a text\r\nof two lines\"\r\n8,another\r\n7,the third\r\n");
  CHECK(holds(refusal({table}), table + ":5: expected another id than \"7\", which " + table + ":2 has"));
  const std::string ris =
      file("references.ris", "TY  - JOUR\nID  - 12\nTI  - Soil\nER  - \n\nTY  - JOUR\nID  - 12\nTI  - Sea\nER  - \n");
  CHECK(holds(refusal({ris}), ris + ":6: expected another id than \"12\", which " + ris + ":1 has"));
  std::string many;
  for (int n = 0; n < 40'000; ++n) many += record(std::to_string(n == 39'000 ? 31 : n), "some words");
  const std::string large = file("many.jsonl", many);
  CHECK(holds(refusal({large, "--threads", "2"}), large + ":39001: expected another id than \"31\", which " + large + ":32 has"));
  for (const char* const name : {"in", "out"}) std::filesystem::create_directory(folder.path() / name);
  file("in/x.txt", "one");
  file("out/x.txt", "two");
  const std::string folders = refusal({folder.file("in"), folder.file("out")});
  CHECK(holds(folders, folder.file("out/x.txt") + ": expected another id than \"x.txt\", which " + folder.file("in/x.txt") +
                           " has; ids must differ: name the folder in which both lie"));
  const ProgramResult piped = run_program("/bin/sh", {"-c", "cat \"$2\" | \"$0\" build - --strict --format jsonl --out \"$1\"",
                                                      kInklingProgram, folder.file("pool"), large});
  CHECK(holds(piped.err, "document 39000: expected another id than that of document 31 (counted from 0)"));
}

TEST_CASE_FIXTURE(InFolder, "a second record with the same id is kept without an id, and one line says how many") {
  const std::string twice = write(folder.file("twice.jsonl"), record("a", "x y") + record("b", "two") + record("a", "three") +
                                                                  record("", "none") + record("a", "four"));
  const Args build = {"build", twice, "--out", folder.file("pool"), "--keep-text", "--force"};
  const ProgramResult built = succeeded(inkling(build));
  CHECK(holds(built.err, "2 records were kept without an id, because an earlier record has it (the first is " + twice +
                             ":3: \"a\", which " + twice + ":1 has; --strict refuses them)"));
  CHECK(holds(built.err, "without id   2 records with the id of an earlier one"));
  CHECK(inkling({"verify", folder.file("pool")}).exit_code == 0);
  CHECK(holds(inkling({"show", folder.file("pool"), "b"}).out, "two"));
  CHECK(holds(inkling(build + Args{"--json"}).out, "\"repeated_ids\":2,\"remarks\":[\"2 records were kept"));
  std::string many;
  for (int n = 0; n < 40'000; ++n) many += record(std::to_string(n % 39'000), "word" + std::to_string(n % 7));
  const ProgramResult large =
      succeeded(inkling({"build", write(folder.file("many.jsonl"), many), "--out", folder.file("large")}));
  CHECK(holds(large.err, "without id   1,000 records"));
  CHECK(inkling({"verify", folder.file("large")}).exit_code == 0);
}

TEST_CASE("equal texts are counted by build and info unless they are to be kept apart") {
  const Repeated repeated;
  const std::string again = repeated.folder.file("again");
  const ProgramResult built = inkling({"build", repeated.source, "--out", again});
  CHECK(holds(built.err, "2 documents repeat another record: searches offer each record once; --same-by none offers each"));
  CHECK(holds(inkling({"info", again}).out, "2 documents repeat another record"));
  CHECK(holds(inkling({"info", again, "--json"}).out, "\"equal_texts\":2"));
  CHECK(std::filesystem::exists(again + "/documents/copies.npy"));
  const std::string apart = repeated.folder.file("apart");
  const ProgramResult kept = inkling({"build", repeated.source, "--keep-duplicates", "--out", apart});
  CHECK_FALSE(holds(kept.err, "earlier one"));
  CHECK(holds(inkling({"info", apart, "--json"}).out, "\"equal_texts\":0"));
  CHECK_FALSE(std::filesystem::exists(apart + "/documents/copies.npy"));
}

// A set of the sources in so many parts.
std::string set_of(const TemporaryFolder& folder, const Args& sources, int parts) {
  const auto file = [&](const std::string& name) { return folder.file(name + std::to_string(parts)); };
  const Args step = Args{"parts", "plan", "--keep-text", "--parts", std::to_string(parts), "--out", file("plan")} + sources;
  succeeded(inkling(step));
  Args merge = {"parts", "merge", "--out", file("all")};
  Args join = {"parts", "join", "--out", file("set")};
  const auto part_step = [&](const std::string& name, int part, const std::string& out, const Args& more) {
    succeeded(inkling(Args{"parts", name, file("plan"), "--part", std::to_string(part), "--out", out} + more));
  };
  for (int part = 0; part < parts; ++part) {
    merge.push_back(file("counts" + std::to_string(part) + "of"));
    part_step("count", part, merge.back(), {"--keep-rows"});
  }
  succeeded(inkling(merge));
  for (int part = 0; part < parts; ++part) {
    join.push_back(file("shard" + std::to_string(part) + "of"));
    part_step("build", part, join.back(), {"--counts", file("all"), "--rows", file("counts" + std::to_string(part) + "of")});
  }
  succeeded(inkling(join));
  CHECK(holds(inkling(join).err, "it exists already, nothing to do"));
  return file("set");
}

TEST_CASE("a set of 1 and 2 and 3 and 7 parts knows its equal texts as the one pool does") {
  const TemporaryFolder folder;
  std::string records;
  for (int n = 0; n < 60; ++n) {
    const int text = n % 3 == 2 ? n / 2 : n;  // of some texts three records, most of them far apart
    records += record(fmt::format("d{}", n),
                      fmt::format("{} word{} w{} x{}", text % 4 == 0 ? "gold mine" : "wheat", text, text % 7, text % 5));
  }
  const std::string source = write(folder.file("records.jsonl"), records);
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", source, "--keep-text", "--out", pool}).exit_code == 0);
  const std::string facts = inkling({"info", pool, "--json"}).out;
  const std::string fingerprint = facts.substr(facts.find("\"fingerprint\""), 33);
  const std::string equal = facts.substr(facts.find("\"equal_texts\""), 17);
  const std::string events =
      write(folder.file("events"), "{\"pool\":" + fingerprint.substr(14, 18) +
                                       "}\n{\"document\":1,\"reward\":1,\"features\":[\"wheat\"]}\n{\"document\":4,"
                                       "\"reward\":1}\n{\"document\":0,\"reward\":0}\n");
  const auto scores = [&](const std::string& of) {
    return succeeded(inkling({"score", of, "--events", events, "--top", "60", "--format", "csv"})).out;
  };
  const auto searched = [&](const std::string& of, int seed) {
    std::string lines = "{\"query\":[\"gold\"]}\n{\"rate\":1,\"document\":\"d59\"}\n";
    for (int n = 0; n < 45; ++n) lines += fmt::format("{{\"rate\":{}}}\n", (n + seed) % 3 == 0 ? 1 : 0);
    return search(folder, of, lines + "{\"progress\":true}\n",
                  {"--name", fmt::format("s{}", seed), "--seed", std::to_string(seed)})
        .out;
  };
  std::vector<std::string> expected;
  for (int seed = 0; seed < test::cases(20); ++seed) expected.push_back(searched(pool, seed));
  for (const int parts : {1, 2, 3, 7}) {
    CAPTURE(parts);
    const std::string set = set_of(folder, {source}, parts);
    CHECK(holds(inkling({"info", set, "--json"}).out, fingerprint));
    CHECK(holds(inkling({"info", set, "--json"}).out, equal));
    CHECK(inkling({"verify", set}).exit_code == 0);
    CHECK(scores(set) == scores(pool));
    CHECK(succeeded(inkling({"score", set, "--events", events, "--top", "60", "--format", "csv", "--io", "read"})).out ==
          scores(pool));
    for (int seed = 0; seed < test::cases(20); ++seed) CHECK(searched(set, seed) == expected[static_cast<std::size_t>(seed)]);
  }
  flip_bit_of(folder.file("set7.copies.npy"), 200);
  check_refused(inkling({"verify", folder.file("set7")}), 5, {"set7.copies.npy: expected the "});
  check_refused(inkling({"score", folder.file("set7"), "--events", events}), 5, {"set7.copies.npy"});
}

TEST_CASE("a set that does not say which texts are equal opens and says what to do") {
  const Repeated repeated;
  const std::string set = repeated.folder.file("old.json");
  write_set(set, std::vector<std::string>{repeated.pool, repeated.pool});
  const std::string advice = "it is not known which texts of different shards are equal";
  const std::string events = write(repeated.folder.file("events"), "{\"document\":0,\"reward\":1}\n");
  CHECK(holds(inkling({"info", set}).out, advice));
  CHECK(holds(search(repeated.folder, set, "{\"progress\":true}\n").err, advice));
  CHECK(holds(succeeded(inkling({"score", set, "--events", events})).err, advice));
}

TEST_CASE("a rating of a copy counts for its text and exports name the original of each copy") {
  const Repeated repeated;
  const ProgramResult said = search(repeated.folder, repeated.pool,
                                    R"({"rate":1,"document":"d","note":"yes"})"
                                    "\n{\"rate\":0,\"document\":\"b\"}\n{\"progress\":true}\n{\"rate\":0}\n{\"events\":true}\n");
  CHECK(holds(said.out, "{\"document\":2,\"id\":\"\",\"text\":\"a cold wind\""));
  CHECK(holds(said.out, "\"documents\":3,\"rated\":2,\"good\":1"));
  CHECK(holds(said.out, "\"kind\":\"rated\",\"holds\":true,\"number\":1,\"document\":0,\"id\":\"a\""));
  CHECK_FALSE(holds(said.out, "\"document\":4"));
  const std::string csv = repeated.folder.file("work.csv");
  REQUIRE(inkling({"search", repeated.pool, "--out", csv}).exit_code == 0);
  const std::string table = text_of(csv);
  CHECK(holds(table, ",same_as\r\n"));
  CHECK(holds(table, "\r\na,,dig the soil,1,1,"));
  CHECK(holds(table, "\r\nc,,dig the soil,1,1,"));
  for (const char* const column : {",yes,", ",a\r\n"}) {
    CAPTURE(column);
    CHECK(holds(table.substr(table.find("\r\nc,")), column));
  }
  // The export is read again: a table with copies gives one answer for each text.
  const ProgramResult scored =
      succeeded(inkling({"score", repeated.pool, "--events", csv, "--all", "--format", "csv", "--policy", "oful"}));
  CHECK(std::ranges::count(scored.out, '\n') == 6);
  const ProgramResult imported =
      search(repeated.folder, repeated.pool, "{\"progress\":true}\n", {"--name", "again", "--import", csv});
  CHECK(holds(imported.out, "\"documents\":3,\"rated\":3,\"good\":1"));
}

TEST_CASE("a text is unread if none of its documents is rated") {
  const Repeated repeated;
  search(repeated.folder, repeated.pool, "{\"rate\":1,\"document\":\"c\"}\n");
  const std::string jsonl = repeated.folder.file("unread.jsonl");
  REQUIRE(inkling({"search", repeated.pool, "--which", "unread", "--out", jsonl}).exit_code == 0);
  CHECK(std::ranges::count(text_of(jsonl), '\n') == 2);
  CHECK_FALSE(holds(text_of(jsonl), "soil"));
}

TEST_CASE_FIXTURE(InFolder, "the highest of several ratings in records with one text counts at every door") {
  const std::string source =
      write(folder.file("rated.csv"), "id,text,included\na,dig the soil,1\nb,the sea,0\nc,dig  the soil,0\nd,wind,\n");
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", source, "--keep-text", "--out", pool}).exit_code == 0);
  const ProgramResult begun = search(folder, pool, "{\"progress\":true}\n", {"--rated-by", "included"});
  CHECK(holds(begun.out, "\"documents\":3,\"rated\":2,\"good\":1"));
  CHECK(
      holds(begun.err, "records whose copies are rated differently: 1, of which the highest rating counts (document 2 differs "));
  const std::string other = folder.file("other");
  const ProgramResult built = inkling({"build", source, "--rated-by", "included", "--out", other});
  CHECK(holds(built.err,
              "a search that begins with 2 ratings; records whose copies are rated differently: 1, of which "
              "the highest rating counts (" +
                  source + ":4 differs from " + source + ":2)"));
  const std::string agreed = write(folder.file("agreed.csv"), "id,text,included\na,soil,1\nb,soil,1\nc,sea,0\n");
  const ProgramResult quiet = inkling({"build", agreed, "--rated-by", "included", "--out", folder.file("quiet")});
  CHECK(holds(quiet.err, "a search that begins with 2 ratings\n"));
}

TEST_CASE("added records are noted as copies of earlier ones") {
  const Repeated repeated;
  const std::string later = write(repeated.folder.file("later.jsonl"), record("e", "cold\\tsea") + record("f", "a new text") +
                                                                           record("g", "a new text") + record("a", "known"));
  const ProgramResult added = inkling({"add", repeated.pool, later});
  CAPTURE(added.err);
  CHECK(holds(added.err, "8 documents, 3 of them new; 2 of the new ones repeat another record; 1 were"));
  CHECK(inkling({"verify", repeated.pool}).exit_code == 0);
  const ProgramResult said = search(repeated.folder, repeated.pool, "{\"rate\":1,\"document\":\"e\"}\n{\"progress\":true}\n");
  CHECK(holds(said.out, "\"documents\":4,\"rated\":1"));
  const std::string twice = write(repeated.folder.file("twice.jsonl"), record("h", "one") + record("h", "two"));
  check_refused(inkling({"add", repeated.pool, twice, "--strict"}), 3,
                {twice + ":2: expected another id than \"h\", which " + twice + ":1 has"});
}

std::string reference(const std::string& title, const std::string& year, const std::string& doi, const std::string& more = "") {
  return fmt::format("TY  - JOUR\nTI  - {}\nPY  - {}\n{}{}ER  - \n\n", title, year, doi.empty() ? "" : "DO  - " + doi + "\n",
                     more);
}

TEST_CASE_FIXTURE(InFolder, "records of two databases are one by DOI and by title and never where DOIs differ at every door") {
  const std::string abstract = "AB  - What is read of a record is its abstract, which another database may leave out.\n";
  const std::string long_title = "Soil and the growth of roses in a cold wind";
  const std::string one =
      write(folder.file("one.ris"), reference("Editorial", "2001", "10.1/a") + reference("Editorial", "2009", "10.1/b") +
                                        reference(long_title, "2003", "10.1/c"));
  const std::string two =
      write(folder.file("two.ris"), reference("SOIL and the growth of roses in a cold wind.", "2003", "", abstract) +
                                        reference("Roses", "2004", "https://doi.org/10.1/A", "ID  - 5\n"));
  const auto count_of = [](const std::string& pool) {
    const std::string facts = succeeded(inkling({"info", pool, "--json"})).out;
    return facts.substr(facts.find("\"equal_texts\":") + 14, 1);
  };
  const std::string pool = folder.file("pool");
  succeeded(inkling({"build", one, two, "--keep-text", "--out", pool}));
  CHECK(count_of(pool) == "2");
  CHECK(inkling({"verify", pool}).exit_code == 0);
  const std::string hidden = succeeded(inkling({"info", pool, "--duplicates"})).out;
  CHECK(holds(hidden, "  Soil and the growth of roses in a cold wind\n  = 3  SOIL and"));
  CHECK(holds(succeeded(inkling({"info", pool, "--duplicates", "--json"})).out,
              "\"document\":4,\"id\":\"5\",\"title\":\"Roses\",\"same_as\":0,"));
  // The later record is offered, because it alone has an abstract.
  CHECK(holds(search(folder, pool, "{\"rate\":1,\"document\":2}\n{\"events\":true}\n").out,
              "\"kind\":\"rated\",\"holds\":true,\"number\":1,\"document\":3"));
  for (const auto& [rules, expected] : {std::pair("doi", "1"), std::pair("title,text", "1"), std::pair("none", "0")}) {
    CAPTURE(rules);
    const std::string by = folder.file(rules);
    succeeded(inkling({"build", one, two, "--same-by", rules, "--out", by}));
    CHECK(count_of(by) == expected);
    CHECK(inkling({"search", by, "--same-by", "doi,pmid"}).exit_code == 2);
  }
  check_refused(inkling({"build", one, "--same-by", "isbn", "--out", folder.file("x")}), 2, {"expected none, or some of doi"});
  const std::string later = folder.file("later");
  succeeded(inkling({"build", one, "--out", later}));
  CHECK(holds(succeeded(inkling({"add", later, two, "--same-by", "doi"})).err,
              "5 documents, 2 of them new; 1 of the new ones repeat"));
  CHECK(inkling({"verify", later}).exit_code == 0);
  CHECK(holds(search(folder, one, "{\"progress\":true}\n", {"--same-by", "none"}).out, "\"documents\":3"));
  for (const int parts : {1, 3}) {
    const std::string both = write(folder.file("both.ris"), text_of(one) + text_of(two));
    const std::string set = set_of(folder, {both}, parts);
    CHECK(count_of(set) == "2");
    CHECK(inkling({"verify", set}).exit_code == 0);
  }
}

TEST_CASE_FIXTURE(InFolder, "a search of 19043 stories with 230 repeated ones offers each text once") {
  constexpr int kStories = 19'043;
  constexpr int kRepeated = 230;
  constexpr int ratings = test::cases(1'200);
  std::string stories;
  for (int n = 0; n < kStories; ++n) {
    const int told = n < kStories - kRepeated ? n : 71 * (n % 97) + n % 7;
    std::string text = told % 20 == 0 ? "gold mine" : "wheat";
    for (int word = 1; word <= 6; ++word) text += fmt::format(" w{}", told * word * 7919 % 3001);
    stories += record("s" + std::to_string(n), fmt::format("{} story{}", text, told));
  }
  const std::string source = write(folder.file("stories.jsonl"), stories);
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", source, "--keep-text", "--ngrams", "1", "--out", pool}).exit_code == 0);
  CHECK(holds(inkling({"info", pool}).out, "230 documents repeat another record"));
  std::string lines = "{\"query\":[\"gold\"]}\n";
  for (int n = 0; n < ratings; ++n) lines += "{\"rate\":1}\n";
  const ProgramResult said = search(folder, pool, lines + "{\"progress\":true}\n");
  std::set<std::string> offered;
  std::int64_t offers = 0;
  const std::string mark = "\"text\":\"";
  for (std::size_t at = said.out.find(mark); at != std::string::npos; at = said.out.find(mark, at + 1), ++offers)
    offered.insert(said.out.substr(at, said.out.find('"', at + mark.size()) - at));
  CHECK(offers == ratings + 1);
  CHECK(std::ssize(offered) == offers);
  CHECK(holds(said.out, fmt::format("\"documents\":18813,\"rated\":{}", ratings)));
}

// Records of three databases: two of one DOI, one of which another file repeats, and some with decisions.
struct ThreeFiles {
  TemporaryFolder folder;
  Args files = {
      write(folder.file("a.ris"),
            "TY  - JOUR\nTI  - Dig the soil deep\nDO  - 10.1/a\nAB  - soil and sand\nER  - \n\n"
            "TY  - JOUR\nTI  - The cold sea at night\nDO  - 10.1/b\nER  - \n\n"
            "TY  - JOUR\nTI  - Dig the soil deep!\nDO  - 10.1/A\nER  - \n"),
      write(folder.file("b.nbib"), "PMID- 7\nTI  - Dig the soil deep.\nLID - 10.1/a [doi]\n\nPMID- 8\nTI  - Winds of winter\n"),
      write(folder.file("c.csv"),
            "title,abstract,doi,included\nThe cold sea at night,waves,10.1/b,1\nA warm stone,sun,10.1/c,0\n")};
};

TEST_CASE("files of several databases are one pool that says what became of the records of each") {
  const ThreeFiles three;
  const ProgramResult built =
      inkling(Args{"build"} + three.files + Args{"--keep-text", "--min-df", "1", "--out", three.folder.file("pool")});
  REQUIRE(built.exit_code == 0);
  const std::string facts = inkling({"info", three.folder.file("pool"), "--json"}).out;
  const auto source = [&](std::size_t file, const std::string& format, const std::string& numbers) {
    CHECK(holds(facts, fmt::format(R"({{"source":"{}","format":"{}",{}}})", three.files[file], format, numbers)));
  };
  source(0, "ris",
         R"("documents":3,"left_out":0,"known":0,"copies_within":1,"copies_across":0,"without_abstract":3,"labelled":0)");
  source(1, "nbib",
         R"("documents":2,"left_out":0,"known":0,"copies_within":0,"copies_across":1,"without_abstract":2,"labelled":0)");
  source(2, "csv",
         R"("documents":2,"left_out":0,"known":0,"copies_within":0,"copies_across":1,"without_abstract":2,"labelled":2)");
  CHECK(holds(inkling({"info", three.folder.file("pool")}).out,
              "c.csv: 2 documents (1 copy of another file, 2 without abstract, 2 with labels)"));
  const std::string later = write(three.folder.file("d.ris"), "TY  - JOUR\nTI  - A late bean\nER  - \n");
  REQUIRE(inkling({"add", three.folder.file("pool"), later, three.files[2]}).exit_code == 0);
  const std::string extended = inkling({"info", three.folder.file("pool"), "--json"}).out;
  CHECK(holds(extended, fmt::format(R"({{"source":"{}","format":"ris","documents":1,)", later)));
}

TEST_CASE_FIXTURE(InFolder, "a set of 1 and 2 and 3 and 7 parts says of each file of records what one build of them says") {
  std::string ris;
  std::string csv = "title,abstract,doi,included\n";
  for (int n = 0; n < 40; ++n) {
    const std::string title = n % 13 == 5 ? "" : fmt::format("TI  - Title {} of the soil\n", n % 30);
    const std::string abstract = fmt::format("A long abstract about word{} and soil, which is long enough to be one.", n % 30);
    ris += fmt::format("TY  - JOUR\n{}DO  - 10.1/{}\n{}ER  - \n\n", title, n % 30, n % 3 == 0 ? "AB  - " + abstract + "\n" : "");
    csv += fmt::format("Title {} of the soil,{},10.1/{},{}\n", n, n % 2 == 0 ? abstract : "", n, n % 4 == 0 ? "1" : "");
  }
  const Args files = {write(folder.file("a.ris"), ris), write(folder.file("c.csv"), csv)};
  const auto facts_of = [](const std::string& pool) {
    const std::string facts = succeeded(inkling({"info", pool, "--json"})).out;
    return facts.substr(facts.find("\"sources\""), facts.find("\"fields\"") - facts.find("\"sources\""));
  };
  const auto check_same = [&](const std::string& name, const Args& sources) {
    CAPTURE(name);
    const std::string pool = folder.file(name);
    succeeded(inkling(Args{"build", "--keep-text", "--out", pool} + sources));
    CHECK(holds(facts_of(pool), R"("left_out":2)"));
    CHECK(holds(facts_of(pool), files[0]));
    for (const int parts : {1, 2, 3, 7}) {
      CAPTURE(parts);
      const TemporaryFolder steps;
      CHECK(facts_of(set_of(steps, sources, parts)) == facts_of(pool));
    }
  };
  check_same("one", {files[0]});
  check_same("two", files);
}

TEST_CASE("search takes several files as one pool, and a copy is taken apart, joined again and exported by itself") {
  const ThreeFiles three;
  const auto say = [&](const std::string& lines) {
    return search(three.folder, three.files[0], lines, Args{three.files[1], three.files[2]});
  };
  const ProgramResult first = say("{\"copies\": true}\n{\"rate\": 1, \"document\": 3}\n{\"separate\": 3}\n{\"copies\": true}\n");
  CHECK(holds(first.err, "a.ris+b.nbib+c.csv.pool: 7 documents of"));
  CHECK(holds(first.err, "b.nbib: 2 documents (1 copy of another file"));
  CHECK(holds(first.out, R"({"documents":[{"document":2,"id":"10.1/A","same_as":0},{"document":3,"id":"7","same_as":0})"));
  CHECK(holds(first.out, R"("hidden":3})"));
  CHECK(holds(first.out, R"("hidden":2})"));
  const auto rated = [&](const std::string& which) {
    return search(three.folder, three.files[0], "", Args{three.files[1], three.files[2], "--out", "-", "--which", which}).out;
  };
  CHECK(holds(rated("all"), R"("same_as")"));
  CHECK_FALSE(holds(rated("all"), R"("id":"7")"));
  CHECK(holds(rated("unread"), R"("id":"7")"));
  CHECK(holds(say("{\"separate\": 3}\n").out, "one that is not offered because it is a copy"));
  static_cast<void>(say("{\"rate\": 0, \"document\": 3}\n"));
  CHECK(holds(rated("all"), R"("id":"7")"));
  for (const std::string name : {"events.jsonl", "work.csv", "work.xlsx", "work.jsonl"}) {
    CAPTURE(name);
    const std::string out = three.folder.file(name);
    const std::string pool = three.folder.file("a.ris+b.nbib+c.csv.pool");
    const Args write = name == "events.jsonl" ? Args{"sessions", pool, "--write", "ratings", "--name", "search", "--out", out}
                                              : Args{"search", pool, "--name", "search", "--out", out};
    succeeded(inkling(write));
    const std::string again =
        search(three.folder, pool, "{\"copies\": true}\n{\"why\": true, \"document\": 3}\n{\"why\": true, \"document\": 0}\n",
               {"--name", name, "--import", out})
            .out;
    CHECK(holds(again, R"("hidden":2})"));
    CHECK(holds(again, R"("rated":{"reward":0)"));
    CHECK(holds(again, R"("rated":{"reward":1)"));
    const std::string scored = succeeded(inkling({"score", pool, "--events", out, "--all", "--format", "csv"})).out;
    CHECK(holds(scored, "\n3,"));
  }
  const std::string joined = search(three.folder, three.files[0], "{\"undo\": 2}\n{\"why\": true, \"document\": 3}\n",
                                    {three.files[1], three.files[2], "--name", "search"})
                                 .out;
  CHECK(holds(joined, R"("rated":{"reward":1)"));
}

}  // namespace
}  // namespace inkling::test
