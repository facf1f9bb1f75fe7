#include "bench/paper/data/screened_reviews.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "bench/paper/data/prepared_pool.hpp"
#include "engine/core/errors.hpp"
#include "io/corpus/unpack/entries.hpp"
#include "io/doors/commands/build_options.hpp"

namespace inkling::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kReviewEndings = {".jsonl.gz", ".jsonl"};
constexpr std::string_view kRelevantLabel = "1";

/// Empty for another file.
std::string name_of_review(std::string_view file) {
  for (const std::string_view ending : kReviewEndings)
    if (file.ends_with(ending) && !file.starts_with('.')) return std::string(file.substr(0, file.size() - ending.size()));
  return {};
}

/// Paths, in order of names; none if the folder is missing.
std::vector<std::string> review_files(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (is_review_file(entry.path().filename().string()) && entry.is_regular_file(error)) files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

/// Whether the object has the field; its value must be a string or null.
bool has_text(simdjson::dom::object record, std::string_view field) {
  simdjson::dom::element value;
  if (record.at_key(field).get(value) != simdjson::SUCCESS) return false;
  if (!value.is_null() && !value.is_string())
    refuse_record(fmt::format("expected a string in the field \"{}\", found {}", field, json_kind_name(value.type())));
  return true;
}

bool is_included(simdjson::dom::object record) {
  const auto included = value_of_key<std::int64_t>(record, "included", "0 or 1");
  if (included != 0 && included != 1) refuse_record(fmt::format("expected 0 or 1 in the field \"included\", found {}", included));
  return included == 1;
}

void check_file(const std::string& path, const std::function<void()>& check_interruption) {
  Entries entries({path}, {}, check_interruption);
  while (const std::optional<Entry> entry = entries.next()) static_cast<void>(check_screened_records(*entry->stream, path));
}

SourceOptions reading_records() {
  SourceOptions reading;
  reading.format = "jsonl";
  reading.text_field = "title,abstract";
  reading.label_field = "included";
  return reading;
}

PoolMaking making_of_file(const std::string& path) {
  const SourceOptions reading = reading_records();
  return {.made_of = fmt::format("{}, {}, {}", content_of_file(path), reading.text_field, reading.label_field),
          .source_format = reading.format,
          .recipe = recipe_for(build_option_table().parse(std::vector<std::string>{path}), fs::file_size(path))};
}

std::int32_t relevant_label(const Pool& pool) {
  const auto found = std::ranges::find(pool.label_names(), kRelevantLabel);
  return static_cast<std::int32_t>(found - pool.label_names().begin());
}

}  // namespace

bool is_review_file(std::string_view name) { return !name_of_review(name).empty(); }

std::optional<std::string> folder_of_reviews(const std::string& folder) {
  for (const fs::path& place : {fs::path(folder) / "reviews", fs::path(folder)})
    if (!review_files(place).empty()) return place.string();
  return std::nullopt;
}

ScreenedRecords check_screened_records(InputStream& stream, const std::string& name, const JsonLineLimits& limits) {
  ScreenedRecords records;
  for_each_json_line(stream, name, limits, [&](simdjson::dom::object record) {
    const bool has_title = has_text(record, "title");
    const bool has_abstract = has_text(record, "abstract");
    if (!has_title && !has_abstract) refuse_record("expected a string in the field \"title\" or \"abstract\", found none");
    ++records.all;
    records.relevant += is_included(record) ? 1 : 0;
  });
  constexpr std::int64_t least = 2;
  if (std::min(records.relevant, records.all - records.relevant) < least) {
    throw FormatError(name, fmt::format("expected at least {} records that were included and {} that were not, "
                                        "found {} and {}",
                                        least, least, records.relevant, records.all - records.relevant));
  }
  return records;
}

std::vector<ScreenedReview> prepare_screened_reviews(const std::string& folder, const std::string& work,
                                                     const std::function<void(std::string_view)>& announce,
                                                     const std::function<void()>& check_interruption) {
  std::vector<ScreenedReview> reviews;
  for (const std::string& path : review_files(folder)) {
    std::string name = name_of_review(fs::path(path).filename().string());
    announce(name);
    if (!reviews.empty() && reviews.back().name == name)
      throw FormatError(path, fmt::format("expected one file of the review {}, found two", name));
    check_file(path, check_interruption);
    fs::create_directories(work);
    Pool pool = prepared_pool(
        fmt::format("{}/{}", work, name), making_of_file(path), [&] { return open_source({path}, reading_records()); },
        check_interruption);
    if (pool.view().features() == 0) throw FormatError(path, "expected records with words, found none");
    const std::int32_t relevant = relevant_label(pool);
    reviews.push_back({std::move(name), path, std::move(pool), relevant});
  }
  return reviews;
}

}  // namespace inkling::bench
