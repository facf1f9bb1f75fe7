// The pool of datasets/tiny, built in a folder of its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/base/file/output_file.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/source/document_source.hpp"
#include "tests/support/io/temporary_folder.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling::test {}

namespace inkling::bench::test {

using namespace inkling::test;  // tests name helpers of both as test::

inline const std::string kTinyDocuments = test::tests_path("../datasets/tiny/documents.jsonl");
inline const std::string kGardeningWords = test::tests_path("../datasets/tiny/gardening_words.txt");

/// A folder with pools and word lists in it.
class PoolFolder {
 public:
  /// Builds a pool from JSON lines; returns its path.
  [[nodiscard]] std::string build(const std::string& jsonl, const std::string& name) const {
    SourceOptions reading = {.format = "jsonl"};
    const std::unique_ptr<DocumentSource> source = open_source({jsonl}, reading);
    PoolStaging staging(file(name));
    static_cast<void>(build_text_pool(*source, {}, staging));
    return file(name);
  }

  /// 20 documents about gardening and sailing.
  [[nodiscard]] std::string tiny_pool() const { return build(kTinyDocuments, "tiny"); }

  [[nodiscard]] std::string write(const std::string& name, std::string_view text) const {
    write_file(file(name), text);
    return file(name);
  }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  inkling::test::TemporaryFolder folder_;
};

}  // namespace inkling::bench::test
