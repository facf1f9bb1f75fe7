// An example program that shows documents to a reader, and learns from ratings and marked words.
#include <cstdio>
#include <vector>

#include <inkling/inkling.hpp>

int main() {
  using namespace inkling;
  // Three documents over two words. The reader likes word 1 and marks it wherever it stands.
  const PoolMatrix pool(CsrMatrix(2, {0, 1, 2, 4}, {0, 1, 0, 1}, {1.0F, 1.0F, 0.6F, 0.8F}));
  Policy policy(pool.view(), "ff-oful", PolicyOptions{}, 1);
  int liked = 0;
  for (int round = 0; round < 200; ++round) {
    const Play play = policy.choose();
    const double rating = value_at(pool.view().by_document.row(play.document), 1);
    const std::vector<FeatureId> marks = rating > 0.0 ? std::vector<FeatureId>{1} : std::vector<FeatureId>{};
    policy.observe(play.document, rating, marks);
    liked += play.document == 1 ? 1 : 0;
  }
  std::printf("the document that the reader likes best was shown in %d of 200 rounds\n", liked);
  return liked > 100 ? 0 : 1;
}
