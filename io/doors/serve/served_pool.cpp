#include "io/doors/serve/served_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/scoring/ranking.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/serve/http/http_message.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {
namespace {

// The name of a folder, or of that of a set, restricted to characters that need no percent-encoding.
std::string plain_name(std::string_view path) {
  constexpr std::string_view usual_set = "/set.json";
  if (path.ends_with(usual_set)) path.remove_suffix(usual_set.size());
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  std::string name(path.substr(path.find_last_of('/') + 1));
  std::ranges::replace_if(
      name,
      [](char c) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        return !is_letter && c != '-' && c != '_' && c != '.';
      },
      '_');
  return name.find_first_not_of("._") == std::string::npos ? "pool" : name;
}

}  // namespace

std::vector<std::string> names_of_pools(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const std::string plain = plain_name(path);
    std::string name = plain;
    for (int n = 2; std::ranges::find(names, name) != names.end(); ++n) name = fmt::format("{}-{}", plain, n);
    names.push_back(std::move(name));
  }
  return names;
}

const ServedPool& ServedPools::add(const std::string& path, PoolTrust trust, std::optional<BroughtBy> brought) {
  const std::scoped_lock adding(adding_);
  std::vector<std::string> paths = paths_;
  paths.push_back(path);
  auto pool = std::make_unique<const ServedPool>(names_of_pools(paths).back(), path, trust, std::move(brought));
  paths_ = std::move(paths);
  const std::scoped_lock lock(mutex_);
  pools_.push_back(std::move(pool));
  return *pools_.back();
}

void ServedPools::remove(const ServedPool& pool) {
  const std::scoped_lock lock(mutex_);
  const auto place = std::ranges::find(pools_, &pool, [](const auto& one) { return one.get(); });
  if (place == pools_.end()) return;
  removed_.push_back(std::move(*place));
  pools_.erase(place);
}

std::vector<const ServedPool*> ServedPools::all() const {
  const std::scoped_lock lock(mutex_);
  std::vector<const ServedPool*> pools;
  pools.reserve(pools_.size());
  for (const auto& pool : pools_) pools.push_back(pool.get());
  return pools;
}

ServedPool::ServedPool(std::string name, const std::string& path, PoolTrust trust, std::optional<BroughtBy> brought)
    : name_(std::move(name)),
      path_(path),
      is_brought_(brought.has_value()),
      owner_(brought ? brought->owner : std::string()),
      title_(brought ? brought->title : std::string()),
      whole_(path, trust),
      pool_(&whole_.pool()),
      scope_(event_scope_of(whole_.members())),
      shown_(*pool_, scope_),
      look_up_mutex_(std::make_unique<std::mutex>()) {
  scope_.advice_for = {};
  if (scope_.feature_of) {
    scope_.feature_of = [look_up = scope_.feature_of,
                         &mutex = *look_up_mutex_](std::string_view word) -> std::optional<FeatureId> {
      const std::scoped_lock lock(mutex);
      return look_up(word);
    };
  }
  surveying_ = std::thread([survey = pool_->survey()] {
    try {
      static_cast<void>(survey->rows());
    } catch (...) {  // a search that needs it makes it again, and reports what fails
    }
  });
}

ServedPool::~ServedPool() { surveying_.join(); }

DocumentId ServedPool::document_of(std::string_view written) const {
  const std::optional<std::int64_t> number = parse_integer(written);
  const std::int64_t documents = pool_->view().documents();
  if (number && *number >= 0 && *number < documents) return static_cast<DocumentId>(*number);
  throw HttpRefusal({404, fmt::format("the pool has no document {}", quoted_text(written)), "the document",
                     fmt::format("a row from 0 to {}", documents - 1)});
}

void ServedPool::show_as(std::string title) const {
  const std::scoped_lock lock(title_mutex_);
  title_ = std::move(title);
}

void ServedPool::write_facts(JsonWriter& json) const {
  write_members(json.begin_object());
  json.end_object();
}

void ServedPool::write_all_facts(JsonWriter& json) const {
  std::call_once(reading_records_, [this] {
    sources_ = source_facts(whole_.members());
    try {
      rating_field_ = rating_field_of(*pool_);
      if (rating_field_) ratings_ = ratings_in_field(*pool_, *rating_field_);
    } catch (const FormatError&) {  // it also holds what is no rating: none is offered
      rating_field_.reset();
    }
  });
  write_members(json.begin_object());
  write_source_facts(json.key("sources"), sources_);
  json.key("ratings");
  if (!rating_field_) return static_cast<void>(json.null().end_object());
  const auto good = std::ranges::count_if(ratings_.events, [](const Event& event) { return is_good_rating(event.reward); });
  json.begin_object().member("field", *rating_field_).member("good", static_cast<std::int64_t>(good));
  json.member("bad", std::ssize(ratings_.events) - good).member("disputed", ratings_.disputed).end_object().end_object();
}

void ServedPool::write_members(JsonWriter& json) const {
  const PoolView view = pool_->view();
  json.member("pool", name_).member("documents", view.documents());
  json.member("features", view.features()).member("nonzeros", view.by_document.nonzeros());
  json.member("has_text", pool_->texts().has_value()).member("has_words", pool_->vocabulary().has_value());
  json.member("has_ids", pool_->ids().has_value()).key("labels").array(pool_->label_names());
  json.member("fingerprint", scope_.fingerprint).member("brought", is_brought_);
  const std::scoped_lock lock(title_mutex_);
  json.member("title", !title_.empty() ? title_ : is_brought_ ? std::filesystem::path(path_).stem().string() : name_);
}

std::vector<FeatureId> ServedPool::words_with_prefix(std::string_view prefix, std::size_t limit) const {
  const std::optional<StringTable>& vocabulary = pool_->vocabulary();
  if (!vocabulary) return {};
  std::int64_t begin = 0;
  for (std::int64_t end = vocabulary->size(); begin < end;) {
    const std::int64_t middle = begin + (end - begin) / 2;
    if ((*vocabulary)[middle] < prefix)
      begin = middle + 1;
    else
      end = middle;
  }
  using Counted = std::pair<std::int64_t, FeatureId>;  // how common, negative; the feature
  std::vector<Counted> words;
  for (std::int64_t n = begin; n < vocabulary->size() && (*vocabulary)[n].starts_with(prefix); ++n) {
    const auto feature = static_cast<FeatureId>(n);
    words.emplace_back(-shown_.documents_with(feature), feature);
  }
  const std::size_t shown = std::min(limit, words.size());
  std::ranges::partial_sort(words, words.begin() + static_cast<std::ptrdiff_t>(shown));
  std::vector<FeatureId> found;
  found.reserve(shown);
  for (std::size_t n = 0; n < shown; ++n) found.push_back(words[n].second);
  return found;
}

std::vector<ServedPool::Hit> ServedPool::documents_with_words(const std::vector<FeatureId>& words, std::size_t limit) const {
  std::unordered_map<DocumentId, Hit> hits;
  const CsrView by_feature = pool_->view().by_feature;
  for (const FeatureId feature : words) {
    const SparseRow postings = by_feature.row(feature);
    for (std::size_t n = 0; n < postings.size(); ++n) {
      const DocumentId document = postings.features[n];
      Hit& hit = hits[document];
      hit.document = document;
      hit.words.push_back(feature);
      hit.value += static_cast<double>(postings.values[n]);
    }
  }
  std::vector<Hit> best;
  best.reserve(hits.size());
  for (auto& [document, hit] : hits) best.push_back(std::move(hit));
  const auto key = [](const Hit& hit) { return std::tuple(-std::ssize(hit.words), -hit.value, hit.document); };
  const auto end = best.begin() + static_cast<std::ptrdiff_t>(std::min(limit, best.size()));
  std::ranges::partial_sort(best, end, {}, key);
  best.erase(end, best.end());
  return best;
}

}  // namespace inkling
