#include "io/doors/cli/option_table.hpp"

#include <cmath>
#include <stdexcept>

#include <doctest/doctest.h>

#include "io/base/wording/quotes.hpp"

namespace inkling {
namespace {

enum class Reward { linear, logistic };
constexpr EnumName<Reward> kRewardNames[] = {{Reward::linear, "linear"}, {Reward::logistic, "logistic"}};

OptionTable simulate_table() {
  return OptionTable(
      {.command = "inkling-bench simulate",
       .purpose = "Simulates readers.",
       .example = "inkling-bench simulate --rounds 100 --policy random,oful",
       .groups = {{.heading = "Pool",
                   .options = {{.name = "documents", .kind = Integer{1, 1000}, .value_name = "N", .otherwise = "10"},
                               {.name = "pool", .kind = Path{}, .value_name = "POOL"},
                               {.name = "band", .kind = RealPair{Real::from_to(0, 1)}, .value_name = "LOW,HIGH"}}},
                  {.heading = "Run",
                   .options = {{.name = "rounds", .kind = Integer{1, 1000000000}, .value_name = "T", .otherwise = "100"},
                               {.name = "noise", .kind = Real::at_least(0), .value_name = "R", .otherwise = "0.5"},
                               {.name = "delta", .kind = Real::between(0, 1), .value_name = "D", .otherwise = "0.01"},
                               {.name = "reward", .kind = Choice{names_of(kRewardNames)}, .otherwise = "linear"},
                               {.name = "policy", .kind = ChoiceList{{"random", "oful", "ff-oful"}}, .otherwise = "oful"},
                               {.name = "sizes", .kind = IntegerList{{1, 99}}},
                               {.name = "trace", .kind = Path{}, .value_name = "FILE"},
                               {.name = "json"}}}}});
}

ParsedOptions parse(const std::vector<std::string>& args) { return simulate_table().parse(args); }

// The error about the arguments; empty if the table accepts them.
std::string table_refusal(const std::vector<std::string>& args) {
  try {
    (void)parse(args);
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST_CASE("an empty command line gives the defaults and no option counts as given") {
  const ParsedOptions options = parse({});
  CHECK(options.integer("rounds") == 100);
  CHECK(options.real("noise") == 0.5);
  CHECK(options.text("reward") == "linear");
  CHECK(options.choices("policy") == std::vector<std::string>{"oful"});
  CHECK_FALSE(options.flag("json"));
  CHECK_FALSE(options.given("rounds"));
  CHECK(options.has("rounds"));
  CHECK_FALSE(options.has("trace"));
}

TEST_CASE("a choice of the names of an enum gives the value of that name") {
  CHECK(parse({}).choice("reward", kRewardNames) == Reward::linear);
  CHECK(parse({"--reward=logistic"}).choice("reward", kRewardNames) == Reward::logistic);
}

TEST_CASE("values are read as their kind, after a space or after '='") {
  const ParsedOptions options = parse({"--rounds", "7", "--noise=1e-3", "--policy", "ff-oful,random", "--band=0.25,1", "--sizes",
                                       "1,2,99", "--json", "--trace=--odd-name"});
  CHECK(options.integer("rounds") == 7);
  CHECK(options.real("noise") == 0.001);
  CHECK(options.choices("policy") == std::vector<std::string>{"ff-oful", "random"});
  CHECK(options.real_pair("band") == std::pair(0.25, 1.0));
  CHECK(options.integers("sizes") == std::vector<std::int64_t>{1, 2, 99});
  CHECK(options.flag("json"));
  CHECK(options.given("json"));
  CHECK(options.text("trace") == "--odd-name");
}

TEST_CASE("paths may be given several times and every other option once") {
  const OptionTable table({.command = "inkling score",
                           .purpose = "Scores.",
                           .example = "inkling score pool --events a",
                           .groups = {{.heading = "In",
                                       .options = {{.name = "events", .kind = Paths{}, .value_name = "FILE"},
                                                   {.name = "out", .kind = Path{}, .value_name = "FILE"}}}}});
  const std::vector<std::string> args = {"--events", "b,c", "--events=a", "--events", "b,c"};
  CHECK(table.parse(args).paths("events") == std::vector<std::string>{"b,c", "a", "b,c"});
  CHECK_FALSE(table.parse({}).has("events"));
  const std::vector<std::string> twice = {"--out", "a", "--out", "b"};
  CHECK_THROWS_WITH_AS((void)table.parse(twice), "--out: is given twice", UsageError);
  const std::vector<std::string> empty = {"--events="};
  CHECK_THROWS_WITH_AS((void)table.parse(empty), "--events: expected a path, got ''", UsageError);
}

TEST_CASE("a value that is not a whole number in the range is refused with the range and the value") {
  for (const std::string value : {"-1", "0", "1000000001", "nan", "inf", "1.0", "1e3", "0x10", "+1", "1,5", "1 ", " 1", "", "-0",
                                  "99999999999999999999", "--5"}) {
    const std::string expected = "--rounds: expected a whole number from 1 to 1000000000, got '" + value + "'";
    CHECK(table_refusal({"--rounds", value}) == expected);
    CHECK(table_refusal({"--rounds=" + value}) == expected);
  }
}

TEST_CASE("a value that is not a number in the range is refused with the range and the value") {
  for (const std::string value : {"-1", "nan", "NaN", "-nan", "inf", "Infinity", "1e999", "-1e-3", "1e-999", "0x1p3", "+1", "1,5",
                                  "", "abc", "1.5.", "1e", "."}) {
    const std::string expected = "--noise: expected a number of at least 0, got '" + value + "'";
    CHECK(table_refusal({"--noise", value}) == expected);
    CHECK(table_refusal({"--noise=" + value}) == expected);
  }
}

TEST_CASE("minus zero is in a range with zero and not in one without it, and an excluded end is not in its range") {
  CHECK(parse({"--noise", "-0"}).real("noise") == 0.0);
  CHECK_FALSE(std::signbit(parse({"--noise", "-0.0"}).real("noise")));
  CHECK(table_refusal({"--delta", "-0"}) == "--delta: expected a number above 0 and below 1, got '-0'");
  CHECK(table_refusal({"--delta", "0"}) == "--delta: expected a number above 0 and below 1, got '0'");
  CHECK(table_refusal({"--delta", "1"}) == "--delta: expected a number above 0 and below 1, got '1'");
  CHECK(table_refusal({"--delta", "0.5"}).empty());
}

TEST_CASE("a name that is not in a choice is refused and the nearest one is offered") {
  CHECK(table_refusal({"--reward", "logistik"}) ==
        "--reward: expected linear or logistic, got 'logistik' (did you mean logistic?)");
  CHECK(table_refusal({"--policy", "random,offul"}) ==
        "--policy: expected a comma-separated list of random, oful or ff-oful, got 'random,offul' (did you mean oful?)");
  for (const std::string value : {"", "random,", ",random", "random,random", "Random", "random, oful"})
    CHECK(table_refusal({"--policy", value}).starts_with("--policy: expected a comma-separated list"));
}

TEST_CASE("a pair is two numbers in order and a list has no empty places") {
  for (const std::string value : {"0.5", "0.5,0.25", "0,2", "-1,1", "0,1,1", ",", "0,", "nan,1"}) {
    CHECK(table_refusal({"--band", value}) ==
          "--band: expected LOW,HIGH with LOW not above HIGH, each a number from 0 to 1, got '" + value + "'");
  }
  CHECK(table_refusal({"--sizes", "1,,2"}) ==
        "--sizes: expected a comma-separated list, each a whole number from 1 to 99, got '1,,2'");
}

TEST_CASE("an abbreviation is an unknown option, the nearest one is named, and an option given twice is refused") {
  CHECK(table_refusal({"--round", "5"}) == "unknown option '--round' (did you mean --rounds?)");
  CHECK(table_refusal({"--round=5"}) == "unknown option '--round' (did you mean --rounds?)");
  CHECK(table_refusal({"--roudns", "5"}) == "unknown option '--roudns' (did you mean --rounds?)");
  CHECK(table_refusal({"--Rounds", "5"}) == "unknown option '--Rounds' (did you mean --rounds?)");
  CHECK(table_refusal({"--xyzzy"}) == "unknown option '--xyzzy'");
  CHECK(table_refusal({"--xyzzy="}) == "unknown option '--xyzzy'");
  CHECK(table_refusal({"-r", "5"}) == "unknown option '-r' (did you mean --rounds?)");
  CHECK(table_refusal({"-1"}) == "unknown option '-1'");

  CHECK(table_refusal({"--rounds", "5", "--rounds=6"}) == "--rounds: is given twice");
  CHECK(table_refusal({"--json", "--json"}) == "--json: is given twice");
}

TEST_CASE("a missing value is an error and the next option is not taken as the value") {
  const std::string expected = "--rounds: expected a whole number from 1 to 1000000000, got nothing";
  CHECK(table_refusal({"--rounds"}) == expected);
  CHECK(table_refusal({"--rounds", "--json"}) == expected);
  CHECK(table_refusal({"--rounds", "--noise=1"}) == expected);
  CHECK(table_refusal({"--trace", "--json"}) == "--trace: expected a path, got nothing");
  CHECK(table_refusal({"--trace", ""}) == "--trace: expected a path, got ''");
}

TEST_CASE("arguments without a name are refused unless the table has a place for them") {
  CHECK(table_refusal({"stray"}) == "unexpected argument 'stray'");
  CHECK(table_refusal({"--", "--rounds"}) == "unexpected argument '--rounds'");
  CHECK(table_refusal({"--json", "yes"}) == "unexpected argument 'yes'");

  const OptionTable table({.command = "inkling score",
                           .purpose = "Scores.",
                           .example = "inkling score POOL",
                           .positionals = {.name = "POOL", .help = "the pool", .min = 1, .max = 1}});
  CHECK(table.parse(std::vector<std::string>{"here"}).positionals() == std::vector<std::string>{"here"});
  CHECK(table.parse(std::vector<std::string>{"--", "-here"}).positionals() == std::vector<std::string>{"-here"});
  CHECK_THROWS_WITH_AS((void)table.parse({}), "missing argument POOL", UsageError);
  CHECK_THROWS_WITH_AS((void)table.parse(std::vector<std::string>{"a", "b"}), "unexpected argument 'b'", UsageError);
}

TEST_CASE("a missing required option is named, and a value in a message is shortened and stays on one line") {
  const OptionTable table(
      {.command = "x",
       .purpose = "X.",
       .example = "x --out DIR",
       .groups = {{.heading = "Output", .options = {{.name = "out", .kind = Path{}, .need = Option::Need::required}}}}});
  CHECK_THROWS_WITH_AS((void)table.parse({}), "--out: is required: expected a path", UsageError);

  const std::string message = table_refusal({"--rounds", "a\nb\x1b" + std::string(1000, 'x')});
  CHECK(message.find('\n') == std::string::npos);
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(message.size() < 200);
  CHECK(in_quotes(std::string(59, 'x') + "\xC3\xA9" + "tail") == "'" + std::string(59, 'x') + "…'");
}

TEST_CASE("the letter of an option means the same as its name and nothing else") {
  const OptionTable table(
      {.command = "x",
       .purpose = "X.",
       .example = "x -o FILE",
       .groups = {{.heading = "Output", .options = {{.name = "out", .kind = Path{}, .value_name = "FILE"}, {.name = "json"}}}}});
  const auto parsed = [&](const std::vector<std::string>& args) { return table.parse(args); };
  CHECK(parsed({"-o", "file"}).text("out") == "file");
  CHECK(parsed({"--json", "-o", "-"}).text("out") == "-");
  CHECK_THROWS_WITH_AS((void)parsed({"-o"}), "--out: expected a path, got nothing", UsageError);
  CHECK_THROWS_WITH_AS((void)parsed({"-o", "--json"}), "--out: expected a path, got nothing", UsageError);
  CHECK_THROWS_WITH_AS((void)parsed({"-o", "a", "--out", "b"}), "--out: is given twice", UsageError);
  CHECK_THROWS_WITH_AS((void)parsed({"-o=a"}), "--out: expected -o VALUE or --out=VALUE, got '-o=a'", UsageError);
  CHECK_THROWS_WITH_AS((void)parsed({"--o", "a"}), "unknown option '--o' (did you mean --out?)", UsageError);
  CHECK_THROWS_WITH_AS((void)parsed({"-j"}), "unknown option '-j' (did you mean --json?)", UsageError);
}

TEST_CASE("help may be asked for anywhere before '--' and nothing else is checked then") {
  CHECK((parse({"-h"}).help_wanted() == HelpExtent::common));
  CHECK((parse({"--rounds", "-1", "--help"}).help_wanted() == HelpExtent::common));
  CHECK((parse({"--rounds", "-1", "--help-all"}).help_wanted() == HelpExtent::all));
  CHECK_FALSE(parse({"--json"}).help_wanted().has_value());
}

TEST_CASE("a long example is wrapped so that a shell can still run it") {
  const OptionTable table(
      {.command = "x", .purpose = "X.", .example = "x --first " + std::string(60, 'a') + " --second " + std::string(60, 'b')});
  CHECK(table.help(HelpExtent::all).find("a \\\n    --second b") != std::string::npos);
}

TEST_CASE("an inconsistent table and a getter of another kind are logic errors") {
  const auto table_of = [](std::vector<Option> options) {
    return OptionTable(
        {.command = "x", .purpose = "X.", .example = "x", .groups = {{.heading = "All", .options = std::move(options)}}});
  };
  CHECK_THROWS_AS((void)table_of({{.name = "json"}, {.name = "json"}}), std::logic_error);
  CHECK_THROWS_AS((void)table_of({{.name = "help"}}), std::logic_error);
  CHECK_THROWS_AS((void)table_of({{.name = "help-all"}}), std::logic_error);
  CHECK_THROWS_AS(OptionTable({.command = "x", .purpose = "X.", .example = "x", .common = {"no-such-option"}}), std::logic_error);
  CHECK_THROWS_AS((void)table_of({{.name = "size", .kind = Integer{1, 2}, .otherwise = "3"}}), std::logic_error);
  CHECK_THROWS_AS((void)parse({}).integer("noise"), std::logic_error);
  CHECK_THROWS_AS((void)parse({}).text("trace"), std::logic_error);
  CHECK_THROWS_AS((void)parse({}).flag("no-such-option"), std::logic_error);
}

TEST_CASE("an error about several options has the form of all others") {
  const UsageError error = UsageError::option("relevant", "expected 1 to 40 (the number of --features), got 50");
  CHECK(std::string(error.what()) == "--relevant: expected 1 to 40 (the number of --features), got 50");
}

TEST_CASE("ranges are written as a person would say them") {
  CHECK(expectation(Real::any()) == "a number");
  CHECK(expectation(Real::above(0)) == "a number above 0");
  CHECK(expectation(Real::above_up_to(0, 1)) == "a number above 0 and of at most 1");
  CHECK(expectation(Integer{.min = 3}) == "a whole number of at least 3");
}

}  // namespace
}  // namespace inkling
