// Pools with wrong contents whose checksums fit, opened in every way: if one way refuses a pool, all others do.
#include "tests/support/io/lying_pools.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/matrix/matrix_export.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/search/score/pool_scan.hpp"
#include "tests/support/engine/plain_scan.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// Predictions, rows, words and ids as text, or the message if the pool is refused.
std::string told_by(const std::string& path, PoolAccess access, ScanLayout layout) {
  const test::PlainModel model{.features = {2, 6}, .theta = {1.0, -3.0}, .inverse = {1.0, 0.5, 0.5, 2.0}};
  try {
    const PoolSet pools = PoolSet::open(std::vector{path}, access, PoolTrust::checksums);
    std::string told;
    std::vector<FrozenModel> models;
    if (pools.features() > 6) models.push_back(model.frozen());
    const JointScan joint(std::move(models));
    const ScanReceiver receiver = {.consume = [&](const ScannedBlock& block) {
      for (const Prediction& prediction : block.predictions)
        told += std::to_string(prediction.mean) + " " + std::to_string(prediction.square) + "\n";
    }};
    if (pools.features() > 6) scan(pools, joint, {.layout = layout}, receiver);
    IdStream ids(pools);
    for (std::int64_t row = 0; row < pools.documents(); ++row) {
      told += std::string(ids.next().value_or("none")) + pools.id(row).value_or("none");
      const CsrMatrix entries = pools.row(row);
      for (const float value : entries.view().values()) told += std::to_string(value);
    }
    for (FeatureId feature = 0; feature < pools.features(); ++feature) {
      told += std::to_string(pools.document_frequency(feature));
      if (pools.has_words()) told += pools.word(feature);
    }
    return told;
  } catch (const CorruptFileError& error) {
    return std::string("refused: ") + error.what();
  }
}

std::string verified(const std::string& path) {
  try {
    static_cast<void>(verify_pool(path));
    return "intact";
  } catch (const CorruptFileError& error) {
    return std::string("refused: ") + error.what();
  }
}

void export_in_every_format(const std::string& path, const std::string& to) {
  try {
    const Pool pool = Pool::open(path);
    const ExportedMatrix matrix = {pool.view().by_document, pool.labels(), pool.label_names()};
    for (const auto write : {export_svmlight, export_matrix_market, export_npz}) {
      OutputFile file(to);
      write(matrix, file);
      file.close();
    }
  } catch (const CorruptFileError&) {  // NOLINT(bugprone-empty-catch): refused, as the others refuse it
  }
}

TEST_CASE_FIXTURE(test::InFolder, "a pool with wrong contents is refused by every way to open it or by none") {
  const std::string path = folder.file("P");
  const std::vector<test::Lie> lies = test::all_lies();
  CHECK(lies.size() >= 297);
  std::size_t refused = 0;
  for (const test::Lie& lie : lies) {
    CAPTURE(lie.name);
    test::PoolToTell pool = test::sound_pool();
    lie.tell(pool);
    test::write_told_pool(pool, path);
    const std::string mapped = told_by(path, PoolAccess::map, ScanLayout::rows);
    CHECK(told_by(path, PoolAccess::map, ScanLayout::postings) == mapped);
    CHECK(told_by(path, PoolAccess::read, ScanLayout::rows) == mapped);
    CHECK(told_by(path, PoolAccess::read, ScanLayout::postings) == mapped);
    const bool is_refused = mapped.starts_with("refused: ");
    CHECK(verified(path) == (is_refused ? mapped : "intact"));
    export_in_every_format(path, folder.file("exported"));
    refused += is_refused ? 1U : 0U;
  }
  CHECK(refused > lies.size() / 2);
}

}  // namespace
}  // namespace inkling
