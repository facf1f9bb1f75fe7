// The manifest of a folder of counts: which parts of which plan were counted.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/from_text/counting_pass.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"

namespace inkling {

struct CountsFile {
  static constexpr std::string_view terms = "terms.txt";
  static constexpr std::string_view document_frequency = "document_frequency.npy";
  static constexpr std::string_view occurrences = "occurrences.npy";
  static constexpr std::string_view labels = "label_names.txt";
};

/// The files with the rows of the one part that was counted, if they are kept (part_rows.hpp).
struct RowsFile {
  static constexpr std::string_view manifest = "rows.json";
  static constexpr std::string_view rows = "rows.bin";
};

/// Every file that the manifest of counts may name, ascending.
inline constexpr auto kCountsFileNames = std::to_array<std::string_view>(
    {CountsFile::document_frequency, CountsFile::labels, CountsFile::occurrences, CountsFile::terms});

/// A part of the plan that was counted.
struct CountedPart {
  std::int64_t part = 0;
  std::int64_t documents = 0;
  std::uint64_t text = 0;    ///< the checksum of what was read
  std::string records = {};  ///< `records_json` of its files; empty in counts of earlier programs

  /// The records follow from the text.
  bool operator==(const CountedPart& other) const noexcept {
    return part == other.part && documents == other.documents && text == other.text;
  }
};

/// Its members are sums, unions and sorted lists, so counts may be merged in any order and grouping.
struct CountsManifest {
  static constexpr std::int64_t current_version = 1;

  std::string program_version;
  std::uint64_t plan = 0;  ///< the checksum at the end of the plan
  std::string recipe;      ///< the plan's recipe, as one JSON object
  std::int64_t all_parts = 0;
  CorpusTotals totals;
  std::int64_t terms = 0;
  bool has_ids = false;  ///< whether some document has an id
  bool has_texts = false;
  bool has_fields = false;
  std::vector<std::string> fields = {};       ///< the requested fields that some record has, ascending
  std::vector<std::string> labels_seen = {};  ///< the requested labels that some document has, ascending
  std::vector<CountedPart> parts = {};        ///< ascending by number, each once
  std::vector<FileRecord> files = {};         ///< ascending by name

  /// Whether these are counts of all parts of the plan.
  [[nodiscard]] bool is_complete() const { return static_cast<std::int64_t>(parts.size()) == all_parts; }
  [[nodiscard]] const FileRecord* file(std::string_view name) const;
};

[[nodiscard]] std::string counts_manifest_text(const CountsManifest& counts);
/// Throws CorruptFileError naming `path`.
[[nodiscard]] CountsManifest parse_counts_manifest(const std::string& path, std::string_view text);

/// How a staging writes counts: it never replaces an existing folder.
[[nodiscard]] StagedKind staged_counts();

}  // namespace inkling
