#include "io/search/score/score_output.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/model/ridge_model.hpp"
#include "engine/scoring/scan/batch_scan.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

const std::vector<WordShare> two_words = {
    {.feature = 3, .word = "soil", .value = 0.5, .weight = 2.0, .contribution = 1.0, .uncertainty = 0.25, .width_share = 0.75},
    {.feature = 1, .contribution = -0.5, .width_share = 0.25}};

ScoreLine a_line() { return {.user = "me.jsonl", .document = 12, .id = "a,\"b\"", .mean = 0.1, .width = 1e-9, .ucb = -2.5}; }

std::string line_of(ScoreFormat format, UserColumn users, const ScoreLine& line) {
  std::string out;
  ScoreFormatter(format, users, Colour::off).append(out, line);
  return out;
}

TEST_CASE("objects have no members for values that are missing") {
  ScoreLine line = a_line();
  CHECK(line_of(ScoreFormat::jsonl, UserColumn::absent, line) ==
        "{\"document\":12,\"id\":\"a,\\\"b\\\"\",\"mean\":0.1,\"width\":1e-09,\"ucb\":-2.5}\n");
  line.id.reset();
  line.played = 2;
  CHECK(line_of(ScoreFormat::jsonl, UserColumn::present, line) ==
        "{\"events\":\"me.jsonl\",\"document\":12,\"mean\":0.1,\"width\":1e-09,\"ucb\":-2.5,\"played\":2}\n");
  line.words = &two_words;
  CHECK(line_of(ScoreFormat::jsonl, UserColumn::absent, line) ==
        "{\"document\":12,\"mean\":0.1,\"width\":1e-09,\"ucb\":-2.5,\"played\":2,\"words\":["
        "{\"feature\":3,\"word\":\"soil\",\"value\":0.5,\"weight\":2,\"contribution\":1,\"uncertainty\":0.25,"
        "\"width_share\":0.75},"
        "{\"feature\":1,\"value\":0,\"weight\":0,\"contribution\":-0.5,\"uncertainty\":0,\"width_share\":0.25}]}\n");
}

TEST_CASE("fields of CSV are quoted if they must be") {
  CHECK(ScoreFormatter(ScoreFormat::csv, UserColumn::absent, Colour::off).heading(1) == "document,id,mean,width,ucb,played\n");
  CHECK(ScoreFormatter(ScoreFormat::csv, UserColumn::present, Colour::off).heading(1) ==
        "events,document,id,mean,width,ucb,played\n");
  ScoreLine line = a_line();
  CHECK(line_of(ScoreFormat::csv, UserColumn::absent, line) == "12,\"a,\"\"b\"\"\",0.1,1e-09,-2.5,0\n");
  line.id = "two\nlines";
  CHECK(line_of(ScoreFormat::csv, UserColumn::present, line) == "me.jsonl,12,\"two\nlines\",0.1,1e-09,-2.5,0\n");
  line.id.reset();
  CHECK(line_of(ScoreFormat::csv, UserColumn::absent, line) == "12,,0.1,1e-09,-2.5,0\n");
}

TEST_CASE("CSV has the bytes of an id unchanged for programs and made visible for a terminal") {
  ScoreLine line = a_line();
  line.id = "x\x1b[31m,y";
  CHECK(line_of(ScoreFormat::csv, UserColumn::absent, line) == "12,\"x\x1b[31m,y\",0.1,1e-09,-2.5,0\n");
  std::string shown;
  ScoreFormatter(ScoreFormat::csv, UserColumn::absent, Colour::off, TextFor::terminal).append(shown, line);
  CHECK(shown == "12,\"x\\x1B[31m,y\",0.1,1e-09,-2.5,0\n");
}

TEST_CASE("the rows of a table can be read back") {
  ScoreLine line = a_line();
  line.document = 1234567;
  CHECK(line_of(ScoreFormat::table, UserColumn::absent, line).starts_with("      1234567 "));
}

TEST_CASE("arrays have the header of NumPy and records of forty bytes") {
  for (const std::int64_t records : {std::int64_t{0}, std::int64_t{7}, INT64_MAX}) {
    const std::string heading = ScoreFormatter(ScoreFormat::npy, UserColumn::absent, Colour::off).heading(records);
    CHECK(heading.size() % 64 == 0);
    CHECK(heading.ends_with(" \n"));
    CHECK(npy_header_bytes("array", std::as_bytes(std::span(heading))) == heading.size());
    CHECK(heading.find("'shape': (" + std::to_string(records) + ",)") != std::string::npos);
  }
  const std::string record = line_of(ScoreFormat::npy, UserColumn::absent, a_line());
  CHECK(record.size() == 40);
  CHECK(record.substr(0, 8) == std::string("\x0C\0\0\0\0\0\0\0", 8));
  CHECK(record.substr(24, 8) == std::string("\0\0\0\0\0\0\x04\xC0", 8));
}

TEST_CASE("a table lists the words below their document and removes control characters") {
  ScoreLine line = a_line();
  line.id = "x\x1b[31my";
  line.played = 1;
  line.words = &two_words;
  const std::string text = line_of(ScoreFormat::table, UserColumn::present, line);
  CHECK(text.find("me.jsonl  x\\x1B[31my (played 1)\n") != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("0.50000 x (+2.00000 ± 0.25000), 75 % of the width²  soil\n") != std::string::npos);
  CHECK(text.find("feature 1\n") != std::string::npos);
  CHECK(text.find(" other word") == std::string::npos);
}

TEST_CASE("a table sums up the words that it has no room for") {
  std::vector<WordShare> words;
  for (std::size_t n = 0; n < kWordsShown + 2; ++n)
    words.push_back({.feature = static_cast<FeatureId>(n), .contribution = 0.25, .width_share = 0.05});
  ScoreLine line = a_line();
  line.words = &words;
  const std::string text = line_of(ScoreFormat::table, UserColumn::absent, line);
  CHECK(text.ends_with("    +0.50000 of 2 other words, 10 % of the width²\n"));
  CHECK(text.find("feature 11\n") != std::string::npos);
  CHECK(text.find("feature 12\n") == std::string::npos);
  words.pop_back();
  CHECK(line_of(ScoreFormat::table, UserColumn::absent, line).find(" of 1 other word, 5 %") != std::string::npos);
}

using test::between;

std::string numbered(FeatureId feature) { return "w" + std::to_string(feature); }

TEST_CASE("words are listed by their contribution, with value, weight and uncertainty") {
  // Features 1 and 4 with theta (2, -3) and V^-1 = [[0.25, 0.1], [0.1, 0.64]].
  const BatchScan model(std::vector<FeatureId>{1, 4}, std::vector<double>{2.0, -3.0}, std::vector<double>{0.25, 0.1, 0.1, 0.64});
  const CsrMatrix matrix = test::matrix_of(5, {{{0, 9.0F}, {1, 1.0F}, {4, 2.0F}}, {{0, 1.0F}}});
  const std::vector<WordShare> shares = explain_score(model.parts_of(matrix.view().row(0)), numbered);
  REQUIRE(shares.size() == 2);
  CHECK(shares[0].word == "w4");
  CHECK(shares[0].feature == 4);
  CHECK(shares[0].value == 2.0);
  CHECK(shares[0].weight == -3.0);
  CHECK(shares[0].contribution == -6.0);
  CHECK(shares[0].uncertainty == doctest::Approx(0.8));
  CHECK(shares[0].width_share == doctest::Approx(2.76 / 3.21));
  CHECK(shares[1].feature == 1);
  CHECK(shares[1].width_share == doctest::Approx(0.45 / 3.21));
  CHECK(explain_score(model.parts_of(matrix.view().row(1)), numbered).empty());
}

TEST_CASE("contributions sum to the mean and shares to one") {
  test::each_case(24, 50, [&](RandomStream& random) {
    const PoolMatrix pool = test::random_pool({.documents = 20, .features = 9, .degenerate = true}, random);
    RidgeModel model(pool.view().features(), {});
    for (int n = 0; n < 10; ++n) test::learn(model, pool.view(), between(0, 19, random), random.normal());
    for (const std::int32_t feature : test::shuffled(9, random))
      if (random.coin(0.6)) model.adopt(feature);
    const BatchScan scan(model);
    for (DocumentId i = 0; i < 20; ++i) {
      RestrictedRows buffer;
      const SparseRow row = pool.view().by_document.row(i);
      const Prediction prediction = scan.predict(row, buffer);
      double mean = 0.0;
      double share = 0.0;
      for (const WordShare& one : explain_score(scan.parts_of(row), numbered)) {
        mean += one.contribution;
        share += one.width_share;
      }
      CHECK(mean == doctest::Approx(prediction.mean).epsilon(1e-12));
      if (prediction.square > 0.0) CHECK(share == doctest::Approx(1.0).epsilon(1e-12));
    }
  });
}

}  // namespace
}  // namespace inkling
