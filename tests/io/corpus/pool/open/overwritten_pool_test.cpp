// Searches of a pool whose files may hold anything: they are overwritten while open, or damaged beneath a record that they were
// checked. Numbers may be wrong, but nothing is read or written out of bounds (C9, C27).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/policy/presets.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/system/file.hpp"
#include "io/corpus/matrix/matrix_export.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/commands/pool_facts.hpp"
#include "io/doors/screen/pool_words.hpp"
#include "io/search/session/searcher.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// A pool of random rows with every optional file.
test::SmallPool whole_pool(RandomStream& random) {
  constexpr std::int32_t documents = 80;
  test::SmallPool pool = test::random_small_pool({.documents = documents, .features = 50, .density = 0.15}, random);
  pool.vocabulary.emplace();
  pool.ids.emplace();
  pool.texts.emplace();
  for (int word = 0; word < pool.columns; ++word) pool.vocabulary->push_back("word" + std::to_string(100 + word));
  for (int row = 0; row < documents; ++row) {
    pool.ids->push_back("story-" + std::to_string(row));
    pool.texts->push_back("word1" + std::to_string(row) + " and word120, déjà vu");
    pool.labels.push_back(row % 4 - 1);
  }
  pool.label_names = {"earth", "fire", "water"};
  return pool;
}

// Damaged bytes for a random position of a file, as disk errors and broken or hostile programs leave them.
std::vector<std::byte> damage_for(std::span<const std::byte> bytes, std::size_t& at, RandomStream& random) {
  constexpr std::size_t header = 128;
  constexpr auto numbers = std::to_array<std::uint32_t>(
      {0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 79, 80, 50, 49, 0x7F800000, 0x7FC00000, 0xFFC00000, 0x7F7FFFFF, 4096});
  const std::size_t first = bytes.size() > header + 8 ? header : 0;
  at = first + random.below(std::max<std::size_t>(bytes.size() - first, 1));
  std::vector<std::byte> damage;
  const auto put = [&](std::uint32_t number) {
    const auto* const begin = reinterpret_cast<const std::byte*>(&number);
    damage.insert(damage.end(), begin, begin + sizeof number);
  };
  switch (random.below(4)) {
    case 0:
      if (at < bytes.size()) damage.push_back(bytes[at] ^ (std::byte{1} << random.below(8)));
      break;
    case 1:
      at -= at % 4;
      put(numbers.at(random.below(numbers.size())));
      break;
    case 2:
      at = first;
      for (std::size_t n = 0; n < bytes.size() / 4; ++n) put(static_cast<std::uint32_t>(random.next()));
      break;
    default:
      at = first;
      for (std::size_t n = 0; n < bytes.size() / 4; ++n) put(numbers.at(random.below(numbers.size())));
  }
  if (at < bytes.size()) damage.resize(std::min(damage.size(), bytes.size() - at));
  return at < bytes.size() ? damage : std::vector<std::byte>();
}

// Runs something that may throw an exception of ours; any other exception fails the test.
template <typename Work>
void tried(const Work& work) {
  try {
    work();
  } catch (const FormatError&) {
  } catch (const NumericalError&) {
  }
}

// A search that was begun before the damage goes on after it.
class BegunSearch {
 public:
  BegunSearch(PoolView pool, RandomStream& random) : pool_(pool), random_(random), searcher_(pool, settings(random)) {
    round();
    round();
  }

  void go_on() {
    tried([&] { round(); });
    tried([&] { round(); });
    tried([&] { static_cast<void>(searcher_.ranking(5)); });
    tried([&] { static_cast<void>(searcher_.why(any_document())); });
    tried([&] { static_cast<void>(searcher_.words(20)); });
    tried([&] { searcher_.undo(); });
    tried([&] { static_cast<void>(searcher_.progress()); });
  }

 private:
  static SearchSettings settings(RandomStream& random) {
    std::vector<Preset> searching;
    std::ranges::copy_if(presets(), std::back_inserter(searching), can_search_with);
    return {.preset = searching.at(random.below(searching.size())), .seed = random.next(), .keep_scores = random.coin(0.7)};
  }

  [[nodiscard]] DocumentId any_document() const {
    return static_cast<DocumentId>(random_.below(static_cast<std::uint64_t>(pool_.documents())));
  }

  void round() {
    const std::optional<Offer> offer = searcher_.next();
    if (!offer) return;
    SearchRating rating = {.document = offer->document, .reward = random_.coin(0.5) ? 1.0 : 0.0};
    const IdView words = pool_.row_of(offer->document).features;
    if (!words.empty()) rating.words.push_back({.feature = words[random_.below(words.size())]});
    searcher_.rate(rating);
  }

  PoolView pool_;
  RandomStream& random_;
  Searcher searcher_;
};

// A file of a pool that is written to while others have it open.
class WrittenFile {
 public:
  explicit WrittenFile(const std::string& path) : file_(File::open(path, OpenAs::unfollowed_editor)) {
    const auto status = file_.status();
    REQUIRE(status);
    bytes_.resize(status->size);
    REQUIRE(file_.read_at(bytes_, 0) == bytes_.size());
  }

  void damage(RandomStream& random) const {
    std::size_t at = 0;
    const std::vector<std::byte> damage = damage_for(bytes_, at, random);
    REQUIRE(file_.write_all_at(damage, at) == 0);
  }
  void mend() const { REQUIRE(file_.write_all_at(bytes_, 0) == 0); }

 private:
  File file_;
  std::vector<std::byte> bytes_;
};

// All that doors do with a pool except searches.
void look_at(const PoolSet& pools, RandomStream& random) {
  const Pool& pool = pools.mapped(0);
  const auto document = static_cast<DocumentId>(random.below(80));
  tried([&] { static_cast<void>(pool_facts(pools, 3, 3)); });
  tried([&] { static_cast<void>(facts_of_document(pool, document, [](FeatureId) { return Look::plain; })); });
  tried([&] { static_cast<void>(words_of_document(pool, document, [](FeatureId) { return Look::plain; })); });
  tried([&] { static_cast<void>(document_line(pool, {document, 1.0})); });
  tried([&] { static_cast<void>(pool.row(document)); });
  tried([&] { static_cast<void>(document_typed(pool, "story-17")); });
  tried([&] { static_cast<void>(pool.feature_of("word120")); });
  const ExportedMatrix matrix = {pool.view().by_document, pool.labels(), pool.label_names()};
  constexpr std::array writers = {export_svmlight, export_matrix_market, export_npz};
  tried([&] {
    OutputFile nowhere("/dev/null");
    writers.at(random.below(writers.size()))(matrix, nowhere);
  });
}

void overwrite_while_open(int times, std::uint64_t seed) {
  RandomStream random = test::stream_for(seed);
  const test::TemporaryFolder folder;
  const std::string path = folder.file("P");
  test::write_pool(whole_pool(random), path);
  const PoolSet pools = PoolSet::open(std::vector{path}, PoolAccess::map, PoolTrust::checksums);
  const Pool& pool = pools.mapped(0);
  std::vector<WrittenFile> files;
  for (const std::string_view name : kPoolFileNames)
    if (pool.manifest().file(name) != nullptr) files.emplace_back(pool_file_path(path, name));
  for (int n = 0; n < times; ++n) {
    BegunSearch search(pool.view(), random);
    const WrittenFile& file = files[random.below(files.size())];
    file.damage(random);
    search.go_on();
    look_at(pools, random);
    tried([&] { BegunSearch(pool.view(), random).go_on(); });
    file.mend();
  }
  // After the repair everything is as before, even what was held in memory.
  BegunSearch(pool.view(), random).go_on();
}

void open_beneath_record(int times, std::uint64_t seed) {
  RandomStream random = test::stream_for(seed);
  const test::TemporaryFolder folder;
  test::write_pool(whole_pool(random), folder.file("P"));
  test::PoolBytes pool(folder.file("P"));
  int opened = 0;
  for (int n = 0; n < times; ++n) {
    const std::string name(kPoolFileNames.at(random.below(kPoolFileNames.size())));
    if (!pool.files().contains(name)) continue;
    const std::vector<std::byte> before = pool[name];
    std::size_t at = 0;
    const std::vector<std::byte> damage = damage_for(before, at, random);
    std::ranges::copy(damage, pool[name].begin() + static_cast<std::ptrdiff_t>(at));
    tried([&] {
      const PoolFiles files = pool.view();
      const PoolContents contents = checked_contents("P", files, CheckExtent::outline);
      ++opened;
      BegunSearch(contents.matrix, random).go_on();
      static_cast<void>(test::scan_of(contents));
    });
    pool[name] = before;
  }
  CHECK(opened > times / 4);
}

TEST_CASE("a pool that is written over while it is searched and shown is never read out of bounds") {
  overwrite_while_open(test::cases(1500), 81);
}

TEST_CASE("a pool that is wrong beneath a record of its check is never read out of bounds") {
  open_beneath_record(test::cases(3000), 82);
}

TEST_CASE("a pool that is written over 20,000 times is never read out of bounds" * doctest::test_suite("slow")) {
  overwrite_while_open(20'000, 83);
}

TEST_CASE("a pool that is wrong 100,000 times beneath a record is never read out of bounds" * doctest::test_suite("slow")) {
  open_beneath_record(100'000, 84);
}

}  // namespace
}  // namespace inkling
