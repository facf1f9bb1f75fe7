// Fuzzes the requests on a pipe: each line is answered by one line of JSON, and the search stays valid.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/errors.hpp"
#include "io/base/file/json_text.hpp"
#include "io/doors/protocol/search_protocol.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/fuzz/one_thread.hpp"
#include "tests/fuzz/pool_folders.hpp"
#include "tests/support/io/event_texts.hpp"
#include "tests/support/io/small_pools.hpp"

namespace inkling::fuzz {
namespace {

test::SmallPool pool_of_small_scope() {
  test::SmallPool pool;
  pool.columns = static_cast<std::int32_t>(test::small_vocabulary.size());
  for (std::size_t row = 0; row < test::small_ids.size(); ++row) {
    const auto feature = static_cast<FeatureId>(row % test::small_vocabulary.size());
    pool.rows.push_back({{feature, 0.5F + static_cast<float>(row)}});
  }
  pool.vocabulary.emplace(test::small_vocabulary.begin(), test::small_vocabulary.end());
  pool.ids.emplace(test::small_ids.begin(), test::small_ids.end());
  return pool;
}

// Shared by all inputs, because it keeps nothing of a search.
const Pool& small_pool_on_disk() {
  static PoolFolders folders;
  static const Pool pool = [] {
    const std::string path = folders.write("folder", {}) + "/pool";
    test::write_pool(pool_of_small_scope(), path);
    return Pool::open(path);
  }();
  return pool;
}

}  // namespace
}  // namespace inkling::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  fuzz::use_one_thread();
  const fuzz::Input input(data, size);
  const Pool& pool = fuzz::small_pool_on_disk();
  const EventScope scope = test::small_scope();
  const bool disk_fails = input.choice(0);
  const SearchSettings settings = {
      .preset = *find_preset(input.choice(1) ? "soft-marks" : "ff-oful"), .seed = 1, .keep_scores = input.choice(2)};
  std::vector<SearchEvent> kept;
  int attempts = 0;
  Searcher searcher(pool.view(), settings, {}, [&](std::span<const SearchEvent> events) {
    if (disk_fails && ++attempts % 3 == 0) throw SystemError("disk", 28, "write");
    kept.insert(kept.end(), events.begin(), events.end());
  });
  const ShownPool shown(pool, scope);
  SearchService service(searcher, shown);
  std::string_view left = input.text;
  int refused = 0;  // refusals take most of the time and change nothing, so a few are enough
  for (int line = 0; line < 16 && refused < 4 && !left.empty(); ++line) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::size_t before = kept.size();
    const std::string answer = answer_line(service, left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
    fuzz::check_text(answer);
    fuzz::demand(!json_fault(answer) && answer.starts_with('{') && answer.find('\n') == std::string::npos);
    if (answer.starts_with("{\"error\"")) {
      ++refused;
      // The only event that a refused request may add is the document that was shown before the request was read.
      fuzz::demand(kept.size() == before || (kept.size() == before + 1 && kept.back().kind == SearchEventKind::shown));
    }
    const auto events = searcher.history().events();
    fuzz::demand(std::ranges::equal(events, kept));
  }
  Searcher again(pool.view(), settings, kept);
  if (!disk_fails) fuzz::demand(searcher.next() == again.next());
  return 0;
}
