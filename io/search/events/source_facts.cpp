#include "io/search/events/source_facts.hpp"

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/corpus/fields/record_head.hpp"
#include "io/corpus/same/record_identity.hpp"
#include "io/search/events/field_ratings.hpp"

namespace inkling {
namespace {

// Counts the documents of one pool.
class DocumentFactsReader {
 public:
  explicit DocumentFactsReader(const Pool& pool) : pool_(pool), field_(rating_field_of(pool)) {}

  [[nodiscard]] bool is_labelled(DocumentId row) const {
    if (pool_.label(row)) return true;
    if (!field_) return false;
    for (const KeptField& field : kept_fields((*pool_.fields())[row]))
      if (field.name == *field_ && rating_in_text(field.text()).verdict == FieldVerdict::rated) return true;
    return false;
  }
  [[nodiscard]] bool knows_abstracts() const { return pool_.fields() && pool_.texts(); }
  [[nodiscard]] bool has_abstract(DocumentId row) {
    SourceDocument document;
    document.text = (*pool_.texts())[row];
    document.fields = (*pool_.fields())[row];
    return identity_.read(document).has(RecordIdentity::kAbstract);
  }

 private:
  const Pool& pool_;
  std::optional<std::string> field_;
  IdentityReader identity_;
};

std::vector<FileOfRecords> files_of_all(std::span<const Pool* const> pools) {
  std::vector<FileOfRecords> all;
  for (const Pool* const pool : pools)
    for (const FileOfRecords& source : record_sources(pool->manifest())) add_records(all, source);
  return all;
}

std::vector<const Pool*> all_mapped(const PoolSet& pools) {
  std::vector<const Pool*> all;
  for (std::size_t n = 0; n < pools.pools(); ++n) all.push_back(&pools.mapped(n));
  return all;
}

std::vector<SourceFacts> facts_of(std::span<const Pool* const> pools, const auto& original_of) {
  const std::vector<FileOfRecords> all = files_of_all(pools);
  std::vector<SourceFacts> facts;
  facts.reserve(all.size());
  for (const FileOfRecords& source : all) facts.push_back({.records = source});
  std::int64_t document = 0;
  std::size_t at = 0;
  std::int64_t end = all.empty() ? 0 : all.front().documents;
  for (const Pool* const pool : pools) {
    DocumentFactsReader reader(*pool);
    for (DocumentId row = 0; row < pool->view().documents(); ++row, ++document) {
      while (document >= end && at + 1 < all.size()) end += all[++at].documents;
      SourceFacts& source = facts[at];
      if (const std::int64_t original = original_of(document); original != document)
        ++(source_of_row(all, original) == at ? source.copies_within : source.copies_across);
      if (reader.is_labelled(row)) ++source.labelled;
      if (reader.knows_abstracts())
        source.without_abstract = source.without_abstract.value_or(0) + (reader.has_abstract(row) ? 0 : 1);
    }
  }
  return facts;
}

}  // namespace

std::vector<FileOfRecords> files_of(const PoolSet& pools) { return files_of_all(all_mapped(pools)); }

std::vector<SourceFacts> source_facts(const PoolSet& pools) {
  return facts_of(all_mapped(pools), [copies = pools.copies()](std::int64_t row) { return copies.original_of(row); });
}

std::vector<SourceFacts> source_facts(const Pool& pool) {
  const Pool* const one = &pool;
  return facts_of({&one, 1}, [copies = pool.copies()](std::int64_t row) -> std::int64_t {
    return copies.original_of(static_cast<DocumentId>(row));
  });
}

void write_source_facts(JsonWriter& json, std::span<const SourceFacts> sources) {
  json.begin_array();
  for (const SourceFacts& source : sources) {
    const FileOfRecords& records = source.records;
    json.begin_object().member("source", records.name).member("format", records.format).member("documents", records.documents);
    json.member("left_out", records.left_out);
    if (!records.why.empty()) json.member("why", records.why);
    json.member("known", records.known);
    json.member("copies_within", source.copies_within).member("copies_across", source.copies_across);
    json.member("without_abstract", source.without_abstract).member("labelled", source.labelled).end_object();
  }
  json.end_array();
}

std::vector<std::string> source_lines(std::span<const SourceFacts> sources) {
  std::vector<std::string> lines;
  for (const SourceFacts& source : sources) {
    std::string more;
    const auto add = [&more](std::int64_t count, std::string_view what) {
      if (count > 0) more += fmt::format("{}{} {}", more.empty() ? "" : ", ", digit_groups(count), what);
    };
    add(source.copies_within, source.copies_within == 1 ? "copy within it" : "copies within it");
    add(source.copies_across, source.copies_across == 1 ? "copy of another file" : "copies of other files");
    add(source.records.known, "known already and not added");
    const std::string& why = source.records.why;
    add(source.records.left_out, "left out, unreadable" + (why.empty() ? "" : " (the first: " + why + ")"));
    add(source.without_abstract.value_or(0), "without abstract");
    add(source.labelled, "with labels");
    lines.push_back(fmt::format("{}: {} document{}{}", source.records.name.empty() ? "other files" : source.records.name,
                                digit_groups(source.records.documents), source.records.documents == 1 ? "" : "s",
                                more.empty() ? "" : " (" + more + ")"));
  }
  return lines;
}

}  // namespace inkling
