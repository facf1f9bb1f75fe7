#include "io/parts/shards/counts_manifest.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/json_writer.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"

namespace inkling {
namespace {

constexpr SealedFormat kCountsFormat = {.name = "inkling counts", .article = "", .version = 1};
constexpr std::string_view kCountsBeginning = "{\n  \"format\": \"inkling counts\",\n";

// The files that a folder of counts may hold: those of the counts, their manifest, and kept rows, which it does not list.
constexpr auto kWholeCounts = [] {
  constexpr auto beside = std::to_array<std::string_view>({PoolFile::manifest, RowsFile::manifest, RowsFile::rows});
  std::array<std::string_view, kCountsFileNames.size() + beside.size()> names{};
  std::ranges::copy(beside, std::ranges::copy(kCountsFileNames, names.begin()).out);
  return names;
}();

std::string parts_json(const std::vector<CountedPart>& parts) {
  std::string text;
  std::string_view between = "\n";
  for (const CountedPart& part : parts) {
    text +=
        fmt::format("{}    {{\"part\": {}, \"documents\": {}, \"text\": \"{}\"{}{}}}", std::exchange(between, ",\n"), part.part,
                    part.documents, checksum_digits(part.text), part.records.empty() ? "" : ", \"records\": ", part.records);
  }
  return text;
}

std::vector<std::string> ascending_strings(const JsonMembers& json, JsonMembers::Element root, std::string_view key) {
  std::vector<std::string> strings;
  for (const JsonMembers::Element element : json.array(root, key)) {
    std::string_view text;
    const bool is_string = element.get(text) == simdjson::SUCCESS;
    if (!is_string || (!strings.empty() && strings.back() >= text))
      json.fail(fmt::format("expected \"{}\" to be strings that ascend", key));
    strings.emplace_back(text);
  }
  return strings;
}

bool looks_like_counts(std::string_view text) { return text.starts_with(kCountsBeginning); }

}  // namespace

const FileRecord* CountsManifest::file(std::string_view name) const {
  const auto found = std::ranges::find(files, name, &FileRecord::name);
  return found == files.end() ? nullptr : &*found;
}

std::string counts_manifest_text(const CountsManifest& counts) {
  const std::string program = JsonWriter().value(counts.program_version).take();
  std::string text(kCountsBeginning);
  const auto add = [&text](std::string_view key, const auto& value) { text += fmt::format("  \"{}\": {},\n", key, value); };
  add("format_version", CountsManifest::current_version);
  add("needs_program", program);
  add("program", program);
  add("plan", '"' + checksum_digits(counts.plan) + '"');
  add("recipe", counts.recipe);
  add("documents", counts.totals.documents);
  add("entries", counts.totals.entries);
  add("text_bytes", counts.totals.text_bytes);
  add("skipped_records", counts.totals.skipped);
  add("bad_bytes", counts.totals.bad_bytes);
  add("terms", counts.terms);
  add("ids", counts.has_ids);
  add("texts", counts.has_texts);
  add("record_fields", counts.has_fields);
  add("fields", JsonWriter().array(counts.fields).take());
  add("labels_seen", JsonWriter().array(counts.labels_seen).take());
  add("all_parts", counts.all_parts);
  add("parts", '[' + parts_json(counts.parts) + "\n  ]");
  return sealed_json(text + file_records_text(counts.files));
}

CountsManifest parse_counts_manifest(const std::string& path, std::string_view text) {
  const SealedJson json(path, text, kCountsFormat);
  const JsonMembers::Element root = json.root();
  CountsManifest counts;
  counts.program_version = json.string(root, "program");
  counts.plan = json.checksum(root, "plan");
  counts.recipe = simdjson::minify(json.object(root, "recipe"));
  counts.totals.documents = json.integer(root, "documents");
  counts.totals.entries = json.integer(root, "entries");
  counts.totals.text_bytes = static_cast<std::uint64_t>(json.integer(root, "text_bytes"));
  counts.totals.skipped = json.integer(root, "skipped_records");
  counts.totals.bad_bytes = json.integer(root, "bad_bytes");
  counts.terms = json.integer(root, "terms");
  counts.has_ids = json.boolean(root, "ids");
  counts.has_texts = json.boolean(root, "texts");
  counts.has_fields = json.boolean(root, "record_fields");
  counts.fields = ascending_strings(json, root, "fields");
  counts.labels_seen = ascending_strings(json, root, "labels_seen");
  counts.all_parts = json.integer(root, "all_parts");
  std::int64_t documents = 0;
  for (const JsonMembers::Element element : json.array(root, "parts")) {
    CountedPart part = {.part = json.integer(element, "part"),
                        .documents = json.integer(element, "documents", kMostRowsOrColumns),
                        .text = json.checksum(element, "text")};
    if (JsonMembers::has(element, "records")) part.records = simdjson::minify(json.array(element, "records"));
    const bool ascends = counts.parts.empty() || counts.parts.back().part < part.part;
    if (!ascends || part.part >= counts.all_parts) json.fail("expected the numbers of \"parts\" to ascend");
    documents += part.documents;
    counts.parts.push_back(std::move(part));
  }
  if (counts.parts.empty() || documents != counts.totals.documents) json.fail("expected the documents of \"parts\" to add up");
  counts.files = file_records_in(json, root, kCountsFileNames);
  return counts;
}

StagedKind staged_counts() {
  return {.what = "counts",
          .contents = {.files = kWholeCounts, .folders = {}},
          .begins_manifest = looks_like_counts,
          .existing = StagedKind::Existing::stays};
}

}  // namespace inkling
