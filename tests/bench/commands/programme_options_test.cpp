#include "bench/commands/programme_options.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/paper/figures.hpp"

namespace inkling::bench {
namespace {

ProgrammeRequest request(std::vector<std::string> args) {
  args.insert(args.end(), {"--out", "DIR"});
  return request_of(paper_programme(), option_table_of(paper_programme()).parse(args));
}

std::vector<std::string_view> names_of(const ProgrammeRequest& request) {
  std::vector<std::string_view> names;
  for (const Figure* figure : request.wanted.figures) names.push_back(figure->name);
  return names;
}

TEST_CASE("figures are made once each in the paper's order, all without names, and a wrong name gets the nearest one") {
  CHECK(request({}).wanted.figures.size() == paper_programme().figures().size());
  CHECK(names_of(request({"epoch", "sparse", "epoch"})) == std::vector<std::string_view>{"sparse", "epoch"});
  for (const Figure& figure : paper_programme().figures())
    CHECK(names_of(request({std::string(figure.name)})).front() == figure.name);

  CHECK_THROWS_WITH_AS(static_cast<void>(request({"sprase"})), doctest::Contains("did you mean sparse?"), UsageError);
}

TEST_CASE("a quick run has fewer trials and ridges and shorter horizons, unless they are given") {
  const PaperSettings full = request({}).run.settings;
  CHECK(full.trials == 100);
  CHECK(full.horizon(4096) == 4096);
  CHECK(full.ridges().size() == 18);
  const PaperSettings quick = request({"--quick"}).run.settings;
  CHECK(quick.trials == 20);
  CHECK(quick.horizon(4096) == 1024);
  CHECK(quick.ridges().size() == 9);
  const PaperSettings given = request({"--quick", "--trials", "30", "--rounds", "77"}).run.settings;
  CHECK(given.trials == 30);
  CHECK(given.horizon(4096) == 77);
}

TEST_CASE("the command in the output repeats the given options and no others") {
  CHECK(request({"sparse", "--quick", "--seed", "3", "--noise", "0.25", "--threads", "2"}).run.command ==
        "inkling-bench paper sparse --quick --seed 3 --noise 0.25 --out DIR");
}

TEST_CASE("a pool of the user makes the searches and no other figure unless one is named") {
  const auto beyond = [](std::vector<std::string> args) {
    args.insert(args.end(), {"--out", "DIR"});
    return request_of(beyond_programme(), option_table_of(beyond_programme()).parse(args));
  };
  const ProgrammeRequest searches = beyond({"--pool", "my-pool"});
  CHECK(names_of(searches) == std::vector<std::string_view>{"searches"});
  CHECK(searches.wanted.pool == "my-pool");
  CHECK(searches.run.command == "inkling-bench beyond --pool POOL --out DIR");
  CHECK(names_of(beyond({"reviews", "--pool", "my-pool"})) == std::vector<std::string_view>{"reviews"});
  CHECK(beyond({}).wanted.figures.size() == beyond_programme().figures().size());
  CHECK_FALSE(beyond({}).wanted.pool);
  CHECK_THROWS_AS(static_cast<void>(request({"--pool", "my-pool"})), UsageError);
  CHECK(beyond({"--python", "env/bin/python"}).wanted.peers.python == "env/bin/python");
  CHECK_THROWS_AS(static_cast<void>(request({"--python", "env/bin/python"})), UsageError);
}

}  // namespace
}  // namespace inkling::bench
