#include "tests/support/io/small_pools.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ranges>

#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::int64_t> feature_counts(const SmallPool& pool) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(pool.columns), 0);
  for (const RowOfEntries& row : pool.rows)
    for (const Entry& entry : row) ++counts[static_cast<std::size_t>(entry.feature)];
  return counts;
}

template <typename Number>
void stage_numbers(PoolStaging& staging, std::string_view name, const std::vector<Number>& numbers) {
  StagedArray<Number> array(staging, std::string(name));
  array.append(std::span<const Number>(numbers));
  array.close();
}

void stage_strings(PoolStaging& staging, std::string_view name, const std::vector<std::string>& strings) {
  StagedStrings table(staging, name);
  for (const std::string& text : strings) table.append(text);
  table.close();
}

void stage_lines(PoolStaging& staging, std::string_view name, const std::vector<std::string>& strings) {
  StagedLines lines(staging, std::string(name));
  for (const std::string& line : strings) lines.append(line);
  lines.close();
}

std::vector<std::byte> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

template <typename Range>
double sum_of(const Range& numbers) {
  double sum = 0;
  for (const auto number : numbers) sum += static_cast<double>(number);
  return sum;
}

double sum_of(const std::optional<StringTable>& table) {
  double sum = 0;
  for (std::int64_t row = 0; table && row < table->size(); ++row) sum += sum_of((*table)[row]);
  return sum;
}

double sum_of(CsrView matrix) {
  double sum = 0;
  for (std::int32_t row = 0; row < matrix.rows(); ++row) sum += sum_of(matrix.row(row).features) + sum_of(matrix.row(row).values);
  return sum;
}

}  // namespace

SmallPool small_pool() {
  return {.columns = 7,
          .rows = {{{0, 0.5F}, {2, -1.25F}, {6, 3.0F}},
                   {},
                   {{2, 1.0F}},
                   {{0, 0.0F}, {1, 2.0F}, {2, 4.0F}, {5, 0.125F}, {6, -8.0F}},
                   {{1, 1.0F}, {6, 7.0F}}},
          .vocabulary = std::vector<std::string>{"anchor", "boat", "keel", "loam", "rose", "sail", "été"},
          .idf = std::vector<double>{1.5, 1.5, 1.0, 2.5, 2.5, 2.0, 1.0},
          .ids = std::vector<std::string>{"a/1", "a/2", "", "b/1", "b/ü"},
          .texts = std::vector<std::string>{"Anchor the keel.", "", "Keel!", "boat, keel, sail", "été"},
          .fields = std::vector<std::string>{R"({"title":"Keel"})", "", "{}", R"({"year":1999})", R"({"n":"\u00e9é"})"},
          .label_names = {"gardening", "sailing"},
          .labels = {1, -1, 1, 0, 0},
          .copies = {.rows = {2, 4}, .originals = {0, 1}},
          .vectors = {.dimensions = 2,
                      .codes = {127, -3, 0, 0, 50, 127, -127, 127, 1, -127},
                      .scales = {0.00787F, 0.0F, 0.00733F, 0.00557F, 0.00787F}},
          .vector_centre = {0.125F, -2.0F}};
}

SmallPool random_small_pool(const RandomPoolOptions& options, RandomStream& random) {
  const CsrMatrix matrix = random_matrix(options, random);
  SmallPool pool = {.columns = options.features};
  for (std::int32_t row = 0; row < matrix.view().rows(); ++row) {
    const SparseRow entries = matrix.view().row(row);
    RowOfEntries& written = pool.rows.emplace_back();
    for (std::size_t n = 0; n < entries.size(); ++n) written.push_back({entries.features[n], entries.values[n]});
  }
  return pool;
}

void write_pool(const SmallPool& pool, const std::string& path, const WriteOptions& options) {
  PoolStaging staging(path);
  const std::vector<std::int64_t> counts = feature_counts(pool);
  MatrixWriter writer(staging, counts, options.memory);
  for (std::size_t first = 0; first < pool.rows.size(); first += options.block_rows)
    writer.append(sorted_block(block_of(pool.rows, first, options.block_rows), pool.columns));
  writer.finish();
  stage_numbers(staging, PoolFile::document_frequency, std::vector<std::int32_t>(counts.begin(), counts.end()));
  if (pool.vocabulary) stage_lines(staging, PoolFile::vocabulary, *pool.vocabulary);
  if (pool.idf) stage_numbers(staging, PoolFile::idf, *pool.idf);
  if (pool.ids) stage_strings(staging, PoolFile::ids, *pool.ids);
  if (pool.texts) stage_strings(staging, PoolFile::texts, *pool.texts);
  if (pool.fields) stage_strings(staging, PoolFile::fields, *pool.fields);
  if (!pool.labels.empty()) {
    stage_numbers(staging, PoolFile::labels, pool.labels);
    stage_lines(staging, PoolFile::label_names, pool.label_names);
  }
  if (!pool.copies.rows.empty()) {
    stage_numbers(staging, PoolFile::copies, pool.copies.rows);
    stage_numbers(staging, PoolFile::originals, pool.copies.originals);
    stage_numbers(staging, PoolFile::text_marks, std::vector<std::int64_t>(2 * pool.rows.size()));
    stage_numbers(staging, PoolFile::identities, std::vector<std::int64_t>(6 * pool.rows.size()));
  }
  if (pool.vectors.dimensions > 0) {
    stage_numbers(staging, PoolFile::vectors, pool.vectors.codes);
    stage_numbers(staging, PoolFile::vector_scales, pool.vectors.scales);
    stage_numbers(staging, PoolFile::vector_centre, pool.vector_centre);
  }
  staging.publish({.rows = writer.rows(),
                   .columns = pool.columns,
                   .nonzeros = writer.nonzeros(),
                   .program_version = "0.1.0",
                   .recipe = pool.recipe,
                   .files = {}});
}

UnsortedBlock block_of(const std::vector<RowOfEntries>& rows, std::size_t first, std::size_t count) {
  UnsortedBlock block = {.rows = static_cast<std::uint32_t>(std::min(count, rows.size() - first)), .entries = {}};
  for (std::uint32_t row = 0; row < block.rows; ++row)
    for (const Entry& entry : std::views::reverse(rows[first + row]))
      block.entries.push_back({entry.feature, static_cast<std::int32_t>(row), entry.value});
  return block;
}

PoolBytes::PoolBytes(const std::string& path) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) files_[fs::relative(entry.path(), path).generic_string()] = bytes_of(entry.path());
}

PoolFiles PoolBytes::view() const {
  PoolFiles view;
  for (const auto& [name, bytes] : files_) view.emplace(name, bytes);
  return view;
}

void PoolBytes::repair_manifest() {
  std::vector<std::byte>& text = files_.at(std::string(PoolFile::manifest));
  Manifest manifest = parse_manifest("manifest", {reinterpret_cast<const char*>(text.data()), text.size()});
  for (FileRecord& file : manifest.files) {
    const std::vector<std::byte>& bytes = files_.at(file.name);
    file.bytes = bytes.size();
    file.checksums = block_checksums(bytes);
  }
  const std::string repaired = manifest_text(manifest);
  const auto bytes = std::as_bytes(std::span(repaired));
  text.assign(bytes.begin(), bytes.end());
}

std::vector<std::uint64_t> block_checksums(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> checksums;
  while (!bytes.empty()) {
    const auto block = bytes.first(std::min<std::size_t>(kChecksumBlockBytes, bytes.size()));
    checksums.push_back(checksum_of(block));
    bytes = bytes.subspan(block.size());
  }
  return checksums;
}

double scan_of(const PoolContents& contents) {
  double sum = sum_of(contents.matrix.by_document) + sum_of(contents.matrix.by_feature);
  sum += sum_of(contents.document_frequency) + sum_of(contents.idf) + sum_of(contents.labels);
  sum += sum_of(contents.vocabulary) + sum_of(contents.ids) + sum_of(contents.texts) + sum_of(contents.fields);
  sum += sum_of(contents.copies.rows) + sum_of(contents.copies.originals) + sum_of(contents.vector_centre);
  const VectorView vectors = contents.matrix.by_document.vectors();
  sum += sum_of(vectors.codes) + sum_of(vectors.scales);
  for (const std::int32_t label : contents.labels)
    if (label >= 0) sum += sum_of(contents.label_names[static_cast<std::size_t>(label)]);
  return sum;
}

bool same_matrix(CsrView one, CsrView other) {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  return one.columns() == other.columns() && std::ranges::equal(one.offsets(), other.offsets()) &&
         std::ranges::equal(one.features(), other.features()) && std::ranges::equal(one.values(), other.values(), {}, bits, bits);
}

}  // namespace inkling::test
