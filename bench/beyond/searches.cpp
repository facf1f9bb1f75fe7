// searches: what people look for in a pool, with the policies of this program and those in use beside each other.
#include "bench/beyond/beyond_programme.hpp"
#include "bench/beyond/search_cases.hpp"
#include "bench/beyond/search_results.hpp"

namespace inkling::bench {
Figure searches_figure() {
  return {.name = "searches",
          .title = "Searches, beside what people use",
          .paper_place = "Beyond the paper: searches for the documents of a topic",
          .needs = PaperData::searches,
          .studies = search_studies,
          .charts = search_charts(),
          .tables = search_tables(),
          .claims = search_claims()};
}

}  // namespace inkling::bench
