// An example program that makes a pool of texts, searches it with a setting of one's own, and explains:
//   from_texts FOLDER
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <inkling/pool.hpp>
#include <inkling/search.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: from_texts FOLDER\n");
    return 2;
  }
  try {
    const std::vector<inkling::PoolText> texts = {
        {"dig the soil", "a"}, {"the cold sea", "b"}, {"soil and compost", "c"}, {"a cold wind", "d"}};
    inkling::build_pool(argv[1], texts);
    const inkling::OpenedPool pool(argv[1]);
    inkling::NewSearch begin = {.policy = "ff-oful"};
    begin.options.ridge = 0.5;
    inkling::Search search(pool, std::string(argv[1]) + ".search", "gold", begin);
    const inkling::SaidWord soil = {.feature = pool.feature_of("soil").value()};
    search.rate(0, 1.0, {&soil, 1});
    search.rate(1, 0.0);
    const inkling::SearchSummary progress = search.progress();
    const inkling::ScoreReasons why = search.why(2);
    std::printf("%d of %d rated, %d good; %s: %.3f by %d word\n", static_cast<int>(progress.rated),
                static_cast<int>(progress.documents), static_cast<int>(progress.good), pool.id(2)->c_str(), why.mean,
                static_cast<int>(why.reasons.size()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "from_texts: %s\n", error.what());
    return 1;
  }
}
