// searches: what people look for in a pool, with the policies of this program and those in use beside each other.
#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/beyond/search_cases.hpp"
#include "bench/beyond/search_results.hpp"

namespace inkling::bench {
namespace {

SettingRows search_setting_rows(const Results& /*results*/) {
  const std::vector<std::string_view> missing = missing_players();
  if (missing.empty()) return {};
  return {{"left out: this program has no such policy", fmt::format("{}", fmt::join(missing, ", "))}};
}

}  // namespace

Figure searches_figure() {
  return {.name = "searches",
          .title = "Searches, beside what people use",
          .paper_place = "Beyond the paper: searches for the documents of a topic",
          .needs = PaperData::searches,
          .studies = search_studies,
          .charts = search_charts(),
          .tables = search_tables(),
          .claims = search_claims(),
          .more_settings = search_setting_rows};
}

}  // namespace inkling::bench
