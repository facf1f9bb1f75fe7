#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/vectors/vector_source.hpp"
#include "io/include/inkling/pool.hpp"

namespace inkling {
namespace {

/// Texts in memory. Lifetime: lends them.
class ListedTexts final : public DocumentSource {
 public:
  explicit ListedTexts(std::span<const PoolText> texts) : texts_(texts) {
    for (const PoolText& one : texts) total_bytes_ += one.text.size();
  }

  [[nodiscard]] bool read(Chunk& chunk) override {
    constexpr std::size_t most_bytes = std::size_t{1} << 20U;
    chunk.origin = origin_;
    chunk.bytes.clear();
    chunk.members.clear();
    for (; next_ < texts_.size() && chunk.bytes.size() < most_bytes; ++next_) {
      const PoolText& one = texts_[next_];
      chunk.members.push_back({std::to_string(next_), chunk.bytes.size(), one.text.size()});
      chunk.bytes.append(one.text);
      chunk.bytes.append(" ");
      bytes_read_ += one.text.size();
    }
    return !chunk.members.empty();
  }

  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override {
    const std::string_view bytes = chunk.bytes.view();
    for (const Chunk::Member& member : chunk.members) {
      const PoolText& one = texts_[static_cast<std::size_t>(std::stoull(member.name))];
      visit({.text = bytes.substr(member.begin, member.size), .id = one.id, .label = one.label});
    }
    return {};
  }

  [[nodiscard]] std::uint64_t total_bytes() const override { return total_bytes_; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_read_; }

 private:
  std::span<const PoolText> texts_;
  std::shared_ptr<const std::string> origin_ = std::make_shared<const std::string>("texts");
  std::size_t next_ = 0;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t bytes_read_ = 0;
};

void check_texts(std::span<const PoolText> texts) {
  for (std::size_t n = 0; n < texts.size(); ++n) {
    if (const RecordVerdict bad = unstorable_label(texts[n].label))
      throw FormatError("texts[" + std::to_string(n) + "]: the label", bad->expectation);
    for (const std::string_view part : {texts[n].text, texts[n].id, texts[n].label})
      if (!simdjson::validate_utf8(part.data(), part.size()))
        throw FormatError("texts[" + std::to_string(n) + "]", "expected UTF-8");
  }
}

}  // namespace

void build_pool(const std::string& folder, std::span<const PoolText> texts, std::span<const float> vectors) {
  check_texts(texts);
  if (!vectors.empty() && (texts.empty() || vectors.size() % texts.size() != 0))
    throw FormatError("vectors", "expected as many numbers for each of the " + std::to_string(texts.size()) + " texts, found " +
                                     std::to_string(vectors.size()) + " in all");
  ListedTexts source(texts);
  TextBuildOptions options;
  options.recipe.longest_ngram = kNgramsBySize;
  options.texts = TextKeeping::keep;
  if (!vectors.empty())
    options.vectors = vectors_in_memory("vectors", npy_descr<float>, std::as_bytes(vectors), std::ssize(texts),
                                        std::ssize(vectors) / std::ssize(texts));
  options.origin = {{"C++"}, "texts", std::string(program_version)};
  options.check = [](const TextBuildSummary& summary) {
    if (summary.features == 0) throw FormatError("texts", "expected a word, found none in these documents");
  };
  ThreadLimit(std::min(available_threads(), most_build_threads(options.memory))).run([&] {
    PoolStaging staging(folder);
    static_cast<void>(build_text_pool(source, options, staging, [](BuildPhase, std::uint64_t, std::uint64_t, std::int64_t) {}));
  });
}

}  // namespace inkling
