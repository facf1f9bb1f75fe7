#include "io/corpus/pool/open/pool_set.hpp"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

PoolSet open_set(const std::vector<std::string>& paths, PoolAccess access, PoolTrust trust = PoolTrust::checksums) {
  return PoolSet::open(paths, access, trust);
}

std::string what_of(const std::vector<std::string>& paths, PoolAccess access) {
  return test::error_of([&] { static_cast<void>(open_set(paths, access)); });
}

constexpr PoolAccess kBothAccesses[] = {PoolAccess::map, PoolAccess::read};

TEST_CASE_FIXTURE(test::InFolder, "several pools are numbered as one with the ids and rows of each") {
  const test::SmallPool pool = test::small_pool();
  test::SmallPool without_ids = pool;
  without_ids.ids.reset();
  without_ids.rows.resize(2);
  without_ids.texts.reset();
  without_ids.fields.reset();
  without_ids.labels.clear();
  without_ids.label_names.clear();
  without_ids.copies = {};
  without_ids.vectors = {};
  test::write_pool(pool, folder.file("A"));
  test::write_pool(without_ids, folder.file("B"));
  const CsrMatrix rows = test::matrix_of(pool.columns, pool.rows);
  for (const PoolAccess access : kBothAccesses) {
    const PoolSet set = open_set({folder.file("A"), folder.file("B"), folder.file("A")}, access);
    REQUIRE(set.documents() == 12);
    CHECK(set.features() == 7);
    CHECK(set.nonzeros() == 11 + 3 + 11);
    CHECK(set.has_ids());
    IdStream ids(set);
    for (std::int64_t document = 0; document < 12; ++document) {
      CAPTURE(document);
      const PoolPlace place = set.place_of(document);
      CHECK(set.first_document(place.pool) + place.row == document);
      CHECK(place.pool == (document < 5 ? 0U : document < 7 ? 1U : 2U));
      const CsrMatrix one = set.row(document);
      const SparseRow expected = rows.view().row(place.row);
      CHECK(std::vector(one.view().features().begin(), one.view().features().end()) ==
            std::vector(expected.features.begin(), expected.features.end()));
      CHECK(std::vector(one.view().values().begin(), one.view().values().end()) ==
            std::vector(expected.values.begin(), expected.values.end()));
      const std::optional<std::string> id = set.id(document);
      CHECK(id.has_value() == (place.pool != 1));
      if (id) CHECK(*id == (*pool.ids)[static_cast<std::size_t>(place.row)]);
      const std::optional<std::string_view> streamed = ids.next();
      CHECK(streamed.has_value() == id.has_value());
      if (id) CHECK(*streamed == *id);
    }
    CHECK(set.document_frequency(2) == 3 + 1 + 3);
    CHECK(set.feature_of("keel") == 2);
    CHECK(set.word(6) == "été");
    CHECK_FALSE(set.feature_of("kee"));
    CHECK_FALSE(set.feature_of("zzz"));
  }
}

TEST_CASE_FIXTURE(test::InFolder, "pools that do not fit are refused by both names and the first difference") {
  const std::string a = folder.file("A");
  const std::string b = folder.file("B");
  test::write_pool(test::small_pool(), a);
  test::SmallPool other = test::small_pool();
  (*other.vocabulary)[3] = "lobe";
  test::write_pool(other, b);
  for (const PoolAccess access : kBothAccesses) {
    CHECK(what_of({a, b}, access) ==
          b + "/vocabulary.txt:4: expected the vocabulary of " + a + ", which has 'loam' here, found 'lobe'");
    CHECK(what_of({}, access) == "pools: expected at least one");
  }
  other = test::small_pool();
  other.columns = 8;
  other.vocabulary->emplace_back("été2");
  other.idf.reset();
  test::write_pool(other, b);
  CHECK(what_of({a, b}, PoolAccess::read) ==
        b + "/vocabulary.txt:8: expected the vocabulary of " + a + ", which has its end here, found 'été2'");
  CHECK(what_of({b, a}, PoolAccess::map) ==
        a + "/vocabulary.txt:8: expected the vocabulary of " + b + ", which has 'été2' here, found its end");
  test::write_pool({.columns = 7, .rows = {{}}}, b);
  CHECK(what_of({a, b}, PoolAccess::map) == b + ": expected a vocabulary, as " + a + " has, found features without words");
  test::write_pool({.columns = 5, .rows = {{}}}, a);
  CHECK(what_of({a, b}, PoolAccess::read) == b + ": expected 5 features, as " + a + " has, found 7");
}

TEST_CASE_FIXTURE(test::InFolder, "reading a damaged pool fails with the name of the file") {
  const std::string path = folder.file("P");
  test::write_pool(test::small_pool(), path);
  for (const char* const name : {"indptr.npy", "indices.npy", "data.npy", "by_feature/indptr.npy", "documents/ids.npy",
                                 "documents/ids_indptr.npy", "vocabulary.txt"}) {
    CAPTURE(name);
    const std::string file = pool_file_path(path, name);
    const auto size = fs::file_size(file);
    const auto use = [&] {
      const PoolSet set = open_set({path}, PoolAccess::read);
      static_cast<void>(set.row(3));
      static_cast<void>(set.id(4));
      static_cast<void>(set.document_frequency(6));
    };
    const auto problem = [&] {
      try {
        use();
        return std::string("none");
      } catch (const CorruptFileError& error) {
        return std::string(error.what());
      }
    };
    CHECK(problem() == "none");
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekg(static_cast<std::streamoff>(size - 1));
    const int last = stream.get();
    stream.seekp(static_cast<std::streamoff>(size - 1));
    stream.put(static_cast<char>(last ^ 0x40));
    stream.flush();
    CHECK(problem().starts_with(file + ": damaged"));
    stream.seekp(static_cast<std::streamoff>(size - 1));
    stream.put(static_cast<char>(last));
    stream.close();
    fs::resize_file(file, size - 1);
    CHECK(problem().starts_with(file + ": truncated"));
    fs::remove(file);
    CHECK(problem() == file + ": missing");
    test::write_pool(test::small_pool(), path);
  }
}

TEST_CASE_FIXTURE(test::InFolder, "an unchecked flipped bit gives an error or another answer and does no harm") {
  const std::string path = folder.file("P");
  test::write_pool(test::small_pool(), path);
  for (const char* const name :
       {"indptr.npy", "indices.npy", "data.npy", "by_feature/indptr.npy", "documents/ids.npy", "documents/ids_indptr.npy"}) {
    const std::string file = pool_file_path(path, name);
    const auto bits = static_cast<std::streamoff>(8 * fs::file_size(file));
    for (std::streamoff bit = 1024; bit < bits; bit += 7) {
      test::flip_bit_of(file, bit);
      try {
        const PoolSet set = open_set({path}, PoolAccess::read, PoolTrust::structure);
        IdStream ids(set);
        for (std::int64_t row = 0; row < set.documents(); ++row) {
          static_cast<void>(ids.next());
          static_cast<void>(set.id(row));
          static_cast<void>(set.row(row));
        }
        for (FeatureId feature = 0; feature < set.features(); ++feature) static_cast<void>(set.document_frequency(feature));
      } catch (const CorruptFileError&) {
        // The pool may also be refused.
      }
      test::flip_bit_of(file, bit);
    }
  }
}

}  // namespace
}  // namespace inkling
