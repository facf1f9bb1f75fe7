#include "io/corpus/source/record_format.hpp"

#include <algorithm>
#include <cassert>

namespace inkling {
namespace {

constexpr std::array kRecordFormats = {
    RecordFormat{"lines",
                 "each line is a document",
                 {".txt", ".lines", ".text"},
                 RecordEnd::every_line,
                 false,
                 parse_lines},
    RecordFormat{"jsonl",
                 "each line is a JSON object with fields",
                 {".jsonl", ".ndjson", ".json"},
                 RecordEnd::every_line,
                 false,
                 parse_jsonl},
    RecordFormat{"csv",
                 "fields between commas (or --delimiter)",
                 {".csv"},
                 RecordEnd::outside_quotes,
                 true,
                 parse_csv},
    RecordFormat{"tsv", "fields between tabs", {".tsv"}, RecordEnd::every_line, true, parse_tsv},
};

}  // namespace

std::vector<std::string> fields_listed_in(std::string_view names) {
  std::vector<std::string> fields;
  for (std::size_t comma = names.find(','); comma != std::string_view::npos; comma = names.find(',')) {
    fields.emplace_back(names.substr(0, comma));
    names.remove_prefix(comma + 1);
  }
  fields.emplace_back(names);
  return fields;
}

std::span<const RecordFormat> record_formats() { return kRecordFormats; }

const RecordFormat& record_format(std::string_view name) {
  const auto* const found = std::ranges::find(kRecordFormats, name, &RecordFormat::name);
  assert(found != kRecordFormats.end());
  return *found;
}

}  // namespace inkling
