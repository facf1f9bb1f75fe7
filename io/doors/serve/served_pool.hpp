// A pool as requests see it: its name in paths, its documents, words and what they look like as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "io/base/file/json_writer.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/search/events/events.hpp"
#include "io/search/events/field_ratings.hpp"
#include "io/search/events/source_facts.hpp"
#include "io/search/service/shown_pool.hpp"

namespace inkling {

/// A pool that was brought by the page: the name that is shown, or none, and who brought it.
struct BroughtBy {
  std::string title = {};
  std::string owner = {};
};

/// Surveys the pool in the background, before a search asks for it. Thread safety: any number of threads.
class ServedPool {
 public:
  /// `brought` is set for a pool that was brought by the page. Throws what opening a pool throws.
  ServedPool(std::string name, const std::string& path, PoolTrust trust, std::optional<BroughtBy> brought = {});
  ServedPool(const ServedPool&) = delete;
  ServedPool& operator=(const ServedPool&) = delete;
  ~ServedPool();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Whether it was brought by the page, where it may be renamed and removed.
  [[nodiscard]] bool is_brought() const noexcept { return is_brought_; }
  /// Who brought it; nobody where it is everybody's.
  [[nodiscard]] const std::string& owner() const noexcept { return owner_; }
  void show_as(std::string title) const;
  [[nodiscard]] bool has_uncompared_texts() const noexcept { return whole_.members().has_uncompared_texts(); }
  [[nodiscard]] const Pool& pool() const& noexcept { return *pool_; }
  const Pool& pool() const&& = delete;
  [[nodiscard]] const PoolSet& members() const noexcept { return whole_.members(); }
  /// The scope's functions may be called by many threads.
  [[nodiscard]] const EventScope& scope() const noexcept { return scope_; }

  [[nodiscard]] const ShownPool& shown() const noexcept { return shown_; }

  /// The document of this number. Throws HttpRefusal (404).
  [[nodiscard]] DocumentId document_of(std::string_view written) const;

  /// As openapi.json says.
  void write_facts(JsonWriter& json) const;
  /// The same with the files that it was made from, and the field that holds ratings. Reads all records at its first call.
  void write_all_facts(JsonWriter& json) const;

  /// The words with this prefix, the most common first.
  [[nodiscard]] std::vector<FeatureId> words_with_prefix(std::string_view prefix, std::size_t limit) const;

  struct Hit {
    DocumentId document = 0;
    std::vector<FeatureId> words = {};  ///< those of the question that it holds
    double value = 0.0;                 ///< of these words in it, together
  };
  /// The documents that hold most of the words first; among equals, those with the largest values.
  [[nodiscard]] std::vector<Hit> documents_with_words(const std::vector<FeatureId>& words, std::size_t limit) const;

 private:
  std::string name_;
  std::string path_;
  bool is_brought_;
  std::string owner_;
  mutable std::mutex title_mutex_;
  mutable std::string title_;
  WholePool whole_;
  const Pool* pool_;
  EventScope scope_;
  ShownPool shown_;
  std::unique_ptr<std::mutex> look_up_mutex_;  // the scope looks words up one at a time
  std::thread surveying_;
  mutable std::once_flag reading_records_;
  mutable std::vector<SourceFacts> sources_;
  mutable std::optional<std::string> rating_field_;
  mutable FieldRatings ratings_;

  void write_members(JsonWriter& json) const;
};

/// Names for these pools in paths: the last part of each, or of the folder of a set, with a number where others have the
/// same.
[[nodiscard]] std::vector<std::string> names_of_pools(const std::vector<std::string>& paths);

/// The pools of a server: one may come or go at any time. One that goes stays open, for requests and searches that have it, until
/// the server ends. Thread safety: any number of threads.
class ServedPools {
 public:
  /// Opens one more, whose name is `names_of_pools`'. Throws what opening a pool throws.
  const ServedPool& add(const std::string& path, PoolTrust trust, std::optional<BroughtBy> brought = {});

  /// From now on, `all` lacks it.
  void remove(const ServedPool& pool);

  /// In the order in which they came.
  [[nodiscard]] std::vector<const ServedPool*> all() const;

 private:
  std::mutex adding_;  // held while a pool is opened, which may take long
  std::vector<std::string> paths_;
  mutable std::mutex mutex_;  // of the next one
  std::vector<std::unique_ptr<const ServedPool>> pools_;
  std::vector<std::unique_ptr<const ServedPool>> removed_;
};

}  // namespace inkling
