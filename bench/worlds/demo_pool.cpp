#include "bench/worlds/demo_pool.hpp"

#include <memory>
#include <string_view>

#include "io/build/text_builder.hpp"
#include "io/cli/build_info.hpp"
#include "io/cli/interruption.hpp"
#include "io/file/output_file.hpp"
#include "io/pool/write/pool_staging.hpp"
#include "io/source/document_source.hpp"

namespace inkling::bench {

CorpusSize write_demo_corpus(const SyntheticCorpus& corpus, std::int64_t documents, const std::string& path) {
  OutputFile file(path);
  const CorpusSize size = write_corpus(corpus, CorpusFormat::jsonl, {.documents = documents},
                                       [&](std::string_view records, const CorpusSize&) {
                                         throw_if_interrupted();
                                         file.append(records);
                                       });
  file.close();
  return size;
}

BuiltPool build_demo_pool(const std::string& corpus, const std::string& pool) {
  SourceOptions reading;
  reading.format = "jsonl";
  const std::unique_ptr<DocumentSource> source = open_source({corpus}, reading);
  TextBuildOptions build;
  build.sources = {corpus};
  build.source_format = "jsonl";
  build.program_version = std::string(program_version);
  PoolStaging staging(pool);
  const TextBuildSummary summary = build_text_pool(*source, build, staging);
  return {summary.features, summary.nonzeros};
}

}  // namespace inkling::bench
