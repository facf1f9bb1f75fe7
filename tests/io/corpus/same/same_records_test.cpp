#include "io/corpus/same/same_records.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/core/random_stream.hpp"
#include "tests/support/engine/cases.hpp"

namespace inkling {
namespace {

// A record as a source gives it: its fields as JSON, and what follows the title in its text.
struct Record {
  std::string fields;
  std::string abstract = {};
  std::string id = {};
  bool id_is_pmid = false;
};

struct Keys {
  std::vector<RecordIdentity> identities;
  std::vector<StringMark> marks;

  void add(const Record& record) {
    IdentityReader reader;
    std::string scratch;
    const std::string text = record.fields.substr(0, record.fields.find('"', 11)) + record.abstract;
    identities.push_back(
        reader.read({.text = text, .id = record.id, .label = {}, .fields = record.fields, .id_is_pmid = record.id_is_pmid}));
    marks.push_back(mark_of_words(record.abstract.empty() ? text : record.abstract, scratch));
  }
  [[nodiscard]] CopiedSetRows same(SameBy by = {}) const {
    return same_records(
        identities.size(),
        [this](std::uint64_t first, std::span<StringMark> some) {
          std::ranges::copy_n(marks.begin() + static_cast<std::ptrdiff_t>(first), std::ssize(some), some.begin());
        },
        [this](std::uint64_t first, std::span<RecordIdentity> some) {
          std::ranges::copy_n(identities.begin() + static_cast<std::ptrdiff_t>(first), std::ssize(some), some.begin());
        },
        by, std::uint64_t{1} << 20U);
  }
};

bool are_one(const Record& one, const Record& other, SameBy by = {}) {
  Keys keys;
  keys.add(one);
  keys.add(other);
  return keys.same(by).rows.size() == 1;
}

std::string titled(const std::string& title, const std::string& more = "") {
  return fmt::format(R"({{"title":"{}"{}}})", title, more.empty() ? "" : "," + more);
}

const std::string kTitle = "Tafenoquine for the treatment of recurrent malaria";

TEST_CASE("records of one DOI or PMID are one however it is written") {
  for (const char* const doi : {"10.1000/AbC", "doi:10.1000/abc", "https://doi.org/10.1000/ABC", "http://dx.doi.org/10.1000/abc.",
                                "DOI: 10.1000/abc", "10.1000/abc;", "10.1000/abc 10.1000/other"}) {
    CAPTURE(doi);
    CHECK(are_one({titled("One", R"("doi":"10.1000/abc")")}, {titled("Another", fmt::format(R"("DOI":"{}")", doi))}));
  }
  CHECK(are_one({titled("One", R"("doi":"10.1000/abc")")}, {titled("Two", R"("urls":["https://doi.org/10.1000/abc"])")}));
  CHECK(are_one({titled("One", R"("doi":"10.1000/abc")")}, {titled("Two"), "", "10.1000/ABC"}));
  CHECK_FALSE(are_one({titled("One", R"("doi":"10.1000/abc")")}, {titled("Two", R"("doi":"10.1000/abd")")}));
  CHECK(are_one({titled("One", R"("PMID":"123")")}, {titled("Two", R"("pubmed_id":123)")}));
  CHECK(are_one({titled("One", R"("PMID":"PMID: 123")")}, {titled("Two"), "", "123", true}));
  CHECK_FALSE(are_one({titled("One", R"("PMID":"123")")}, {titled("Two"), "", "123"}));
  // The DOI of a supplement does not make its abstracts one.
  CHECK_FALSE(are_one({titled("One", R"("doi":"10.1000/s","authors":["Smith, J."])")},
                      {titled("Two", R"("doi":"10.1000/s","authors":["Jones, K."])")}));
}

TEST_CASE("titles are one as databases write them") {
  const std::string year = R"("year":"2007")";
  for (const char* const same :
       {"Tafenoquine for the Treatment of Recurrent Malaria.", "[Tafenoquine for the treatment of recurrent malaria].",
        "Tafenoquine for the treatment of recurrent malaria [Review]",
        "Short report: tafenoquine for the treatment of recurrent malaria",
        "Táfenoquine for the treatment of <i>recurrent</i> malaria", "Tafenoquine  for the treatment-of recurrent malaria"}) {
    CAPTURE(same);
    CHECK(are_one({titled(kTitle, year)}, {titled(same, year)}));
    CHECK_FALSE(are_one({titled(kTitle, year)}, {titled(same, R"("year":"2009")")}));
    CHECK_FALSE(are_one({titled(kTitle, year)}, {titled(same, year)}, *same_by_in("doi,pmid")));
  }
  CHECK(are_one({titled("The effect of α-tocopherol on β-carotene", year)},
                {titled("The effect of alpha-tocopherol on beta-carotene", year)}));
  for (const char* const other : {"Tafenoquine for the treatment of recurrent malaria [Erratum]",
                                  "Tafenoquine for the treatment of recurrent malaria: a reply"}) {
    CAPTURE(other);
    CHECK_FALSE(are_one({titled(kTitle, year)}, {titled(other, year)}));
  }
}

TEST_CASE("what speaks against two records of one title and year keeps them apart") {
  struct Case {
    const char* one;
    const char* other;
    bool are_one;
  };
  for (const Case& row :
       std::initializer_list<Case>{{R"("authors":["Smith, J."])", R"("authors":["Smith John"])", true},
                                   {R"("authors":["Smith, J."])", R"("AU":"J. K. Smith; K. Jones")", true},
                                   {R"("authors":["Llanos-Cuentas, A."])", R"("authors":"Llanos-Cuentas A., Smith J.")", true},
                                   {R"("authors":["Smith, J."])", R"("authors":["Jones, J."])", false},
                                   {R"("SP":"123-30","VL":"7")", R"("pages":"123-130","volume":"7 (2) ")", true},
                                   {R"("SP":"494","VL":"76")", R"("pages":"pp. 494\u2010496","volume":76)", true},
                                   {R"("SP":"123","VL":"7")", R"("pages":"500","volume":"7")", true},
                                   {R"("SP":"123","VL":"7")", R"("pages":"500","volume":"9")", false},
                                   {R"("doi":"10.1/a")", R"("doi":"10.1/b")", false},
                                   {R"("doi":"10.1/a")", R"("pages":"7")", true},
                                   {R"("pmid":"1")", R"("pmid":"2")", false}}) {
    CAPTURE(row.one);
    CAPTURE(row.other);
    const std::string year = R"("year":"2007",)";
    CHECK(are_one({titled(kTitle, year + row.one)}, {titled(kTitle, year + row.other)}) == row.are_one);
  }
}

TEST_CASE("years may differ by one where the page is the same") {
  const auto dated = [](const char* year, const char* more) {
    return Record{titled(kTitle, fmt::format(R"("date":"{}",{})", year, more))};
  };
  CHECK(are_one(dated("2018", R"("SP":"7")"), dated("2019-03-01", R"("SP":"7")")));
  CHECK_FALSE(are_one(dated("2018", R"("SP":"7")"), dated("2020", R"("SP":"7")")));
  CHECK_FALSE(are_one(dated("2018", R"("AU":"Smith, J.")"), dated("2019", R"("AU":"Smith, J.")")));
  CHECK(are_one(dated("", R"("AU":"Smith, J.")"), dated("2019", R"("AU":"Smith, J.")")));
}

TEST_CASE("records of a short title are one only if their first page is or nothing tells them apart") {
  CHECK_FALSE(are_one({titled("Editorial", R"("doi":"10.1/a","year":"2001")")},
                      {titled("Editorial", R"("doi":"10.1/b","year":"2009")")}));
  CHECK_FALSE(are_one({titled("Editorial", R"("doi":"10.1/a","year":"2001")")}, {titled("Editorial", R"("year":"2001")")}));
  CHECK_FALSE(are_one({titled("Editorial", R"("year":"2001")")}, {titled("Editorial", R"("year":"2009")")}));
  CHECK(are_one({titled("Editorial", R"("doi":"10.1/a","year":"2001","SP":"7")")},
                {titled("Editorial", R"("year":"2001","SP":"7-8")")}));
  CHECK(are_one({titled("Editorial", R"("year":"2001")")}, {titled("Editorial", R"("year":"2001")")}));
  CHECK(are_one({titled("Editorial")}, {titled("Editorial")}));
  CHECK(are_one({""}, {""}) == false);  // an empty text is not one with another
  const std::string abstract(60, 'x');
  CHECK(are_one({titled("Editorial", R"("year":"2018")"), abstract}, {titled("Editorial", R"("year":"2019")"), abstract}));
}

TEST_CASE("the first copy with an abstract is offered and a cluster never has two DOIs") {
  Keys keys;
  keys.add({titled(kTitle, R"("doi":"10.1/a","year":"2001")")});
  keys.add({titled(kTitle, R"("year":"2001")"), std::string(80, 'a')});
  keys.add({titled(kTitle, R"("doi":"10.1/b","year":"2001","SP":"7")")});
  keys.add({titled(kTitle, R"("year":"2001","SP":"7")")});
  const CopiedSetRows same = keys.same();
  CHECK(same.rows == std::vector<std::int64_t>{0, 3});
  CHECK(same.originals == std::vector<std::int64_t>{1, 2});
  test::each_case(2310, 200, [&](RandomStream& random) {
    Keys many;
    std::vector<std::uint64_t> dois;
    for (std::uint64_t n = 2 + random.below(60); n > 0; --n) {
      std::string more = fmt::format(R"("year":"200{}")", random.below(2));
      if (random.coin(0.5)) more += fmt::format(R"(,"doi":"10.1/{}")", random.below(6));
      if (random.coin(0.4)) more += fmt::format(R"(,"pmid":"{}")", 1 + random.below(6));
      if (random.coin(0.5)) more += fmt::format(R"(,"authors":"{}")", random.below(2) == 0 ? "Smith, J." : "Jones, K.");
      many.add(
          {titled(fmt::format("{} number {}", kTitle, random.below(3)), more), random.coin(0.3) ? std::string(50, 'b') : ""});
    }
    const CopiedSetRows found = many.same();
    const std::int64_t rows = std::ssize(many.identities);
    CHECK(std::ranges::is_sorted(found.rows));
    CHECK_FALSE(found.view().bad_original(rows));
    for (std::int64_t a = 0; a < rows; ++a)
      for (std::int64_t b = 0; b < a; ++b) {
        if (found.view().original_of(a) != found.view().original_of(b)) continue;
        const std::uint64_t one = many.identities[static_cast<std::size_t>(a)].doi;
        const std::uint64_t other = many.identities[static_cast<std::size_t>(b)].doi;
        CHECK((one == 0 || other == 0 || one == other));
      }
  });
}

// Finds the clusters of records that share a DOI, PMID, title with its year, or text, without any rule that keeps records apart.
std::vector<std::size_t> plain_clusters(const Keys& keys) {
  std::vector<std::size_t> roots(keys.identities.size());
  std::iota(roots.begin(), roots.end(), std::size_t{0});
  std::map<std::tuple<int, std::uint64_t, std::uint64_t>, std::size_t> first;
  const auto root = [&](std::size_t n) {
    while (roots[n] != n) n = roots[n] = roots[roots[n]];
    return n;
  };
  for (std::size_t n = 0; n < roots.size(); ++n) {
    const RecordIdentity& one = keys.identities[n];
    const std::tuple<int, std::uint64_t, std::uint64_t> of_record[] = {
        {0, one.doi, 0}, {1, one.pmid, 0}, {2, one.title, 0}, {3, keys.marks[n].high, keys.marks[n].low}};
    for (const auto& key : of_record)
      if (std::get<1>(key) != 0) roots[root(n)] = root(first.try_emplace(key, n).first->second);
  }
  for (std::size_t n = 0; n < roots.size(); ++n) roots[n] = root(n);
  return roots;
}

TEST_CASE("of 46,737 random records no two of different DOIs are one, and only records that share something are") {
  test::each_case(4673, 2, [&](RandomStream& random) {
    constexpr std::uint64_t rows = 46'737;
    Keys keys;
    for (std::uint64_t n = 0; n < rows; ++n) {
      std::string more = fmt::format(R"("year":"{}","SP":"{}")", 1990 + random.below(30), random.below(900));
      if (random.coin(0.6)) more += fmt::format(R"(,"doi":"10.1/{}")", random.below(rows / 2));
      if (random.coin(0.3)) more += fmt::format(R"(,"pmid":"{}")", 1 + random.below(rows / 2));
      if (random.coin(0.7)) more += fmt::format(R"(,"authors":"Author{}, A.")", random.below(50));
      const bool is_editorial = random.coin(0.05);
      keys.add({titled(is_editorial ? "Editorial" : fmt::format("{} number {}", kTitle, random.below(rows / 3)), more),
                random.coin(0.3) ? fmt::format("An abstract of more than forty letters, number {}", random.below(rows)) : ""});
    }
    const CopiedSetRows found = keys.same();
    CHECK(found.rows.size() > 1'000);
    const std::vector<std::size_t> plain = plain_clusters(keys);
    std::map<std::int64_t, std::uint64_t> doi_of;  // by the row that is offered
    std::int64_t apart = 0;
    for (std::int64_t row = 0; row < static_cast<std::int64_t>(rows); ++row) {
      const std::int64_t original = found.view().original_of(row);
      const std::uint64_t doi = keys.identities[static_cast<std::size_t>(row)].doi;
      if (doi != 0 && doi_of.try_emplace(original, doi).first->second != doi) ++apart;
      if (plain[static_cast<std::size_t>(row)] != plain[static_cast<std::size_t>(original)]) ++apart;
    }
    CHECK(apart == 0);
  });
}

TEST_CASE("rules are read as they are written") {
  for (const char* const rules : {"none", "doi", "pmid,title", "doi,pmid,title,text"})
    CHECK(same_by_text(same_by_in(rules).value()) == rules);
  for (const char* const bad : {"", "doi,", "DOI", "none,doi", "isbn"}) CHECK_FALSE(same_by_in(bad));
}

}  // namespace
}  // namespace inkling
