#include "io/search/events/pool_fingerprint.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

Manifest manifest_with(const std::vector<FileRecord>& files) {
  Manifest manifest;
  manifest.rows = 3;
  manifest.columns = 2;
  manifest.files = files;
  return manifest;
}

std::vector<FileRecord> files_with_ids() {
  return {{"data.npy", 140, {1}},    {"documents/ids.npy", 138, {2}}, {"documents/ids_indptr.npy", 160, {3}},
          {"indices.npy", 140, {4}}, {"indptr.npy", 160, {5}},        {"vocabulary.txt", 9, {6}}};
}

TEST_CASE("fingerprints tell pools of other words, ids or numbers of rows apart, and no others") {
  const std::string expected = pool_fingerprint(manifest_with(files_with_ids()));
  CHECK(expected.size() == 16);
  CHECK(expected.find_first_not_of("0123456789abcdef") == std::string::npos);
  for (std::size_t file = 0; file < files_with_ids().size(); ++file) {
    std::vector<FileRecord> files = files_with_ids();
    files[file].checksums.front() += 100;
    CAPTURE(files[file].name);
    const bool matters = files[file].name.starts_with("documents/") || files[file].name == "vocabulary.txt";
    CHECK((pool_fingerprint(manifest_with(files)) != expected) == matters);
  }
  Manifest longer = manifest_with(files_with_ids());
  longer.rows = 4;
  CHECK(pool_fingerprint(longer) != expected);
}

TEST_CASE("without ids the features of the rows tell pools apart") {
  const std::vector<FileRecord> files = {{"indices.npy", 140, {4}}, {"indptr.npy", 160, {5}}};
  const std::string expected = pool_fingerprint(manifest_with(files));
  for (std::size_t file = 0; file < files.size(); ++file) {
    std::vector<FileRecord> others = files;
    others[file].checksums.front() += 100;
    CHECK(pool_fingerprint(manifest_with(others)) != expected);
  }
}

TEST_CASE("several pools have one fingerprint, which depends on their order") {
  const std::vector<std::string> two = {"0123456789abcdef", "fedcba9876543210"};
  const std::vector<std::string> turned = {two[1], two[0]};
  CHECK(joint_fingerprint(std::span(two).first(1)) == two[0]);
  CHECK(joint_fingerprint(two).size() == 16);
  CHECK(joint_fingerprint(two) != joint_fingerprint(turned));
}

// Events on disk name pools by their fingerprints, so these must never change.
TEST_CASE("a fingerprint is the same for ever") {
  CHECK(pool_fingerprint(manifest_with(files_with_ids())) == "22f4c9a47524ecf5");
}

}  // namespace
}  // namespace inkling
