// An example program that searches a pool of `inkling build`, and keeps the answers in a file:
//   kept_search POOL FILE
#include <cstdio>
#include <exception>

#include <inkling/search.hpp>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: kept_search POOL FILE\n");
    return 2;
  }
  try {
    const inkling::OpenedPool pool(argv[1]);
    inkling::Search search(pool, argv[2]);
    if (const auto soil = pool.feature_of("soil")) {
      const inkling::SaidWord word = {.feature = *soil, .reward = 1.0};
      search.rate_words({&word, 1});
    }
    int answers = 0;
    while (answers < 3) {
      const auto document = search.next();
      if (!document) break;
      search.rate(*document, answers == 0 ? 1.0 : 0.0);
      ++answers;
    }
    const auto best = search.ranking(1);
    std::printf("%d answers, the best of the rest is %d\n", answers, best.empty() ? -1 : best.front().document);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kept_search: %s\n", error.what());
    return 1;
  }
}
